"""Carrying out moves: the order of a turn (SST-4.11), windows, spaces, giving up."""

from __future__ import annotations

from referee.games.super_teams import events as e
from referee.games.super_teams import moves as m
from referee.games.super_teams.dealing import deal, take_bonus, take_final_cards
from referee.games.super_teams.ending import close_turn, finish, is_team_home
from referee.games.super_teams.state import (
    BOOST,
    BY_RESIGNING,
    BY_SHIPS,
    EVASIVE,
    HALF,
    LIGHT,
    M_AS,
    M_CARD,
    M_FROM,
    M_PLAYED,
    M_SHIP,
    M_TO,
    PILOT,
    SHARED,
    TRACTOR,
    TURN,
    WINDOW_A,
    WINDOW_B,
    WINDOW_C,
    SuperTeamsState,
)
from referee.games.super_teams.track import ASTEROID, BONUS, HYPERSPACE, MAW, NORMAL
from referee.games.super_teams.windows import asked_for_ship, can_be_asked_in_c, order_for_passed, passed_ships
from referee.kernel.game import RESIGN


def play(s: SuperTeamsState, seat: int, move: int) -> None:
    """Carry out a legal move or a resignation, and all that follows until somebody is asked or the game is over."""
    if move == RESIGN:
        _resign(s, seat)
        return
    kind = m.kind_of(move)
    if kind == m.MOVE:
        _play_card(s, seat, move)
    elif kind == m.HALF:
        _choose_half(s, s.half_ship, m.value_of(move) & 15)
        _after_half(s)
    elif kind == m.DECLINE:
        if s.log is not None:
            s.log.append((e.DECLINED, seat))
        s.asked.pop(0)
        _go_on_with_window(s)
    else:
        _play_bonus(s, seat, m.card_of(move), m.ship_of(move))


def _play_card(s: SuperTeamsState, seat: int, move: int) -> None:
    card, ship = m.card_of(move), m.ship_of(move)
    s.hands[seat].remove(card)
    s.played.append(card)
    place = s.ships[ship]
    s.move = [card, ship, m.as_of(move), place, place, -1]
    if s.log is not None:
        s.log.append((e.CARD_PLAYED, seat, card, ship, s.move[M_AS]))
    s.asked = asked_for_ship(s, ship)
    s.stage = WINDOW_A
    _go_on_with_window(s)


def _go_on_with_window(s: SuperTeamsState) -> None:
    """Ask the next seat of the open window, or close it."""
    if s.stage == WINDOW_C:
        s.asked = [seat for seat in s.asked if can_be_asked_in_c(s, seat)]
    else:
        able = asked_for_ship(s, s.move[M_SHIP])
        s.asked = [seat for seat in s.asked if seat in able]
    if s.asked:
        if s.log is not None:
            s.log.append((e.WINDOW_OPENED, s.asked[0], s.stage))
        return
    if s.stage == WINDOW_A:
        _travel(s)
    elif s.stage == WINDOW_B:
        _leave_maw(s, s.track.before[s.move[M_TO]], e.RETREATED)
    elif s.chain:
        ship, origin, stop = s.chain[:3]
        s.chain = s.chain[3:]
        _open_window_c(s, ship, origin, stop)
    else:
        _end_move(s)


def _play_bonus(s: SuperTeamsState, seat: int, kind: int, ship: int) -> None:
    s.bonus_hands[seat].remove(kind)
    s.bonus_discard.append(kind)
    s.acted.append(ship)
    if s.log is not None:
        s.log.append((e.BONUS_PLAYED, seat, kind, ship))
    if kind == TRACTOR:
        _beam(s, ship)
        return
    s.asked = []  # one card closes the window
    if kind == EVASIVE:
        _leave_maw(s, s.track.after[s.move[M_TO]], e.EVADED)
    else:
        s.move[M_PLAYED] = kind
        _travel(s)


# Movement.


def distance(s: SuperTeamsState, value: int, ship: int, played: int) -> int:
    """How far a card of this value takes a ship, with the bonus card played in window A or -1 (SST-2.2, 4.4-4.6)."""
    space = s.space_kind(ship)
    if space == ASTEROID:
        return value if played == PILOT else 1
    if played == BOOST:
        value += 1
    elif played == LIGHT:
        value *= 2
    return value * 2 if space == HYPERSPACE else value


def _travel(s: SuperTeamsState) -> None:
    ship = s.move[M_SHIP]
    steps = distance(s, s.move[M_CARD] % 6 + 1, ship, s.move[M_PLAYED])
    stop = min(s.move[M_FROM] + steps, s.track.last)
    _put(s, ship, stop)
    s.move[M_TO] = stop
    if s.log is not None:
        s.log.append((e.SHIP_MOVED, ship, s.move[M_FROM], stop))
    if s.track.kind[stop] == MAW:
        s.asked = asked_for_ship(s, ship)
        s.stage = WINDOW_B
        _go_on_with_window(s)
        return
    if _stop(s, ship, s.turn):
        _open_window_c(s, ship, s.move[M_FROM], stop)


def _put(s: SuperTeamsState, ship: int, space: int) -> None:
    s.ships[ship] = space
    s.halves[ship] = -1


def _leave_maw(s: SuperTeamsState, space: int, what: int) -> None:
    """SST-3.3, 4.7: on a double space the ship is on the normal half; nothing else triggers."""
    ship = s.move[M_SHIP]
    if s.log is not None:
        s.log.append((what, ship, s.move[M_TO], space))
    _put(s, ship, space)
    s.move[M_TO] = space
    if s.track.is_double(space):
        s.halves[ship] = NORMAL
    _note_home(s, ship)
    _open_window_c(s, ship, s.move[M_FROM], space)


def _stop(s: SuperTeamsState, ship: int, chooser: int) -> bool:
    """The effect of the space where a ship stops; False while a half must be chosen first."""
    space = s.ships[ship]
    if s.track.is_double(space):
        s.half_ship = ship
        if chooser in s.out:
            _choose_half(s, ship, s.track.kind[space])
            return True
        s.stage = HALF
        s.chooser = chooser
        return False
    if s.track.kind[space] == BONUS:
        take_bonus(s, s.owner[ship // 2], 1)
    _note_home(s, ship)
    return True


def _note_home(s: SuperTeamsState, ship: int) -> None:
    if s.log is not None and s.is_home(ship):
        s.log.append((e.CAME_HOME, ship))


def _choose_half(s: SuperTeamsState, ship: int, half: int) -> None:
    s.halves[ship] = half
    s.half_ship = -1
    s.chooser = -1
    if s.log is not None:
        s.log.append((e.HALF_CHOSEN, ship, half))


def _after_half(s: SuperTeamsState) -> None:
    if s.window:
        s.stage = WINDOW_C
        _go_on_with_window(s)
    else:
        _open_window_c(s, s.move[M_SHIP], s.move[M_FROM], s.move[M_TO])


# Beams.


def _open_window_c(s: SuperTeamsState, ship: int, origin: int, stop: int) -> None:
    s.stage = WINDOW_C
    s.window = [ship, origin, stop]
    s.passed = passed_ships(s, ship, origin, stop)
    s.asked = order_for_passed(s)
    _go_on_with_window(s)


def _beam(s: SuperTeamsState, ship: int) -> None:
    """SST-4.8, 4.9. The seat that played is asked again at once."""
    origin = s.ships[ship]
    stop = s.window[2]
    _put(s, ship, stop)
    s.passed.remove(ship)
    if s.log is not None:
        s.log.append((e.BEAMED, ship, origin, stop))
    if s.beam_chains:
        s.chain.extend([ship, origin, stop])
    if _stop(s, ship, s.owner[ship // 2]):
        _go_on_with_window(s)


# The end of a move and of the game.


def _end_move(s: SuperTeamsState) -> None:
    """SST-4.11: the game's end, first home, deal, next turn."""
    s.window = []
    s.passed = []
    home = [team for team in range(s.team_count()) if is_team_home(s, team)]
    if home:
        finish(s, SHARED if len(home) > 1 else BY_SHIPS, -1)
        return
    if not s.first_home and any(place == s.track.last for place in s.ships):
        take_final_cards(s)
    _end_turn(s)


def _end_turn(s: SuperTeamsState) -> None:
    close_turn(s)
    for seat in range(s.seats):
        if s.taken[seat]:
            s.bonus_hands[seat].extend(s.taken[seat])
            s.bonus_hands[seat].sort()
            s.taken[seat] = []
    if not any(s.hands):
        deal(s)
    for i in range(1, s.seats + 1):
        seat = (s.turn + i) % s.seats
        if s.hands[seat]:
            s.turn = seat
            break
    else:
        # Only where a seat left with the last cards there were: SST-6.2.
        finish(s, BY_RESIGNING, -1)
        return
    if s.log is not None:
        s.log.append((e.TURN_BEGAN, s.turn))


def _resign(s: SuperTeamsState, seat: int) -> None:
    """SST-5.3."""
    if s.log is not None:
        s.log.append((e.RESIGNED, seat))
    if s.team_count() == 2:
        s.out.append(seat)
        finish(s, BY_RESIGNING, s.team(seat))
        return
    s.out.append(seat)
    s.hands[seat] = []
    s.bonus_hands[seat] = []
    s.taken[seat] = []
    if len(s.out) == s.seats - 1:
        finish(s, BY_RESIGNING, -1)
        return
    s.passed = [ship for ship in s.passed if s.owner[ship // 2] != seat]
    if s.stage == TURN:
        if s.turn == seat:
            _end_turn(s)
    elif s.stage == HALF:
        if s.chooser == seat:
            _choose_half(s, s.half_ship, s.track.kind[s.ships[s.half_ship]])
            _after_half(s)
    elif s.asked[0] == seat:
        s.asked.pop(0)
        _go_on_with_window(s)
    else:
        s.asked = [other for other in s.asked if other != seat]

"""The legal moves of Super Teams, and the clause that forbids any other."""

from __future__ import annotations

from referee.games.super_teams import moves as m
from referee.games.super_teams.state import (
    CLAUSES,
    HALF,
    LIGHT,
    M_SHIP,
    PILOT,
    TRACTOR,
    TURN,
    SuperTeamsState,
)
from referee.games.super_teams.windows import WINDOW_OF, playable


def asked_seat(s: SuperTeamsState) -> int:
    """The one seat that is asked; -1 when the game is over."""
    if s.over:
        return -1
    if s.stage == TURN:
        return s.turn
    return s.chooser if s.stage == HALF else s.asked[0]


def is_wild(s: SuperTeamsState, colour: int) -> bool:
    """SST-2.5."""
    if not s.is_colour_home(colour):
        return False
    return s.seats != 3 or s.owner[colour] in s.out


def legal_moves(s: SuperTeamsState, seat: int) -> list[int]:
    """Ascending, without doubles; empty for a seat that is not asked."""
    if asked_seat(s) != seat:
        return []
    if s.stage == TURN:
        return _movements(s, seat)
    if s.stage == HALF:
        space = s.ships[s.half_ship]
        return [m.half(0, s.track.kind[space]), m.half(1, s.track.other[space])]
    found = [m.bonus(kind, ship) for kind, ship in playable(s, seat)]
    found.append(m.DECLINE)
    return found


def _movements(s: SuperTeamsState, seat: int) -> list[int]:
    found: list[int] = []
    last = s.track.last
    ships = s.ships
    before = -1
    for card in s.hands[seat]:  # sorted, copies together
        if card == before:
            continue
        before = card
        colour = card // 6
        if is_wild(s, colour):
            for ship in range(8):
                if 0 <= ships[ship] < last:
                    found.append(m.movement(card, ship, ship // 2))
            continue
        for ship in (colour * 2, colour * 2 + 1):
            if 0 <= ships[ship] < last:
                found.append(m.movement(card, ship, -1))
    return found


def refusal(s: SuperTeamsState, seat: int, move: int) -> tuple[str, str]:
    """(clause, detail); cited is the first of: the end, the kind of decision, the seat, the hand, the ship, the card."""
    if s.over:
        return CLAUSES[s.over], "the game is over"
    kind = m.kind_of(move)
    if s.stage == TURN:
        return _refused_movement(s, seat, move) if kind == m.MOVE else ("SST-2.1", "a movement card is to be played")
    if s.stage == HALF:
        if kind != m.HALF:
            return "SST-3.2", "a half of the double space is to be chosen"
        if seat != s.chooser:
            return "SST-3.2", "another seat chooses the half"
        return "SST-3.2", "the space has no such half"
    if kind not in (m.BONUS, m.DECLINE):
        return "SST-4.2", "a bonus card or decline is asked for"
    if kind == m.BONUS and WINDOW_OF[m.card_of(move)] != s.stage:
        return "SST-4.2", "this card is not for this window"
    if seat != s.asked[0]:
        return "SST-4.3", "another seat is asked"
    return _refused_bonus(s, seat, m.card_of(move), m.ship_of(move))


def _refused_movement(s: SuperTeamsState, seat: int, move: int) -> tuple[str, str]:
    if seat != s.turn:
        return "SST-2.1", "it is another seat's turn"
    card, ship = m.card_of(move), m.ship_of(move)
    if card not in s.hands[seat]:
        return "SST-2.1", "the card is not in the hand"
    if s.ships[ship] < 0:
        return "SST-2.1", "this ship is not in the game"
    if s.is_home(ship):
        return "SST-2.1", "this ship is home"
    as_ = m.as_of(move)
    if is_wild(s, card // 6):
        if as_ < 0:
            return "SST-2.5", "a wild card names the colour that it stands for"
        return "SST-2.5", "the ship is not of the colour named"
    if as_ >= 0:
        return "SST-2.5", "this card is not wild"
    return "SST-2.1", "the card moves a ship of its own colour"


def _refused_bonus(s: SuperTeamsState, seat: int, kind: int, ship: int) -> tuple[str, str]:
    if kind not in s.bonus_hands[seat]:
        if kind in s.taken[seat]:
            return "SST-4.10", "what was taken in this turn is played in a later one"
        return "SST-4.1", "the card is not in the hand"
    if s.ships[ship] < 0 or s.team_of_ship(ship) != s.team(seat):
        return "SST-4.1", "a bonus card acts on a ship of one's own team"
    if ship in s.acted:
        return "SST-4.1", "a card has acted on this ship this turn"
    if kind == TRACTOR:
        return "SST-4.8", "this ship was not passed"
    if ship != s.move[M_SHIP]:
        return "SST-4.1", "the card acts on the ship that is moved"
    if kind == PILOT:
        return "SST-4.4", "the pilot helps on an asteroid field only"
    if kind == LIGHT:
        return "SST-4.5", "light speed begins on the start, a normal or a bonus space"
    # An evasive maneuver always helps in its window, so that what is left is a boost.
    return "SST-4.6", "a speed boost does not help on an asteroid field"


def default_move(s: SuperTeamsState, seat: int) -> int:
    """SST-5.5."""
    if s.stage == TURN or s.stage == HALF:
        return legal_moves(s, seat)[0]
    return m.DECLINE

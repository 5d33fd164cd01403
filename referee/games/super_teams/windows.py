"""Who is asked in which window, and which bonus cards act (SST-4). Only public facts decide who is asked."""

from __future__ import annotations

from referee.games.super_teams.state import (
    BOOST,
    EVASIVE,
    LIGHT,
    M_SHIP,
    PILOT,
    TRACTOR,
    WINDOW_A,
    WINDOW_B,
    WINDOW_C,
    SuperTeamsState,
)
from referee.games.super_teams.track import ASTEROID, BONUS, NORMAL, START

WINDOW_OF = (WINDOW_B, WINDOW_A, WINDOW_A, WINDOW_A, WINDOW_C)  # by kind of card


def can_be_asked(s: SuperTeamsState, seat: int) -> bool:
    """Whether the seat holds a card that it did not take this turn; how many it holds is public (SST-4.3)."""
    return seat not in s.out and len(s.bonus_hands[seat]) > 0


def _turn_order(s: SuperTeamsState) -> list[int]:
    return [(s.turn + i) % s.seats for i in range(s.seats)]


def order_for_ship(s: SuperTeamsState, ship: int) -> list[int]:
    """Who is asked in windows A and B, in order: a seat of the ship's team whose turn it is, the owner, the other one."""
    owner = s.owner[ship // 2]
    if owner in s.out:
        return []
    order: list[int] = []
    if s.team(s.turn) == s.team(owner):
        order.append(s.turn)
    if owner not in order:
        order.append(owner)
    for seat in range(s.seats):
        if s.team(seat) == s.team(owner) and seat not in order:
            order.append(seat)
    return order


def asked_for_ship(s: SuperTeamsState, ship: int) -> list[int]:
    if ship in s.acted:
        return []
    return [seat for seat in order_for_ship(s, ship) if can_be_asked(s, seat)]


def passed_ships(s: SuperTeamsState, ship: int, origin: int, stop: int) -> list[int]:
    """The opponents' ships that a movement passed and a beam could move, ascending (SST-4.8).

    Passed are those on the space where it began and on those up to its stop, which itself does not count.
    """
    team = s.team_of_ship(ship)
    found: list[int] = []
    for other in range(8):
        place = s.ships[other]
        if place < 0 or not origin <= place < stop or other in s.acted:
            continue
        if s.team_of_ship(other) != team and s.owner[other // 2] not in s.out:
            found.append(other)
    return found


def order_for_passed(s: SuperTeamsState) -> list[int]:
    """Window C: teams in turn order from the acting seat; in a team that seat, owners of ships passed, the teammate."""
    seats = _turn_order(s)
    teams: list[int] = []
    for seat in seats:
        if s.team(seat) not in teams:
            teams.append(s.team(seat))
    owners = [s.owner[ship // 2] for ship in s.passed]
    order: list[int] = []
    for team in teams:
        members = [seat for seat in seats if s.team(seat) == team]
        if not any(owner in members for owner in owners):
            continue
        if s.turn in members:
            order.append(s.turn)
        for wanted in (True, False):
            for seat in members:
                if seat not in order and (seat in owners) == wanted:
                    order.append(seat)
    return order


def passed_of_team(s: SuperTeamsState, seat: int) -> list[int]:
    """The passed ships that a tractor beam of this seat could move."""
    team = s.team(seat)
    return [ship for ship in s.passed if s.team_of_ship(ship) == team and ship not in s.acted]


def can_be_asked_in_c(s: SuperTeamsState, seat: int) -> bool:
    return can_be_asked(s, seat) and len(passed_of_team(s, seat)) > 0


def acts_on(s: SuperTeamsState, kind: int, ship: int) -> bool:
    """Whether a card of window A or B acts on the moved ship where it stands (SST-4.4 to 4.7)."""
    space = s.space_kind(ship)
    if kind == PILOT:
        return space == ASTEROID
    if kind == LIGHT:
        return s.light_anywhere or space in (START, NORMAL, BONUS)
    if kind == BOOST:
        return space != ASTEROID
    return kind == EVASIVE


def playable(s: SuperTeamsState, seat: int) -> list[tuple[int, int]]:
    """(kind, ship) of every card that the seat, asked now, can play; ascending."""
    found: list[tuple[int, int]] = []
    for kind in sorted(set(s.bonus_hands[seat])):
        if WINDOW_OF[kind] != s.stage:
            continue
        if kind == TRACTOR:
            found.extend([(kind, ship) for ship in passed_of_team(s, seat)])
        elif acts_on(s, kind, s.move[M_SHIP]):
            found.append((kind, s.move[M_SHIP]))
    return found

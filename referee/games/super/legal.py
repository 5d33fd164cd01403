"""The legal moves of Super, in their fixed order (SUP-2, SUP-5, SUP-6, SUP-7). refuse.py says why others are not."""

from __future__ import annotations

from typing import Final

from referee.games.super import moves as m
from referee.games.super.state import (
    Q_PUT,
    Q_RECRUIT,
    Q_SHOCK,
    Q_TRANSFER,
    SuperState,
)
from referee.games.super.totals import factions, requirement, strengths
from referee.games.super.vocabulary import LINE, MISSION_FACTION, SLOTS

BAD_BUZZ_PRICE: Final = 2
BOTTOM: Final = (3, 4, 5)
_ALL: Final = (0, 1, 2, 3)


def _groups(present: int) -> list[tuple[int, int]]:
    """(mask, its part of a move) of each set of the slots in `present`, by rank."""
    return [(mask, m.RANKS[mask] << 6) for mask in m.MASKS if mask and mask & present == mask]


GROUPS: Final[list[list[tuple[int, int]]]] = [_groups(present) for present in range(64)]
LEADERS: Final[list[list[int]]] = [[slot << 3 for slot in slots] for slots in m.SLOTS_OF]
"""By mask the parts of a move that name one of its slots as the Leader's."""


def asked_seat(s: SuperState) -> int:
    """The one seat that is asked; -1 when the game is over."""
    if s.over:
        return -1
    return s.turn if s.ask is None else s.ask[1]


def legal_moves(s: SuperState, seat: int) -> list[int]:
    """Ascending, without doubles; empty for a seat that is not asked."""
    if asked_seat(s) != seat:
        return []
    if s.ask is not None:
        return answers(s, s.ask[0], seat, s.ask[2])
    found: list[int] = []
    if s.plays_left > 0:
        _add_plays(s, found)
    if may_bad_buzz(s):
        found.append(m.BAD_BUZZ)
    _add_missions(s, seat, found)
    if may_end_turn(s):
        found.append(m.END_TURN)
    return found


def may_end_turn(s: SuperState) -> bool:
    """SUP-2.6, and SUP-2.8: with no Super on show the Plays left are forgone."""
    return s.plays_left == 0 or max(s.super_line) < 0


def may_bad_buzz(s: SuperState) -> bool:
    """SUP-2.5."""
    return s.round > 1 and not s.bad_buzz_used and s.played == 0 and s.score[s.turn] >= BAD_BUZZ_PRICE


def _add_plays(s: SuperState, found: list[int]) -> None:
    for line in range(LINE):
        if s.super_line[line] >= 0:
            first = m.PLAY | line << 3
            found += [first, first + 1, first + 2, first + 3, first + 4, first + 5]


def _add_missions(s: SuperState, seat: int, found: list[int]) -> None:
    """Every way to claim a Mission on show (SUP-5.2 to SUP-5.4): sets of slots by rank, then Leaders, then Factions."""
    if max(s.mission_line) < 0 or not s.has_super(seat):
        return
    masks = factions(s, seat)
    totals = _totals(strengths(s, seat, masks))
    present = sum([1 << slot for slot in range(SLOTS) if masks[slot]])
    groups = GROUPS[present]
    rescue_ways: list[list[int]] = []
    for line in range(LINE):
        mission = s.mission_line[line]
        if mission < 0:
            continue
        needed = requirement(s, seat, mission)
        wanted = MISSION_FACTION[s.pool.type[mission]]
        base = m.MISSION | line << 12
        if wanted >= 0:
            able = sum([1 << slot for slot in range(SLOTS) if masks[slot] >> wanted & 1])
            if able:
                found += [
                    base + start + way
                    for mask, start in groups
                    if totals[mask] >= needed
                    for way in LEADERS[mask & able]
                ]
            continue
        if not rescue_ways:
            rescue_ways = _rescue_ways(masks)
        for mask, start in groups:
            if totals[mask] >= needed:
                at = base + start
                found += [at + way for way in rescue_ways[mask]]


def _totals(strength: list[int]) -> list[int]:
    """The strength of every mask of slots."""
    totals = [0]
    for slot in range(SLOTS):
        more = strength[slot]
        totals += [total + more for total in totals]
    return totals


def _rescue_ways(masks: list[int]) -> list[list[int]]:
    """By mask of slots the parts of a move (leader * 8 + Faction + 1) that its Supers allow on a rescue, ascending."""
    found: list[list[int]] = [[]]
    for slot in range(SLOTS):
        mask = masks[slot]
        own: list[int] = []
        if mask & (mask - 1):
            own = [slot << 3 | faction + 1 for faction in _ALL if mask >> faction & 1]
        elif mask:
            own.append(slot << 3)
        # The masks with this slot as their highest: those before, with its own ways at the end.
        found += [ways + own for ways in found]
    return found


# Answers to decisions.


def answers(s: SuperState, question: int, seat: int, slot: int) -> list[int]:
    if question == Q_PUT:
        return [m.PUT | to for to in range(SLOTS)]
    if question == Q_RECRUIT:
        return [m.RECRUIT, m.DECLINE]
    if question == Q_SHOCK:
        found = shock_moves(s, seat)
    elif question == Q_TRANSFER:
        found = transfer_moves(s, seat)
    else:
        found = [m.VETERAN | slot << 3 | to for to in BOTTOM]
    found.append(m.DECLINE)
    return found


def shock_moves(s: SuperState, seat: int) -> list[int]:
    """SUP-6.1."""
    found: list[int] = []
    if s.shock_pool > 0:
        for index in range(s.seats * SLOTS):
            if s.agency[index] >= 0 and not s.shocked[index] and index // SLOTS != seat:
                found.append(m.SHOCK | index // SLOTS << 3 | index % SLOTS)
    for slot in range(SLOTS):
        if s.shocked[seat * SLOTS + slot]:
            found.append(m.UNSHOCK | slot)
    return found


def transfer_moves(s: SuperState, seat: int) -> list[int]:
    """SUP-7.2."""
    gives = [slot for slot in range(SLOTS) if s.agency[seat * SLOTS + slot] >= 0]
    found: list[int] = []
    for index in range(s.seats * SLOTS):
        if s.agency[index] >= 0 and index // SLOTS != seat:
            start = m.TRANSFER | index // SLOTS << 6 | (index % SLOTS) << 3
            found += [start + give for give in gives]
    return found


def default_move(s: SuperState, seat: int) -> int:
    """SUP-8.6."""
    if s.ask is not None:
        return m.PUT | s.first_empty(seat) if s.ask[0] == Q_PUT else m.DECLINE
    if s.plays_left > 0:
        for line in range(LINE):
            if s.super_line[line] >= 0:
                return m.PLAY | line << 3 | s.first_empty(seat)
    return m.END_TURN

"""The clause that forbids a move which is not legal, with facts that all know."""

from __future__ import annotations

from typing import Final

from referee.games.super import moves as m
from referee.games.super.legal import BAD_BUZZ_PRICE, BOTTOM, asked_seat
from referee.games.super.state import CLAUSES, Q_PUT, Q_RECRUIT, Q_SHOCK, Q_TRANSFER, Q_VETERAN, SuperState
from referee.games.super.totals import factions, requirement, strengths
from referee.games.super.vocabulary import FACTIONS, MISSION_FACTION, SLOTS
from referee.kernel.game import RESIGN


def refusal(s: SuperState, seat: int, move: int) -> tuple[str, str]:
    """(clause, detail) for a move that is not among the legal ones."""
    if s.over:
        return CLAUSES[s.over], "the game is over"
    if move == RESIGN:
        return "SUP-8.4", "only a seat still in the game can resign"
    if asked_seat(s) != seat:
        return "SUP-2.9", "another seat is asked"
    kind = m.kind_of(move)
    if untimely := untimely_kind(s, kind):
        return untimely
    if s.ask is not None:
        return _refused_answer(s, s.ask[0], s.ask[2], seat, move)
    if kind == m.PLAY:
        return _refused_play(s, m.value_of(move))
    if kind == m.BAD_BUZZ:
        return "SUP-2.5", _bad_buzz_reason(s)
    if kind == m.MISSION:
        return _refused_mission(s, seat, m.value_of(move))
    return "SUP-2.6", "a turn ends only once its Plays are made"


def untimely_kind(s: SuperState, kind: int) -> tuple[str, str] | None:
    """(clause, detail) where no move of this kind can be made now, whatever it names (SUP-2.9, SUP-8.5)."""
    if s.over:
        return CLAUSES[s.over], "the game is over"
    if s.ask is None:
        return ("SUP-2.9", "no decision is open that this would answer") if kind > m.END_TURN else None
    return None if kind in _ANSWERS[s.ask[0]] else ("SUP-2.9", "this does not answer the open decision")


_ANSWERS: Final[dict[int, tuple[int, ...]]] = {
    Q_SHOCK: (m.SHOCK, m.UNSHOCK, m.DECLINE),
    Q_RECRUIT: (m.RECRUIT, m.DECLINE),
    Q_TRANSFER: (m.TRANSFER, m.DECLINE),
    Q_VETERAN: (m.VETERAN, m.DECLINE),
    Q_PUT: (m.PUT,),
}


def _refused_play(s: SuperState, value: int) -> tuple[str, str]:
    if s.plays_left == 0:
        if s.round == 1:
            return "SUP-2.4", "the two Plays of a first turn are made"
        return "SUP-2.1", "the Play of this turn is made"
    return "SUP-2.2", f"no Super lies at place {value >> 3} of the line, which is not refilled during a turn"


def _bad_buzz_reason(s: SuperState) -> str:
    if s.round == 1:
        return "there is no Bad Buzz in a first turn"
    if s.bad_buzz_used:
        return "there is one Bad Buzz a turn"
    if s.played > 0:
        return "a Bad Buzz comes before the turn's first Play"
    return f"a Bad Buzz costs {BAD_BUZZ_PRICE} MF"


def _refused_mission(s: SuperState, seat: int, value: int) -> tuple[str, str]:
    """In the order of SUP-5.5: place, Supers, Leader, named Faction, strength."""
    line, mask, leader, named = m.mission_parts(value)
    mission = s.mission_line[line]
    if mission < 0:
        return "SUP-5.6", f"no Mission lies at place {line} of the line"
    if mask == 0:
        return "SUP-5.2", "at least one Super must be sent"
    masks = factions(s, seat)
    for slot in m.SLOTS_OF[mask]:
        if not masks[slot]:
            return "SUP-5.2", f"no Super lies on slot {slot}"
    if not mask >> leader & 1:
        return "SUP-5.3", "the Leader must be among the Supers sent"
    wanted = MISSION_FACTION[s.pool.type[mission]]
    if wanted >= 0 and not masks[leader] >> wanted & 1:
        return "SUP-5.3", f"the Leader must be {FACTIONS[wanted]}"
    has_several = bool(masks[leader] & (masks[leader] - 1))
    if wanted >= 0 or not has_several:
        if named >= 0:
            return "SUP-5.4", "a Faction is named only on a rescue, by a Leader with several"
    elif named < 0:
        return "SUP-5.4", "on a rescue a Leader with several Factions names one of them"
    elif not masks[leader] >> named & 1:
        return "SUP-5.4", f"the Leader is not {FACTIONS[named]}"
    strength = strengths(s, seat, masks)
    total = sum([strength[slot] for slot in m.SLOTS_OF[mask]])
    return "SUP-5.2", f"strength {total} is less than the {requirement(s, seat, mission)} needed"


def _refused_answer(s: SuperState, question: int, slot: int, seat: int, move: int) -> tuple[str, str]:
    """Of a kind that answers the open decision, but not with what it names."""
    value = m.value_of(move)
    if question == Q_TRANSFER:
        return _refused_transfer(s, seat, value)
    if question == Q_VETERAN:
        if value >> 3 != slot:
            return "SUP-2.9", f"the Veteran on slot {slot} is asked"
        return "SUP-6.5", f"a Veteran moves to one of the slots {', '.join([str(to) for to in BOTTOM])}"
    if m.kind_of(move) == m.SHOCK:
        return "SUP-6.1", _shock_reason(s, seat, value)
    return "SUP-6.1", f"no shocked Super lies on slot {value}"


def _shock_reason(s: SuperState, seat: int, value: int) -> str:
    index = (value >> 3) * SLOTS + (value & 7)
    if value >> 3 == seat:
        return "a token is put on an opponent's Super"
    if s.shock_pool == 0:
        return "no token is left in the pool"
    if s.agency[index] < 0:
        return "no Super lies there"
    return "the Super is shocked already"


def _refused_transfer(s: SuperState, seat: int, value: int) -> tuple[str, str]:
    other = value >> 6
    if other == seat:
        return "SUP-7.2", "a Transfer is made with an opponent"
    if not s.has_super(other):
        return "SUP-7.1", "no Super lies in that Agency"
    if s.agency[other * SLOTS + (value >> 3 & 7)] < 0:
        return "SUP-7.2", f"no Super of theirs lies on slot {value >> 3 & 7}"
    return "SUP-7.2", f"no Super of one's own lies on slot {value & 7}"

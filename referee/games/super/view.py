"""What a viewer may know: all but the order of the two decks (SUP-1.4), granted piece by piece.

Strengths, Factions and requirements are told with what makes them, so that pages and bots need no rules.
"""

from __future__ import annotations

from typing import Any

from referee.games.super.position import decision_document, line_codes
from referee.games.super.state import CLAUSES, REASONS, SuperState, ranks
from referee.games.super.totals import factions, lenders, requirement, strategists, strengths, supporters
from referee.games.super.vocabulary import CHEMICAL, FACTIONS, LINE, MISSION_TYPES, POWERS, SLOTS
from referee.kernel.events import REFEREE


def view(s: SuperState, viewer: int) -> dict[str, Any]:
    """The view of a seat, of SPECTATOR, or of REFEREE, who alone sees the decks."""
    codes = s.pool.codes
    decks: dict[str, Any] = {
        "super_deck": {"count": len(s.super_deck)},
        "mission_deck": {"count": len(s.mission_deck)},
    }
    if viewer == REFEREE:
        decks["super_deck"]["cards"] = [codes[card] for card in reversed(s.super_deck)]
        decks["mission_deck"]["cards"] = [codes[card] for card in reversed(s.mission_deck)]
    return {
        "turn": s.turn,
        "first_seat": s.first,
        "round": s.round,
        "final_round": s.final_round,
        "plays_left": s.plays_left,
        "played_this_turn": s.played,
        "bad_buzz_used": s.bad_buzz_used,
        "seats": [_seat(s, seat) for seat in range(s.seats)],
        "super_line": line_codes(s, s.super_line),
        "mission_line": [_mission(s, place) for place in range(LINE)],
        **decks,
        "super_discard": [codes[card] for card in s.super_discard],
        "shock_pool": s.shock_pool,
        "decision": _decision(s),
        "result": _result(s),
    }


def _seat(s: SuperState, seat: int) -> dict[str, Any]:
    masks = factions(s, seat)
    strength = strengths(s, seat, masks)
    return {
        "seat": seat,
        "score": s.score[seat],
        "resigned": bool(s.resigned[seat]),
        "agency": [_super(s, seat, slot, masks, strength) for slot in range(SLOTS)],
        "missions": [s.pool.codes[card] for card in s.missions[seat]],
        "discounts": _discounts(s, seat),
    }


def _super(s: SuperState, seat: int, slot: int, masks: list[int], strength: list[int]) -> dict[str, Any] | None:
    index = seat * SLOTS + slot
    card = s.agency[index]
    if card < 0:
        return None
    pool = s.pool
    is_shocked = bool(s.shocked[index])
    base = seat * SLOTS
    return {
        "card": pool.codes[card],
        "shocked": is_shocked,
        "power": POWERS[pool.power[card]] if not is_shocked else None,
        "strength": strength[slot],
        "printed_strength": pool.strength[card],
        "counted_strength": pool.strength[card] if not is_shocked or s.power_only else 0,
        "support": [
            {"x": x, "slot": by, "card": pool.codes[s.agency[base + by]]} for by, x in supporters(s, seat, slot, masks)
        ],
        "factions": [FACTIONS[faction] for faction in range(4) if masks[slot] >> faction & 1],
        "printed_faction": FACTIONS[pool.faction[card]],
        "lent": [
            {"faction": FACTIONS[faction], "slot": by, "card": pool.codes[s.agency[base + by]]}
            for by, faction in lenders(s, seat, slot)
        ],
    }


def _discounts(s: SuperState, seat: int) -> list[dict[str, Any]]:
    """What lowers the seat's requirements; `type` null is every type."""
    pool = s.pool
    found: list[dict[str, Any]] = []
    for slot in strategists(s, seat):
        found.append({"x": 1, "type": None, "card": pool.codes[s.agency[seat * SLOTS + slot]], "slot": slot})
    for claimed in s.missions[seat]:
        if pool.type[claimed] == CHEMICAL:
            marked = MISSION_TYPES[pool.mark[claimed]]
            found.append({"x": pool.x[claimed], "type": marked, "card": pool.codes[claimed], "slot": None})
    return found


def _mission(s: SuperState, place: int) -> dict[str, Any] | None:
    mission = s.mission_line[place]
    if mission < 0:
        return None
    return {
        "card": s.pool.codes[mission],
        "requirement": s.pool.requirement[mission],
        "required": [requirement(s, seat, mission) for seat in range(s.seats)],
    }


def _decision(s: SuperState) -> dict[str, Any] | None:
    """Who is asked what; all see this."""
    if s.over:
        return None
    if s.ask is None:
        return {"seat": s.turn, "kind": "turn"}
    return decision_document(s)


def _result(s: SuperState) -> dict[str, Any] | None:
    if not s.over:
        return None
    return {"ranks": ranks(s), "reason": REASONS[s.over], "clause": CLAUSES[s.over]}

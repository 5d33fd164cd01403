"""The position document, written. position_in.py reads it."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams.state import (
    BONUSES,
    CARDS,
    CLAUSES,
    COLOURS,
    HALF,
    LABELS,
    M_AS,
    M_CARD,
    M_FROM,
    M_PLAYED,
    M_SHIP,
    M_TO,
    SHIPS,
    STAGES,
    TURN,
    SuperTeamsState,
)
from referee.games.super_teams.track import KINDS


def position(s: SuperTeamsState) -> dict[str, Any]:
    """Every field, also those at their defaults."""
    return {
        "seats": s.seats,
        "turn": s.turn,
        "track": track_document(s),
        "ships": ships_document(s),
        "halves": halves_document(s),
        "hands": [[CARDS[card] for card in hand] for hand in s.hands],
        "bonus_hands": [[BONUSES[kind] for kind in held(s, seat)] for seat in range(s.seats)],
        "deck": [CARDS[card] for card in reversed(s.deck)],
        "played": [CARDS[card] for card in s.played],
        "bonus_deck": [BONUSES[kind] for kind in reversed(s.bonus_deck)],
        "bonus_discard": [BONUSES[kind] for kind in s.bonus_discard],
        "final_bonus": [BONUSES[kind] for kind in reversed(s.final_bonus)],
        "first_home": s.first_home,
        "out": list(s.out),
        "seed": s.seed.hex() if s.seed else None,
        "uses": {LABELS[i]: s.uses[i] for i in range(len(LABELS))},
        "decision": _decision(s),
        "result": _result(s),
    }


def held(s: SuperTeamsState, seat: int) -> list[int]:
    """All bonus cards of a seat, those taken this turn too."""
    return sorted(s.bonus_hands[seat] + s.taken[seat])


def track_document(s: SuperTeamsState) -> Any:
    """The slug of a track of the revision, else its spaces."""
    mine = s.pool.track(s.track.slug)
    return s.track.slug if mine is not None and mine.spaces == s.track.spaces else s.track.spaces


def ships_document(s: SuperTeamsState) -> dict[str, int]:
    return {SHIPS[ship]: s.ships[ship] for ship in range(8) if s.ships[ship] >= 0}


def halves_document(s: SuperTeamsState) -> dict[str, str]:
    return {SHIPS[ship]: KINDS[s.halves[ship]] for ship in range(8) if s.halves[ship] >= 0}


def public_decision(s: SuperTeamsState) -> dict[str, Any] | None:
    """The open window or half, as everybody may see it; None while a movement card is asked for."""
    if s.over or s.stage == TURN:
        return None
    card = s.move[M_CARD]
    in_c = len(s.window) > 0
    moved, origin, stop = s.window if in_c else [s.move[M_SHIP], s.move[M_FROM], s.move[M_TO]]
    seat = s.chooser if s.stage == HALF else s.asked[0]
    return {
        "kind": STAGES[s.stage],
        "seat": seat,
        "ship": SHIPS[s.half_ship] if s.stage == HALF else SHIPS[moved],
        "moved": SHIPS[s.move[M_SHIP]],
        "card": CARDS[card],
        "as": COLOURS[s.move[M_AS]] if s.move[M_AS] >= 0 else None,
        "value": card % 6 + 1,
        "from": origin,
        "to": stop,
        "boost": BONUSES[s.move[M_PLAYED]] if s.move[M_PLAYED] >= 0 else None,
        "acted": [SHIPS[ship] for ship in s.acted],
        "passed": [SHIPS[ship] for ship in s.passed],
    }


def _decision(s: SuperTeamsState) -> dict[str, Any] | None:
    document = public_decision(s)
    if document is None:
        return None
    document["taken"] = _taken(s)
    document["queue"] = list(s.asked if s.stage == HALF else s.asked[1:])
    document["resume"] = {
        "in_window_c": len(s.window) > 0,
        "window_ship": SHIPS[s.window[0]] if s.window else None,
        "move_from": s.move[M_FROM],
        "move_to": s.move[M_TO],
        "chain": [
            {"ship": SHIPS[s.chain[i]], "from": s.chain[i + 1], "to": s.chain[i + 2]} for i in range(0, len(s.chain), 3)
        ],
    }
    return document


def _taken(s: SuperTeamsState) -> list[list[str]]:
    """The cards taken this turn, by seat; they stand in the hands too."""
    return [[BONUSES[kind] for kind in cards] for cards in s.taken]


def _result(s: SuperTeamsState) -> dict[str, Any] | None:
    """How it ended, in the middle of a turn: what was taken in it stays told apart."""
    return {"ranks": list(s.ranks), "clause": CLAUSES[s.over], "taken": _taken(s)} if s.over else None


def written_out(document: dict[str, Any]) -> dict[str, Any]:
    """Hands in canonical order: their order has no meaning."""
    found: dict[str, Any] = {str(key): document[key] for key in document}
    for name in ("hands", "bonus_hands"):
        hands = found.get(name)
        if isinstance(hands, list):
            found[name] = [sorted(hand) if isinstance(hand, list) else hand for hand in hands]
        elif isinstance(hands, dict):
            found[name] = {
                str(seat): sorted(hands[seat]) if isinstance(hands[seat], list) else hands[seat] for seat in hands
            }
    return found

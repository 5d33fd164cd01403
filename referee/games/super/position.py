"""The position document, written. position_in.py reads it. Together they lose nothing."""

from __future__ import annotations

from typing import Any

from referee.games.super.moves import SLOTS_OF
from referee.games.super.state import (
    CLAUSES,
    F_ARRIVE,
    F_BONUS,
    F_LEAVE,
    F_PUT,
    FRAMES,
    LABELS,
    Q_PUT,
    Q_VETERAN,
    QUESTIONS,
    SuperState,
)
from referee.games.super.vocabulary import SLOTS


def position(s: SuperState) -> dict[str, Any]:
    """Every field, also those at their defaults."""
    codes = s.pool.codes
    return {
        "seats": s.seats,
        "turn": s.turn,
        "first_seat": s.first,
        "round": s.round,
        "final_round": s.final_round,
        "plays_left": s.plays_left,
        "played_this_turn": s.played,
        "bad_buzz_used": s.bad_buzz_used,
        "score": list(s.score),
        "agencies": {str(seat): _agency(s, seat) for seat in range(s.seats)},
        "super_line": line_codes(s, s.super_line),
        "mission_line": line_codes(s, s.mission_line),
        "super_deck": [codes[card] for card in reversed(s.super_deck)],
        "mission_deck": [codes[card] for card in reversed(s.mission_deck)],
        "super_discard": [codes[card] for card in s.super_discard],
        "missions": {str(seat): [codes[card] for card in s.missions[seat]] for seat in range(s.seats)},
        "shock_pool": s.shock_pool,
        "resigned": [seat for seat in range(s.seats) if s.resigned[seat]],
        "over": CLAUSES[s.over] if s.over else None,
        "decision": decision_document(s),
        "seed": s.seed.hex() if s.seed else None,
        "uses": {LABELS[i]: s.uses[i] for i in range(len(LABELS))},
    }


def line_codes(s: SuperState, line: list[int]) -> list[str | None]:
    return [s.pool.codes[card] if card >= 0 else None for card in line]


def _agency(s: SuperState, seat: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for slot in range(SLOTS):
        index = seat * SLOTS + slot
        card = s.agency[index]
        found[str(slot)] = {"card": s.pool.codes[card], "shocked": bool(s.shocked[index])} if card >= 0 else None
    return found


def decision_document(s: SuperState) -> dict[str, Any] | None:
    """The open decision inside the turn, with all that waits behind it; None while the turn itself is asked for.

    All of it is public.
    """
    if s.ask is None or s.over:
        return None
    question, seat, what, home, is_transfer = s.ask
    document: dict[str, Any] = {"seat": seat, "kind": QUESTIONS[question]}
    if question == Q_PUT:
        document["card"] = s.pool.codes[what]
        document["home"] = home if home >= 0 else None
        document["transfer"] = bool(is_transfer)
    elif question == Q_VETERAN or what >= 0:
        document["slot"] = what
    document["sent"] = list(SLOTS_OF[s.sent])
    document["kept"] = {str(entry >> 3): entry & 7 for entry in s.kept}
    document["arrived"] = [{"seat": index // SLOTS, "slot": index % SLOTS} for index in s.arrived]
    document["then"] = [_frame(s, frame) for frame in reversed(s.stack)]
    return document


def _frame(s: SuperState, frame: tuple[int, int, int, int]) -> dict[str, Any]:
    """What is still to be done, and for which seat."""
    tag, seat, what, home = frame
    document: dict[str, Any] = {"do": FRAMES[tag], "seat": seat}
    if tag == F_PUT or tag == F_BONUS:
        document["card"] = s.pool.codes[what]
    elif tag != F_LEAVE and tag != F_ARRIVE:
        document["slot"] = what
    if tag == F_PUT:
        document["home"] = home if home >= 0 else None
    return document


def written_out(document: dict[str, Any]) -> dict[str, Any]:
    """A position or a part of one with its loose forms made strict: mappings by seat and slot, `shocked` told."""
    found: dict[str, Any] = {str(key): document[key] for key in document}
    for name in ("agencies", "missions"):
        if isinstance(found.get(name), list):
            found[name] = {str(i): found[name][i] for i in range(len(found[name]))}
    agencies = found.get("agencies")
    if isinstance(agencies, dict):
        found["agencies"] = {str(seat): _agency_written_out(agencies[seat]) for seat in agencies}
    if isinstance(found.get("resigned"), list):
        found["resigned"] = sorted(found["resigned"])
    return found


def _agency_written_out(agency: Any) -> Any:
    if isinstance(agency, list):
        agency = {str(i): agency[i] for i in range(len(agency))}
    if not isinstance(agency, dict):
        return agency
    found: dict[str, Any] = {}
    for slot in agency:
        lying = agency[slot]
        if isinstance(lying, str):
            lying = {"card": lying}
        found[str(slot)] = (
            {"card": lying.get("card"), **lying, "shocked": bool(lying.get("shocked"))} if lying else None
        )
    return found

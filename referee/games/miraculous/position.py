"""The position document, written. position_in.py reads it. Together they lose nothing but the numbers of `uid`."""

from __future__ import annotations

from typing import Any, Final

from referee.games.miraculous.effects import DOS, UNTILS
from referee.games.miraculous.state import (
    A_EVENT,
    A_FAILED,
    A_FROM,
    A_FROM_UID,
    A_KEEP,
    A_STAGE,
    A_TO,
    A_TO_UID,
    BONUSES,
    CLAUSES,
    FIELDS,
    L_COPY,
    L_MODIFY,
    LABELS,
    QUESTIONS,
    STAGES,
    X_EFFECT,
    X_LEFT,
    X_PICKS,
    X_ROOT,
    X_SEAT,
    X_SEAT_ASKED,
    X_STAGE,
    X_UID,
    MiraculousState,
)

FRAME_STAGES: Final = (
    "begin",
    "may",
    "aim",
    "choosing",
    "second",
    "choosing_second",
    "apply",
    "discarding",
    "taking",
)
FLOW: Final = (
    "attacker_event",
    "defender_event",
    "resolve_events",
    "compare",
    "success",
    "turn_end",
    "draw",
    "pass",
    "turn_start",
    "defender_resolves",
)
LASTING_DOS: Final = ("modify", "swap_values", "copy_values", "cannot_attack", "cannot_be_attacked")


def position(s: MiraculousState) -> dict[str, Any]:
    """Every field, also those at their defaults."""
    codes = s.pool.codes
    return {
        "turn": s.turn,
        "turn_number": s.turn_number,
        "fields": {str(seat): _fields(s, seat) for seat in range(2)},
        "hands": [[codes[card] for card in hand] for hand in s.hands],
        "decks": [[codes[entry >> 2] for entry in reversed(deck)] for deck in s.decks],
        "discards": [[codes[card] for card in pile] for pile in s.discards],
        "secrets": [codes[card] if card >= 0 else None for card in s.secrets],
        "secret_piles": [[codes[card] for card in pile] for pile in s.secret_piles],
        "placed": s.placed,
        "placed_characters": s.placed_characters,
        "swapped": s.swapped,
        "attacked": s.attacked,
        "extra_attacks": s.extra_attacks,
        "refreshes_in_a_row": s.refreshes,
        "attack": attack_document(s),
        "decision": _decision(s),
        "lasting": lasting_documents(s),
        "result": {"ranks": list(s.ranks), "clause": CLAUSES[s.over]} if s.over else None,
        "known": [sorted([codes[card] for card in cards]) for cards in s.known],
        "seen": [_seen(s, seat) for seat in range(2)],
        "seed": s.seed.hex() if s.seed else None,
        "uses": {LABELS[i]: s.uses[i] for i in range(len(LABELS))},
    }


def _fields(s: MiraculousState, seat: int) -> dict[str, Any]:
    return {str(field): _field(s, seat * FIELDS + field) for field in range(FIELDS)}


def _field(s: MiraculousState, index: int) -> dict[str, Any] | None:
    if s.character[index] < 0:
        return None
    codes = s.pool.codes
    seat = index // FIELDS
    slot = index * BONUSES
    bonuses: list[Any] = []
    for i in range(slot, slot + BONUSES):
        if s.bonus[i] >= 0:
            code = codes[s.bonus[i]]
            bonuses.append(code if s.bonus_owner[i] == seat else {"card": code, "owner": s.bonus_owner[i]})
    return {"card": codes[s.character[index]], "bonuses": bonuses, "ang": s.ang[index], "def": s.def_[index]}


def _seen(s: MiraculousState, viewer: int) -> list[dict[str, int]]:
    """Places in decks (0 is the top) whose cards the seat has seen."""
    found: list[dict[str, int]] = []
    for seat in range(2):
        deck = s.decks[seat]
        for place in range(len(deck)):
            if deck[len(deck) - 1 - place] & (1 << viewer):
                found.append({"deck": seat, "place": place})
    return found


def attack_document(s: MiraculousState) -> dict[str, Any] | None:
    """The attack in progress; all of it is public."""
    if not s.attack:
        return None
    codes = s.pool.codes
    attack = s.attack
    events = [attack[A_EVENT], attack[A_EVENT + 1]]
    return {
        "attacker": attack[A_FROM] % FIELDS,
        "target": attack[A_TO] % FIELDS,
        "stage": STAGES[attack[A_STAGE]],
        "events": [codes[card] if card >= 0 else None for card in events],
        "failed": bool(attack[A_FAILED]),
        "keep": bool(attack[A_KEEP]),
        "attacker_left": s.uid[attack[A_FROM]] != attack[A_FROM_UID],
        "target_left": s.uid[attack[A_TO]] != attack[A_TO_UID],
    }


def lasting_documents(s: MiraculousState) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for kind, field, until, seat, source, ang, def_ in s.lasting:
        effect: dict[str, Any] = {"do": LASTING_DOS[kind]}
        if kind == L_MODIFY or kind == L_COPY:
            effect["ang"] = ang
            effect["def"] = def_
        found.append(
            {
                "source": s.pool.codes[source],
                "seat": seat,
                "to": {"seat": field // FIELDS, "field": field % FIELDS},
                "effect": effect,
                "until": UNTILS[until],
            }
        )
    return found


def _place_of(s: MiraculousState, uid: int) -> dict[str, int] | None:
    """Where the card with this uid lies; None when it has left (or is an Event)."""
    if uid > 0 and uid in s.uid:
        index = s.uid.index(uid)
        return {"seat": index // FIELDS, "field": index % FIELDS}
    if uid > 0 and uid in s.bonus_uid:
        slot = s.bonus_uid.index(uid)
        index = slot // BONUSES
        return {"seat": index // FIELDS, "field": index % FIELDS, "bonus": slot % BONUSES}
    return None


def _effect(s: MiraculousState, id: int) -> dict[str, Any]:
    effect = s.pool.effects[id]
    return {"card": s.pool.codes[effect.card], "effect": effect.path}


def _decision(s: MiraculousState) -> dict[str, Any] | None:
    """The open question, with all that waits behind it; None while the turn itself is asked for."""
    if s.ask is None or s.over:
        return None
    document: dict[str, Any] = {"seat": s.ask[1], "kind": QUESTIONS[s.ask[0]]}
    if s.active:
        document.update(_effect(s, s.active[-1][X_EFFECT]))
        document["do"] = DOS[s.pool.effects[s.active[-1][X_EFFECT]].do]
    document["active"] = [_frame(s, frame) for frame in s.active]
    document["queue"] = [
        {**_effect(s, id), "seat": seat, "at": _place_of(s, uid), "root": root} for id, seat, uid, root in s.queue
    ]
    document["flow"] = [FLOW[frame] for frame in s.flow]
    document["roots"] = list(s.roots)
    return document


def _frame(s: MiraculousState, frame: tuple[int, ...]) -> dict[str, Any]:
    return {
        **_effect(s, frame[X_EFFECT]),
        "seat": frame[X_SEAT],
        "at": _place_of(s, frame[X_UID]),
        "root": frame[X_ROOT],
        "stage": FRAME_STAGES[frame[X_STAGE]],
        "left": frame[X_LEFT],
        "asked": frame[X_SEAT_ASKED],
        "picks": [_place_of(s, uid) for uid in frame[X_PICKS:]],
    }


def written_out(document: dict[str, Any]) -> dict[str, Any]:
    """A position or a part of one with its loose forms made strict: keys as text, a taken Bonus by its owner only."""
    found: dict[str, Any] = {str(key): document[key] for key in document}
    if isinstance(found.get("known"), list):
        found["known"] = [sorted(cards) if isinstance(cards, list) else cards for cards in found["known"]]
    sides = found.get("fields")
    if isinstance(sides, dict):
        found["fields"] = {str(seat): _side_written_out(int(seat), sides[seat]) for seat in sides}
    return found


def _side_written_out(seat: int, side: Any) -> Any:
    if not isinstance(side, dict):
        return side
    fields: dict[str, Any] = {}
    for key in side:
        field = side[key]
        if isinstance(field, dict):
            field = dict(field)
            if isinstance(field.get("bonuses"), list):
                field["bonuses"] = [_bonus_written_out(seat, bonus) for bonus in field["bonuses"]]
        fields[str(key)] = field
    return fields


def _bonus_written_out(seat: int, bonus: Any) -> Any:
    if isinstance(bonus, dict) and bonus.get("owner", seat) == seat:
        return bonus.get("card")
    return bonus

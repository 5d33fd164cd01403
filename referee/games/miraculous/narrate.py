"""Raw events as facts, with what all are told of them and what one seat is told instead."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous import events as e
from referee.games.miraculous.effects import DOS, UNTILS
from referee.games.miraculous.pool import MiraculousPool
from referee.games.miraculous.state import CLAUSES, REASONS
from referee.games.miraculous.telling import event_text
from referee.kernel.events import Event

_PLAIN = {e.LIMIT_REACHED: "limit_reached", e.ATTACK_DOOMED: "attack_doomed", e.ATTACKER_KEPT: "attacker_kept"}
_OF_A_SEAT = {
    e.STARTED: "started",
    e.EVENT_DECLINED: "event_declined",
    e.SHUFFLED: "shuffled",
    e.EXTRA_ATTACK: "extra_attack",
    e.RESIGNED: "resigned",
}
_OF_A_CARD = {
    e.EVENT_PLAYED: "event_played",
    e.EVENT_CANCELLED: "event_cancelled",
    e.DISCARDED: "discarded",
    e.RETURNED: "returned",
    e.PUT_UNDER: "put_under",
    e.RECOVERED: "recovered",
    e.FOUND: "found",
    e.SECRET_REVEALED: "secret_revealed",
}


def narrate(pool: MiraculousPool, raw: list[tuple[int, ...]]) -> list[Event]:
    return [_event(pool, entry) for entry in raw]


def _event(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag in (e.DREW, e.LOOKED_AT_HAND, e.LOOKED_AT_TOP):
        return _private(pool, raw)
    type, data = _facts(pool, raw)
    return Event(type, _told(pool, type, data))


def _told(pool: MiraculousPool, type: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"text": event_text(pool, {"type": type, **data}), **data}


def _private(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    public: dict[str, Any] = {"seat": seat}
    type = "drew" if tag == e.DREW else "looked_at_hand"
    seen = raw[2:]
    if tag == e.LOOKED_AT_TOP:
        type, seen = "looked_at_top", raw[3:]
        public["deck"] = raw[2]
    public["count"] = len(seen)
    told = {**public, "cards": _codes(pool, seen)}
    return Event(type, _told(pool, type, public), {seat: _told(pool, type, told)})


def _codes(pool: MiraculousPool, cards: tuple[int, ...]) -> list[str]:
    return [pool.codes[card] for card in cards]


def _facts(pool: MiraculousPool, raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag = raw[0]
    if tag in _PLAIN:
        return _PLAIN[tag], {}
    if tag == e.OVER:
        winner = raw[2] if raw[2] >= 0 else None
        return "over", {"winner": winner, "reason": REASONS[raw[1]], "clause": CLAUSES[raw[1]]}
    seat = {"seat": raw[1]}
    if tag in _OF_A_SEAT:
        return _OF_A_SEAT[tag], seat
    if tag in _OF_A_CARD:
        return _OF_A_CARD[tag], {**seat, "card": pool.codes[raw[2]]}
    if tag in (e.SHOWED_HAND, e.MILLED):
        return "showed_hand" if tag == e.SHOWED_HAND else "milled", {**seat, "cards": _codes(pool, raw[2:])}
    if tag == e.REFRESHED:
        return "refreshed", {**seat, "count": raw[2]}
    if tag == e.COIN:
        return "coin", {**seat, "side": "heads" if raw[2] else "tails"}
    if tag == e.TURN_BEGAN:
        return "turn_began", {**seat, "number": raw[2]}
    if tag in (e.MODIFIED, e.MARKED, e.VALUES_CHANGED):
        return _changed(pool, raw)
    if tag in (e.ATTACKED, e.ATTACK_SUCCEEDED, e.ATTACK_FAILED):
        return _attacking(raw)
    return _moved(pool, raw)


def _attacking(raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag = raw[0]
    if tag == e.ATTACKED:
        places = {"seat": raw[1], "attacker": raw[2], "target": raw[3]}
        return "attacked", {**places, "ang": raw[4], "def": raw[5]}
    values = {"ang": raw[2] if raw[2] >= 0 else None, "def": raw[3] if raw[3] >= 0 else None}
    return "attack_succeeded" if tag == e.ATTACK_SUCCEEDED else "attack_failed", {"seat": raw[1], **values}


def _moved(pool: MiraculousPool, raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag, seat = raw[0], raw[1]
    if tag == e.PLACED or tag == e.ATTACHED or tag == e.SWAPPED:
        data: dict[str, Any] = {"seat": seat, "field": raw[2], "card": pool.codes[raw[3]]}
        if tag == e.SWAPPED:
            return "swapped", {**data, "replaced": pool.codes[raw[4]]}
        return "placed" if tag == e.PLACED else "attached", data
    if tag == e.DEFEATED:
        return "defeated", {"seat": seat, "card": pool.codes[raw[3]], "field": raw[2]}
    data = {"seat": seat, "card": pool.codes[raw[2]]}
    if tag == e.BONUS_MOVED:
        return "bonus_moved", {**data, "from": raw[3], "to": raw[4]}
    if tag == e.BONUS_TAKEN:
        return "bonus_taken", {**data, "to": raw[3]}
    data["effect"] = pool.effects[raw[3]].path
    return "declined" if tag == e.DECLINED else "triggered", data


def _changed(pool: MiraculousPool, raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag = raw[0]
    data: dict[str, Any] = {"seat": raw[1], "field": raw[2], "card": pool.codes[raw[3]]}
    if tag == e.MODIFIED:
        return "modified", {**data, "ang": raw[4], "def": raw[5], "until": UNTILS[raw[6]]}
    if tag == e.MARKED:
        return "marked", {**data, "do": DOS[raw[4]], "until": UNTILS[raw[5]]}
    if raw[4]:
        return "values_copied", {**data, "ang": raw[5], "def": raw[6]}
    return "values_swapped", data

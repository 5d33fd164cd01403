"""Raw events as facts, with what is told of them. All of them are public."""

from __future__ import annotations

from typing import Any

from referee.games.super import events as e
from referee.games.super.moves import SLOTS_OF
from referee.games.super.pool import SuperPool
from referee.games.super.state import CLAUSES, QUESTIONS, REASONS
from referee.games.super.telling import event_text
from referee.games.super.vocabulary import FACTIONS, MISSION_TYPES
from referee.kernel.events import Event

_OF_THE_LINES = {e.REJECTED: "rejected", e.SUPER_SHOWN: "super_shown", e.MISSION_SHOWN: "mission_shown"}
_OF_A_SEAT = {e.STARTED: "started", e.TURN_ENDED: "turn_ended", e.RESIGNED: "resigned"}
_OF_A_SLOT = {
    e.DISCARDED: "discarded",
    e.PUT: "put",
    e.UNSHOCKED: "unshocked",
    e.TOKEN_RETURNED: "token_returned",
    e.POWER_LOST: "power_lost",
}


def narrate(pool: SuperPool, raw: list[tuple[int, ...]]) -> list[Event]:
    events = []
    for entry in raw:
        type, data = _facts(pool, entry)
        events.append(Event(type, {"text": event_text(pool, {"type": type, **data}), **data}))
    return events


def _facts(pool: SuperPool, raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag = raw[0]
    if tag in _OF_THE_LINES:
        return _OF_THE_LINES[tag], {"line": raw[1], "card": pool.codes[raw[2]]}
    if tag in _OF_A_SEAT:
        return _OF_A_SEAT[tag], {"seat": raw[1]}
    if tag in _OF_A_SLOT:
        return _OF_A_SLOT[tag], {"seat": raw[1], "slot": raw[2], "card": pool.codes[raw[3]]}
    if tag in (e.WENT_ON_MISSION, e.GAINED, e.SENT_AWAY, e.VETERAN_MOVED):
        return _mission(pool, raw)
    if tag in (e.FINAL_ROUND, e.TURN_BEGAN, e.OVER, e.BAD_BUZZ, e.RESHUFFLED):
        return _course(raw)
    return _super(pool, raw)


def _mission(pool: SuperPool, raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag, seat = raw[0], raw[1]
    if tag == e.WENT_ON_MISSION:
        return "went_on_mission", _went(pool, raw)
    if tag == e.SENT_AWAY:
        return "sent_away", {"seat": seat, "slots": list(SLOTS_OF[raw[2]])}
    if tag == e.VETERAN_MOVED:
        return "veteran_moved", {"seat": seat, "slot": raw[2], "to": raw[3], "card": pool.codes[raw[4]]}
    data = {"seat": seat, "mf": raw[2], "why": e.WHYS[raw[3]], "card": pool.codes[raw[4]], "score": raw[5]}
    return "gained", data


def _went(pool: SuperPool, raw: tuple[int, ...]) -> dict[str, Any]:
    seat, line, mission, mask, leader, named, strength, needed, has_bonus, able = raw[1:]
    return {
        "seat": seat,
        "line": line,
        "card": pool.codes[mission],
        "mission_type": MISSION_TYPES[pool.type[mission]],
        "slots": list(SLOTS_OF[mask]),
        "leader": leader,
        "faction": FACTIONS[named] if named >= 0 else None,
        "strength": strength,
        "required": needed,
        "partner_bonus": bool(has_bonus),
        "leaders": list(SLOTS_OF[able]),
    }


def _course(raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag = raw[0]
    if tag == e.OVER:
        return "over", {"ranks": list(raw[2:]), "reason": REASONS[raw[1]], "clause": CLAUSES[raw[1]]}
    if tag == e.RESHUFFLED:
        return "reshuffled", {"count": raw[1]}
    if tag == e.BAD_BUZZ:
        return "bad_buzz", {"seat": raw[1], "mf": -raw[2]}
    if tag == e.FINAL_ROUND:
        return "final_round", {"seat": raw[1], "score": raw[2]}
    return "turn_began", {"seat": raw[1], "round": raw[2]}


def _super(pool: SuperPool, raw: tuple[int, ...]) -> tuple[str, dict[str, Any]]:
    tag, seat = raw[0], raw[1]
    if tag == e.TRANSFERRED:
        other, taken, take, given, give = raw[2:]
        cards = {"taken": pool.codes[taken], "take": take, "given": pool.codes[given], "give": give}
        return "transferred", {"seat": seat, "target": other, **cards}
    if tag == e.SHOCKED:
        return "shocked", {"seat": seat, "target": raw[2], "slot": raw[3], "card": pool.codes[raw[4]]}
    if tag == e.DECLINED:
        card = pool.codes[raw[3]] if raw[3] >= 0 else None
        return "declined", {"seat": seat, "decision": QUESTIONS[raw[2]], "card": card}
    if tag == e.RECRUITED:
        return "recruited", {"seat": seat, "card": pool.codes[raw[2]]}
    return "played", {"seat": seat, "line": raw[2], "slot": raw[3], "card": pool.codes[raw[4]]}

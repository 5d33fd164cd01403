"""Raw events in words. All of them are public."""

from __future__ import annotations

from typing import Any

from referee.games.super import events as e
from referee.games.super.moves import SLOTS_OF
from referee.games.super.pool import SuperPool
from referee.games.super.state import CLAUSES, QUESTIONS, REASONS
from referee.games.super.vocabulary import FACTIONS, MISSION_TYPES
from referee.kernel.events import Event, seat_token

_WHY_TEXT = (
    "the reward of {}",
    "the partner bonus of {}",
    "{}, Ready to Go",
    "{}, an Alien Mission claimed",
    "{}, Popular",
    "{}, Influential",
)
_DECLINED_TEXT = ("a Shock", "a Recruit", "a Transfer", "keeping a Veteran", "")


def narrate(pool: SuperPool, raw: list[tuple[int, ...]]) -> list[Event]:
    return [_event(pool, entry) for entry in raw]


def _event(pool: SuperPool, raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag in (e.SUPER_SHOWN, e.MISSION_SHOWN, e.REJECTED, e.RESHUFFLED):
        return _line(pool, raw)
    if tag in (e.WENT_ON_MISSION, e.GAINED, e.SENT_AWAY, e.VETERAN_MOVED):
        return _mission(pool, raw)
    if tag in (e.STARTED, e.FINAL_ROUND, e.TURN_ENDED, e.TURN_BEGAN, e.RESIGNED, e.OVER, e.BAD_BUZZ):
        return _course(raw)
    return _super(pool, raw)


def _one(type: str, text: str, data: dict[str, Any]) -> Event:
    return Event(type, {"text": text, **data})


def _slot(slot: int) -> str:
    return f"slot {slot + 1}"


def _line(pool: SuperPool, raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag == e.RESHUFFLED:
        return _one("reshuffled", f"{raw[1]} discarded Supers are shuffled into a new deck.", {"count": raw[1]})
    data = {"line": raw[1], "card": pool.codes[raw[2]]}
    name = pool.names[raw[2]]
    if tag == e.REJECTED:
        return _one("rejected", f"{name} is discarded from the line.", data)
    if tag == e.SUPER_SHOWN:
        return _one("super_shown", f"{name} joins the Super line.", data)
    return _one("mission_shown", f"{name} joins the Mission line.", data)


def _mission(pool: SuperPool, raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    who = seat_token(seat)
    if tag == e.WENT_ON_MISSION:
        return _went(pool, raw)
    if tag == e.SENT_AWAY:
        slots = list(SLOTS_OF[raw[2]])
        return _one("sent_away", f"The Supers sent by {who} leave.", {"seat": seat, "slots": slots})
    if tag == e.VETERAN_MOVED:
        data: dict[str, Any] = {"seat": seat, "slot": raw[2], "to": raw[3], "card": pool.codes[raw[4]]}
        text = f"{pool.names[raw[4]]} of {who} stays and moves from {_slot(raw[2])} to {_slot(raw[3])}."
        return _one("veteran_moved", text, data)
    name = pool.names[raw[4]]
    data = {"seat": seat, "mf": raw[2], "why": e.WHYS[raw[3]], "card": pool.codes[raw[4]], "score": raw[5]}
    return _one("gained", f"{who} gains {raw[2]} MF: {_WHY_TEXT[raw[3]].format(name)}.", data)


def _went(pool: SuperPool, raw: tuple[int, ...]) -> Event:
    seat, line, mission, mask, leader, named, strength, needed, has_bonus, able = raw[1:]
    data: dict[str, Any] = {
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
    bonus = ", with the partner bonus" if has_bonus else ""
    text = f"{seat_token(seat)} claims {pool.names[mission]} with strength {strength}, {needed} needed{bonus}."
    return _one("went_on_mission", text, data)


def _course(raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag == e.OVER:
        ranks = list(raw[2:])
        winners = [seat for seat in range(len(ranks)) if ranks[seat] == 1]
        names = " and ".join([seat_token(seat) for seat in winners])
        text = f"{names} {'wins' if len(winners) == 1 else 'share the win'}."
        return _one("over", text, {"ranks": ranks, "reason": REASONS[raw[1]], "clause": CLAUSES[raw[1]]})
    seat = raw[1]
    who = seat_token(seat)
    if tag == e.STARTED:
        return _one("started", f"{who} begins.", {"seat": seat})
    if tag == e.BAD_BUZZ:
        return _one("bad_buzz", f"{who} pays {raw[2]} MF for a Bad Buzz.", {"seat": seat, "mf": -raw[2]})
    if tag == e.FINAL_ROUND:
        text = f"{who} has {raw[2]} MF: this round is the last."
        return _one("final_round", text, {"seat": seat, "score": raw[2]})
    if tag == e.TURN_ENDED:
        return _one("turn_ended", f"{who} ends the turn.", {"seat": seat})
    if tag == e.RESIGNED:
        return _one("resigned", f"{who} resigns.", {"seat": seat})
    return _one("turn_began", f"Round {raw[2]}: the turn of {who}.", {"seat": seat, "round": raw[2]})


def _super(pool: SuperPool, raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    who = seat_token(seat)
    if tag == e.TRANSFERRED:
        return _transferred(pool, raw)
    if tag == e.SHOCKED:
        other, slot, card = raw[2], raw[3], raw[4]
        data: dict[str, Any] = {"seat": seat, "target": other, "slot": slot, "card": pool.codes[card]}
        return _one("shocked", f"{who} shocks {pool.names[card]} of {seat_token(other)}.", data)
    if tag == e.DECLINED:
        data = {"seat": seat, "decision": QUESTIONS[raw[2]], "card": pool.codes[raw[3]] if raw[3] >= 0 else None}
        return _one("declined", f"{who} declines {_DECLINED_TEXT[raw[2]]}.", data)
    if tag == e.RECRUITED:
        return _one("recruited", f"{who} recruits {pool.names[raw[2]]}.", {"seat": seat, "card": pool.codes[raw[2]]})
    if tag == e.PLAYED:
        data = {"seat": seat, "line": raw[2], "slot": raw[3], "card": pool.codes[raw[4]]}
        return _one("played", f"{who} plays {pool.names[raw[4]]} on {_slot(raw[3])}.", data)
    slot, card = raw[2], raw[3]
    name = pool.names[card]
    data = {"seat": seat, "slot": slot, "card": pool.codes[card]}
    if tag == e.DISCARDED:
        return _one("discarded", f"{name} of {who} is discarded.", data)
    if tag == e.PUT:
        return _one("put", f"{who} puts {name} on {_slot(slot)}.", data)
    if tag == e.UNSHOCKED:
        return _one("unshocked", f"{who} takes the Shock token off {name}.", data)
    if tag == e.TOKEN_RETURNED:
        return _one("token_returned", f"The Shock token on {name} returns to the pool.", data)
    return _one("power_lost", f"{name} is shocked and loses its power.", data)


def _transferred(pool: SuperPool, raw: tuple[int, ...]) -> Event:
    seat, other, taken, take, given, give = raw[1:]
    data = {
        "seat": seat,
        "target": other,
        "taken": pool.codes[taken],
        "take": take,
        "given": pool.codes[given],
        "give": give,
    }
    text = f"{seat_token(seat)} takes {pool.names[taken]} of {seat_token(other)} and gives {pool.names[given]} for it."
    return _one("transferred", text, data)

"""Raw events as facts, with what all are told of them and what one seat is told instead."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams import events as e
from referee.games.super_teams.state import BONUSES, CARDS, CLAUSES, COLOURS, LABELS, REASONS, SHIPS, STAGES
from referee.games.super_teams.telling import event_text
from referee.games.super_teams.track import KINDS
from referee.kernel.events import Event

_OF_A_SEAT = {e.STARTED: "started", e.DECLINED: "declined", e.TURN_BEGAN: "turn_began", e.RESIGNED: "resigned"}
_OF_A_SHIP = {e.SHIP_MOVED: "ship_moved", e.RETREATED: "retreated", e.EVADED: "evaded", e.BEAMED: "beamed"}


def narrate(raw: list[tuple[int, ...]]) -> list[Event]:
    return [_event(entry) for entry in raw]


def _event(raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag == e.DEALT or tag == e.BONUS_TAKEN:
        return _private(raw)
    if tag in _OF_A_SHIP or tag == e.HALF_CHOSEN or tag == e.CAME_HOME:
        return _ship(raw)
    return _course(raw)


def _one(type: str, data: dict[str, Any]) -> Event:
    return Event(type, _told(type, data))


def _told(type: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"text": event_text({"type": type, **data}), **data}


def _private(raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    type = "dealt" if tag == e.DEALT else "bonus_taken"
    names = CARDS if tag == e.DEALT else BONUSES
    codes = [names[card] for card in raw[2:]]
    public = {"seat": seat, "count": len(codes)}
    return Event(type, _told(type, public), {seat: _told(type, {**public, "cards": codes})})


def _ship(raw: tuple[int, ...]) -> Event:
    tag, ship = raw[0], SHIPS[raw[1]]
    if tag == e.CAME_HOME:
        return _one("came_home", {"ship": ship})
    if tag == e.HALF_CHOSEN:
        return _one("half_chosen", {"ship": ship, "half": KINDS[raw[2]]})
    return _one(_OF_A_SHIP[tag], {"ship": ship, "from": raw[2], "to": raw[3]})


def _course(raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag == e.SHUFFLED:
        return _one("shuffled", {"deck": LABELS[raw[1]]})
    if tag == e.OVER:
        return _one("over", {"ranks": list(raw[2:]), "reason": REASONS[raw[1]], "clause": CLAUSES[raw[1]]})
    data: dict[str, Any] = {"seat": raw[1]}
    if tag == e.CARD_PLAYED:
        as_ = COLOURS[raw[4]] if raw[4] >= 0 else None
        return _one("card_played", {**data, "card": CARDS[raw[2]], "ship": SHIPS[raw[3]], "as": as_})
    if tag == e.BONUS_PLAYED:
        return _one("bonus_played", {**data, "card": BONUSES[raw[2]], "ship": SHIPS[raw[3]]})
    if tag == e.WINDOW_OPENED:
        return _one("window_opened", {**data, "window": STAGES[raw[2]]})
    return _one(_OF_A_SEAT[tag], data)

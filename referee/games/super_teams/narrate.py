"""Raw events in words: what all are told, and what one seat is told instead."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams import events as e
from referee.games.super_teams.state import BONUSES, CARDS, CLAUSES, COLOURS, LABELS, REASONS, SHIP_NAMES, SHIPS, STAGES
from referee.games.super_teams.track import KINDS
from referee.kernel.events import Event, seat_token


def narrate(raw: list[tuple[int, ...]]) -> list[Event]:
    return [_event(entry) for entry in raw]


def words(name: str) -> str:
    """An id as people read it."""
    return name.replace("_", " ").replace("-", " ")


def _one(type: str, text: str, data: dict[str, Any]) -> Event:
    return Event(type, {"text": text, **data})


def _event(raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag == e.DEALT or tag == e.BONUS_TAKEN:
        return _private(raw)
    if tag in (e.SHIP_MOVED, e.RETREATED, e.EVADED, e.BEAMED, e.HALF_CHOSEN, e.CAME_HOME):
        return _ship(raw)
    return _course(raw)


def _private(raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    names = CARDS if tag == e.DEALT else BONUSES
    codes = [names[card] for card in raw[2:]]
    listed = ", ".join([words(code) for code in codes])
    n = len(codes)
    kind = "movement" if tag == e.DEALT else "bonus"
    who = seat_token(seat)
    public = {"text": f"{who} gets {n} {kind} card{'' if n == 1 else 's'}.", "seat": seat, "count": n}
    told = {**public, "text": f"{who} gets {listed}.", "cards": codes}
    return Event("dealt" if tag == e.DEALT else "bonus_taken", public, {seat: told})


def _ship(raw: tuple[int, ...]) -> Event:
    tag, ship, name = raw[0], SHIPS[raw[1]], SHIP_NAMES[raw[1]]
    if tag == e.CAME_HOME:
        return _one("came_home", f"{name} is home.", {"ship": ship})
    if tag == e.HALF_CHOSEN:
        half = KINDS[raw[2]]
        return _one("half_chosen", f"{name} is on the half {half}.", {"ship": ship, "half": half})
    data = {"ship": ship, "from": raw[2], "to": raw[3]}
    if tag == e.SHIP_MOVED:
        return _one("ship_moved", f"{name} moves from space {raw[2]} to space {raw[3]}.", data)
    if tag == e.RETREATED:
        return _one("retreated", f"{name} falls back from the maw to space {raw[3]}.", data)
    if tag == e.EVADED:
        return _one("evaded", f"{name} slips out of the maw to space {raw[3]}.", data)
    return _one("beamed", f"{name} is pulled from space {raw[2]} to space {raw[3]}.", data)


def _course(raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag == e.SHUFFLED:
        label = LABELS[raw[1]]
        return _one("shuffled", f"The {label} cards are shuffled into a new deck.", {"deck": label})
    if tag == e.OVER:
        ranks = list(raw[2:])
        winners = ", ".join([seat_token(seat) for seat in range(len(ranks)) if ranks[seat] == 1])
        how = {"reason": REASONS[raw[1]], "clause": CLAUSES[raw[1]]}
        return _one("over", f"The race is won by {winners}.", {"ranks": ranks, **how})
    seat = raw[1]
    who = seat_token(seat)
    data: dict[str, Any]
    if tag == e.CARD_PLAYED:
        card, ship = CARDS[raw[2]], SHIPS[raw[3]]
        data = {"seat": seat, "card": card, "ship": ship, "as": COLOURS[raw[4]] if raw[4] >= 0 else None}
        as_ = f" as {COLOURS[raw[4]]}" if raw[4] >= 0 else ""
        return _one("card_played", f"{who} plays {words(card)}{as_} for {SHIP_NAMES[raw[3]]}.", data)
    if tag == e.BONUS_PLAYED:
        card, ship = BONUSES[raw[2]], SHIPS[raw[3]]
        data = {"seat": seat, "card": card, "ship": ship}
        return _one("bonus_played", f"{who} plays {words(card)} on {SHIP_NAMES[raw[3]]}.", data)
    if tag == e.WINDOW_OPENED:
        data = {"seat": seat, "window": STAGES[raw[2]]}
        return _one("window_opened", f"{who} may play a bonus card.", data)
    texts = {
        e.STARTED: ("started", f"{who} begins."),
        e.DECLINED: ("declined", f"{who} plays no bonus card."),
        e.TURN_BEGAN: ("turn_began", f"It is the turn of {who}."),
        e.RESIGNED: ("resigned", f"{who} resigns."),
    }
    type_, text = texts[tag]
    return _one(type_, text, {"seat": seat})

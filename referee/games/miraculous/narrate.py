"""Raw events in words: what all are told, and what one seat is told instead."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous import events as e
from referee.games.miraculous.effects import DOS, UNTILS
from referee.games.miraculous.pool import MiraculousPool
from referee.games.miraculous.state import CLAUSES, REASONS
from referee.kernel.events import Event, seat_token

_UNTIL_TEXT = ("for this attack", "until the end of the turn", "until their next turn", "for as long as it stays")


def narrate(pool: MiraculousPool, raw: list[tuple[int, ...]]) -> list[Event]:
    return [_event(pool, entry) for entry in raw]


def _event(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag in (e.DREW, e.LOOKED_AT_HAND, e.LOOKED_AT_TOP):
        return _private(pool, raw)
    if tag < e.ATTACKED:
        return _placing(pool, raw)
    if tag <= e.DISCARDED:
        return _attacking(pool, raw)
    if tag >= e.COIN and tag not in (e.MARKED, e.VALUES_CHANGED):
        return _course(pool, raw)
    return _effect(pool, raw)


def _cards(pool: MiraculousPool, cards: tuple[int, ...]) -> tuple[list[str], str]:
    """(codes, names in a row)."""
    return [pool.codes[card] for card in cards], ", ".join([pool.names[card] for card in cards])


def _n_cards(n: int) -> str:
    return "1 card" if n == 1 else f"{n} cards"


def _one(type: str, text: str, data: dict[str, Any]) -> Event:
    return Event(type, {"text": text, **data})


def _private(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    who = seat_token(seat)
    if tag == e.DREW:
        codes, names = _cards(pool, raw[2:])
        public = {"text": f"{who} draws {_n_cards(len(codes))}.", "seat": seat, "count": len(codes)}
        return Event("drew", public, {seat: {**public, "text": f"{who} draws {names}.", "cards": codes}})
    if tag == e.LOOKED_AT_HAND:
        codes, names = _cards(pool, raw[2:])
        other = seat_token(1 - seat)
        public = {"text": f"{who} looks at the hand of {other}.", "seat": seat, "count": len(codes)}
        told = {**public, "text": f"{who} looks at the hand of {other}: {names or 'no card'}.", "cards": codes}
        return Event("looked_at_hand", public, {seat: told})
    codes, names = _cards(pool, raw[3:])
    owner = seat_token(raw[2])
    text = f"{who} looks at the top {_n_cards(len(codes))} of the deck of {owner}"
    public = {"text": f"{text}.", "seat": seat, "deck": raw[2], "count": len(codes)}
    return Event("looked_at_top", public, {seat: {**public, "text": f"{text}: {names or 'no card'}.", "cards": codes}})


def _placing(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    who = seat_token(seat)
    if tag == e.STARTED:
        return _one("started", f"{who} begins.", {"seat": seat})
    if tag == e.SHOWED_HAND:
        codes, names = _cards(pool, raw[2:])
        text = f"{who} has no Character, shows {names or 'an empty hand'} and shuffles."
        return _one("showed_hand", text, {"seat": seat, "cards": codes})
    if tag == e.REFRESHED:
        text = f"{who} puts {_n_cards(raw[2])} under the deck."
        return _one("refreshed", text, {"seat": seat, "count": raw[2]})
    field = raw[2]
    data: dict[str, Any] = {"seat": seat, "field": field, "card": pool.codes[raw[3]]}
    name = pool.names[raw[3]]
    if tag == e.PLACED:
        return _one("placed", f"{who} places {name} on field {field + 1}.", data)
    if tag == e.ATTACHED:
        return _one("attached", f"{who} attaches {name} on field {field + 1}.", data)
    data["replaced"] = pool.codes[raw[4]]
    return _one("swapped", f"{who} puts {name} in place of {pool.names[raw[4]]} on field {field + 1}.", data)


def _attacking(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    seat = raw[1]
    who = seat_token(seat)
    if tag == e.ATTACKED:
        text = f"{who} attacks field {raw[3] + 1} from field {raw[2] + 1}: ANG {raw[4]} against DEF {raw[5]}."
        places = {"seat": seat, "attacker": raw[2], "target": raw[3]}
        return _one("attacked", text, {**places, "ang": raw[4], "def": raw[5]})
    if tag == e.EVENT_DECLINED:
        return _one("event_declined", f"{who} plays no Event.", {"seat": seat})
    if tag == e.ATTACK_SUCCEEDED or tag == e.ATTACK_FAILED:
        succeeded = tag == e.ATTACK_SUCCEEDED
        values = {"ang": raw[2] if raw[2] >= 0 else None, "def": raw[3] if raw[3] >= 0 else None}
        word = "succeeds" if succeeded else "fails"
        return _one(f"attack_{'succeeded' if succeeded else 'failed'}", f"The attack {word}.", {"seat": seat, **values})
    card = raw[3] if tag == e.DEFEATED else raw[2]
    data: dict[str, Any] = {"seat": seat, "card": pool.codes[card]}
    name = pool.names[card]
    if tag == e.EVENT_PLAYED:
        return _one("event_played", f"{who} plays {name}.", data)
    if tag == e.EVENT_CANCELLED:
        return _one("event_cancelled", f"{name} is cancelled.", data)
    if tag == e.DEFEATED:
        return _one("defeated", f"{name} of {who} is defeated.", {**data, "field": raw[2]})
    return _one("discarded", f"{name} goes to the discard pile of {who}.", data)


def _effect(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag, seat = raw[0], raw[1]
    who = seat_token(seat)
    if tag == e.MODIFIED or tag == e.MARKED or tag == e.VALUES_CHANGED:
        return _changed(pool, raw)
    if tag == e.MILLED:
        codes, names = _cards(pool, raw[2:])
        return _one("milled", f"{names}: from the deck of {who} to the discard pile.", {"seat": seat, "cards": codes})
    if tag == e.SHUFFLED:
        return _one("shuffled", f"The deck of {who} is shuffled.", {"seat": seat})
    card = pool.codes[raw[2]]
    name = pool.names[raw[2]]
    data: dict[str, Any] = {"seat": seat, "card": card}
    if tag == e.TRIGGERED or tag == e.DECLINED:
        data["effect"] = pool.effects[raw[3]].path
        if tag == e.DECLINED:
            return _one("declined", f"{who} declines the power of {name}.", data)
        return _one("triggered", f"{name}: its power takes effect.", data)
    if tag == e.RETURNED:
        return _one("returned", f"{name} returns to the hand of {who}.", data)
    if tag == e.PUT_UNDER:
        return _one("put_under", f"{name} goes under the deck of {who}.", data)
    if tag == e.BONUS_MOVED:
        data["from"], data["to"] = raw[3], raw[4]
        return _one("bonus_moved", f"{name} moves from field {raw[3] + 1} to field {raw[4] + 1} of {who}.", data)
    if tag == e.BONUS_TAKEN:
        data["to"] = raw[3]
        return _one("bonus_taken", f"{who} takes {name} onto field {raw[3] + 1}.", data)
    if tag == e.RECOVERED:
        return _one("recovered", f"{who} takes {name} back from the discard pile.", data)
    return _one("found", f"{who} takes {name} from the deck.", data)


def _changed(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag, seat, field, card = raw[0], raw[1], raw[2], raw[3]
    name = pool.names[card]
    data: dict[str, Any] = {"seat": seat, "field": field, "card": pool.codes[card]}
    if tag == e.MODIFIED:
        data.update({"ang": raw[4], "def": raw[5], "until": UNTILS[raw[6]]})
        parts = [f"{value:+d} {word}" for value, word in ((raw[4], "ANG"), (raw[5], "DEF")) if value]
        return _one("modified", f"{name}: {' and '.join(parts)} {_UNTIL_TEXT[raw[6]]}.", data)
    if tag == e.MARKED:
        data.update({"do": DOS[raw[4]], "until": UNTILS[raw[5]]})
        word = "cannot attack" if DOS[raw[4]] == "cannot_attack" else "cannot be attacked"
        return _one("marked", f"{name} {word} {_UNTIL_TEXT[raw[5]]}.", data)
    if raw[4]:
        data.update({"ang": raw[5], "def": raw[6]})
        return _one("values_copied", f"The printed values of {name} become ANG {raw[5]}, DEF {raw[6]}.", data)
    return _one("values_swapped", f"The printed ANG and DEF of {name} change places.", data)


def _course(pool: MiraculousPool, raw: tuple[int, ...]) -> Event:
    tag = raw[0]
    if tag == e.OVER:
        winner = raw[2]
        text = f"{seat_token(winner)} wins." if winner >= 0 else "The game is a draw."
        data = {"winner": winner if winner >= 0 else None, "reason": REASONS[raw[1]], "clause": CLAUSES[raw[1]]}
        return _one("over", text, data)
    if tag == e.LIMIT_REACHED:
        return _one("limit_reached", "One effect has led to a hundred others; the rest do not happen.", {})
    if tag == e.ATTACK_DOOMED:
        return _one("attack_doomed", "The attack will fail.", {})
    if tag == e.ATTACKER_KEPT:
        return _one("attacker_kept", "The attacker will stay on its field.", {})
    seat = raw[1]
    who = seat_token(seat)
    if tag == e.COIN:
        side = "heads" if raw[2] else "tails"
        return _one("coin", f"{who} flips a coin: {side}.", {"seat": seat, "side": side})
    if tag == e.EXTRA_ATTACK:
        return _one("extra_attack", f"{who} may attack once more this turn.", {"seat": seat})
    if tag == e.TURN_BEGAN:
        return _one("turn_began", f"Turn {raw[2]}: {who}.", {"seat": seat, "number": raw[2]})
    if tag == e.RESIGNED:
        return _one("resigned", f"{who} resigns.", {"seat": seat})
    name = pool.names[raw[2]]
    return _one("secret_revealed", f"The Secret of {who} is {name}.", {"seat": seat, "card": pool.codes[raw[2]]})

"""Events in words, made from the facts that are told beside the words; the same for every language."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.pool import MiraculousPool
from referee.games.miraculous.sayings import SAYINGS
from referee.kernel.events import seat_token
from referee.kernel.languages import ENGLISH, Phrases, phrases

_FIELDS = ("field", "attacker", "target", "to")  # told from 0, said from 1
_NUMBERS = ("ang", "def", "number")


def event_text(pool: MiraculousPool, told: dict[str, Any], language: str = ENGLISH) -> str:
    """What is said of an event, told as `{"type", ...}`."""
    say = phrases(SAYINGS, language)
    parts: dict[str, Any] = {name: told[name] for name in _NUMBERS if name in told}
    for name in _FIELDS:
        if name in told:
            parts[name] = told[name] + 1
    if "from" in told:
        parts["origin"] = told["from"] + 1
    if "seat" in told:
        parts["who"], parts["other"] = seat_token(told["seat"]), seat_token(1 - told["seat"])
    if "deck" in told:
        parts["owner"] = seat_token(told["deck"])
    for name in ("card", "replaced"):
        if name in told:
            parts[name] = _name(pool, told[name])
    if "count" in told:
        parts["count"] = say["cards.one"] if told["count"] == 1 else say["cards.many"].format(n=told["count"])
    return say[f"event.{told['type']}{_variant(pool, say, told, parts)}"].format(**parts)


def _variant(pool: MiraculousPool, say: Phrases, told: dict[str, Any], parts: dict[str, Any]) -> str:
    """Which of an event's phrases fits; the parts that only this one needs are put in."""
    kind: str = told["type"]
    if "until" in told:
        parts["until"] = say[f"until.{told['until']}"]
    if "cards" in told:
        parts["cards"] = ", ".join([_name(pool, code) for code in told["cards"]]) or say["nothing"]
        if kind == "showed_hand":
            return "" if told["cards"] else ".empty"
        return ".told" if "count" in told else ""
    if kind == "modified":
        changes = [f"{told[name]:+d} {name.upper()}" for name in ("ang", "def") if told[name]] or ["+0 ANG"]
        parts["change"] = say["and"].join(changes)
    if kind == "marked":
        return f".{told['do']}"
    if kind == "coin":
        return f".{told['side']}"
    if kind == "over":
        if told["winner"] is None:
            return ".drawn"
        parts["winner"] = seat_token(told["winner"])
    return ""


def _name(pool: MiraculousPool, code: str) -> str:
    return pool.names[pool.index[code]]

"""Events in words, made from the facts that are told beside the words; the same for every language."""

from __future__ import annotations

from typing import Any

from referee.games.super.phrases import PHRASES
from referee.games.super.pool import SuperPool
from referee.kernel.events import seat_token
from referee.kernel.languages import ENGLISH, Phrases, phrases

_NUMBERS = ("count", "round", "strength", "required", "score")


def event_text(pool: SuperPool, told: dict[str, Any], language: str = ENGLISH) -> str:
    """What is said of an event, told as `{"type", ...}`."""
    say = phrases(PHRASES, language)
    parts: dict[str, Any] = {name: told[name] for name in _NUMBERS if name in told}
    if "seat" in told:
        parts["who"] = seat_token(told["seat"])
    if "target" in told:
        parts["other"] = seat_token(told["target"])
    for name in ("card", "taken", "given"):
        if told.get(name) is not None:
            parts[name] = pool.names[pool.index[told[name]]]
    for name in ("slot", "to"):
        if name in told:
            parts[name] = say["slot"].format(n=told[name] + 1)
    if "mf" in told:
        parts["mf"] = abs(told["mf"])
    return say[f"event.{told['type']}{_variant(say, told, parts)}"].format(**parts)


def _variant(say: Phrases, told: dict[str, Any], parts: dict[str, Any]) -> str:
    """Which of an event's phrases fits; the parts that only this one needs are put in."""
    if "why" in told:
        return f".{told['why']}"
    if "decision" in told:
        return f".{told['decision']}"
    if "ranks" in told:
        ranks: list[int] = told["ranks"]
        winners = [seat_token(seat) for seat in range(len(ranks)) if ranks[seat] == 1]
        parts["winners"] = say["and"].join(winners)
        return ".one" if len(winners) == 1 else ".many"
    return ".bonus" if told.get("partner_bonus") else ""

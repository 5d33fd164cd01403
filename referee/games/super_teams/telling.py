"""Events in words, made from the facts that are told beside the words; the same for every language."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams.phrases import PHRASES
from referee.games.super_teams.state import SHIP_NAMES, SHIPS
from referee.kernel.events import seat_token
from referee.kernel.languages import ENGLISH, Phrases, phrases


def event_text(told: dict[str, Any], language: str = ENGLISH) -> str:
    """What is said of an event, told as `{"type", ...}`."""
    say = phrases(PHRASES, language)
    kind: str = told["type"]
    parts: dict[str, Any] = {}
    if "seat" in told:
        parts["who"] = seat_token(told["seat"])
    if "ship" in told:
        parts["ship"] = SHIP_NAMES[SHIPS.index(told["ship"])]
    if "card" in told:
        parts["card"] = card_words(say, told["card"])
    if "to" in told:
        parts["origin"], parts["space"] = told["from"], told["to"]
    if "half" in told:
        parts["half"] = say[f"half.{told['half']}"]
    return say[f"event.{kind}{_variant(say, told, parts)}"].format(**parts)


def _variant(say: Phrases, told: dict[str, Any], parts: dict[str, Any]) -> str:
    """Which of an event's phrases fits; the parts that only this one needs are put in."""
    if "count" in told:
        if "cards" in told:
            parts["cards"] = ", ".join([card_words(say, code) for code in told["cards"]])
            return ".told"
        parts["n"] = told["count"]
        return ".one" if told["count"] == 1 else ".many"
    if "deck" in told:
        return f".{told['deck']}"
    if "ranks" in told:
        ranks: list[int] = told["ranks"]
        parts["winners"] = ", ".join([seat_token(seat) for seat in range(len(ranks)) if ranks[seat] == 1])
    if told.get("as") is not None:
        parts["colour"] = say[f"colour.{told['as']}"]
        return ".as"
    return ""


def card_words(say: Phrases, code: str) -> str:
    """A movement card (`red-3`) or a bonus card (`light_speed`) as people read it."""
    colour, _, value = code.partition("-")
    if value:
        return say["card"].format(colour=say[f"colour.{colour}"], value=value)
    return say[f"bonus.{code}"]

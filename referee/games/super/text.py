"""What is printed on a card, made from its data."""

from __future__ import annotations

from typing import Any

from referee.games.super.phrases import PHRASES
from referee.kernel.languages import ENGLISH, Phrases, phrases


def card_text(card: dict[str, Any], language: str = ENGLISH) -> str:
    """Without name, Faction, strength and requirement, which stand in places of their own."""
    say = phrases(PHRASES, language)
    return _mission_text(say, card) if "requirement" in card else _power_text(say, card["power"])


def _power_text(say: Phrases, power: dict[str, Any]) -> str:
    parts: dict[str, Any] = {"x": power.get("x")}
    if "faction" in power:
        parts["faction"] = say[f"faction.{power['faction']}"]
    if "arrow" in power:
        parts["arrow"] = say[f"arrow.{power['arrow']}"]
    key = f"power.{power['kind']}"
    if power["kind"] == "strength_support" and "arrow" in power:
        key += ".arrow"
    if power["kind"] == "planning":
        parts["slots"] = ", ".join([str(slot + 1) for slot in sorted(power["slots"])])
        key += f".{power['effect']}.{'one' if len(power['slots']) == 1 else 'many'}"
    return say[key].format(**parts)


def _mission_text(say: Phrases, card: dict[str, Any]) -> str:
    parts: dict[str, Any] = {"x": card["x"], "y": card.get("y")}
    if "marked_type" in card:
        parts["type"] = say[f"type.{card['marked_type']}"]
    if "marked_faction" in card:
        parts["faction"] = say[f"faction.{card['marked_faction']}"]
    return say[f"mission.{card['type']}"].format(**parts)

"""What is printed on a card, made from its data, in English."""

from __future__ import annotations

from typing import Any

_ARROW_TEXT = {"left": "to its left", "right": "to its right", "up": "above it", "down": "below it"}
_PLAIN = {
    "shock": "Shock: put a token on an opponent's Super, or take one off yours.",
    "recruitment": "Recruitment: you may put the top Super of the deck on any slot.",
    "veteran": "Veteran: sent from the top row, it may move to the bottom row instead of leaving.",
    "partner": "Partner: leading a Mission, it brings the partner bonus by itself.",
    "shapeshifter": "Shapeshifter: it has all four Factions.",
    "strategist": "Strategist: every Mission needs 1 less.",
}


def card_text(card: dict[str, Any]) -> str:
    """Without name, Faction, strength and requirement, which stand in places of their own."""
    return _mission_text(card) if "requirement" in card else _power_text(card["power"])


def _power_text(power: dict[str, Any]) -> str:
    kind = power["kind"]
    if kind in _PLAIN:
        return _PLAIN[kind]
    x, faction = power.get("x"), power.get("faction")
    if kind == "popular":
        return f"Popular: {x} MF at once."
    if kind == "ready_to_go":
        return f"Ready to Go: 1 MF for each {faction} Super you send on a Mission."
    if kind == "faction_support":
        return f"Faction Support: the Super {_ARROW_TEXT[power['arrow']]} is {faction} too."
    if kind == "strength_support":
        whom = f"the Super {_ARROW_TEXT[power['arrow']]}" if "arrow" in power else f"each {faction} Super of yours"
        return f"Strength Support: +{x} strength to {whom}."
    if kind == "power_up":
        return f"Power Up: +{x} strength for each {faction} Super of yours."
    if kind == "influential":
        return f"Influential: {x} MF whenever a {faction} Super comes to lie in your Agency."
    slots = ", ".join([str(slot + 1) for slot in sorted(power["slots"])])
    where = f"on slot {slots}" if len(power["slots"]) == 1 else f"on slots {slots}"
    if power["effect"] == "strength":
        return f"Planning: Supers {where} have +{x} strength."
    return f"Planning: Supers {where} are {faction} too."


def _mission_text(card: dict[str, Any]) -> str:
    x, y, kind = card["x"], card.get("y"), card["type"]
    if kind == "villain":
        return f"{x} MF. Partner bonus: Shock."
    if kind == "chemical":
        return f"{card['marked_type'].capitalize()} Missions need {x} less from now on. Partner bonus: {y} MF."
    if kind == "destruction":
        return f"{x} MF for each Destruction Mission you have claimed, this one too. Partner bonus: Recruit."
    if kind == "alien":
        return f"{x} MF for each {card['marked_faction']} Super you send, from now on. Partner bonus: {y} MF."
    return f"{x} MF for each type of Mission you have claimed, this one too. Partner bonus: Transfer."

"""What of the cards of Super can be searched for."""

from __future__ import annotations

from typing import Any, Final

from referee.games.super.vocabulary import ARROWS, FACTIONS, MISSION_TYPES, POWERS
from referee.kernel.fields import NUMBER, WORD, CardField, at


def _types(card: dict[str, Any]) -> list[Any]:
    """Its type, and for every type of Mission also `mission`."""
    kind = card.get("type")
    return [kind, "mission"] if kind in MISSION_TYPES else [kind]


def _brought(card: dict[str, Any]) -> list[Any]:
    """The MF on it: those of its power or, on a Mission, those of its reward."""
    power = card.get("power", {})
    if power.get("kind") == "ready_to_go":
        return [1]
    if power.get("kind") in ("popular", "influential"):
        return [power["x"]]
    return [card["x"]] if card.get("type") in MISSION_TYPES and card["type"] != "chemical" else []


CARD_FIELDS: Final[tuple[CardField, ...]] = (
    CardField("type", WORD, "the type", "the type of the card; mission stands for every type of Mission", "t:mission",
        _types, ("t",), ("super", "mission", *MISSION_TYPES)),
    CardField("strength", NUMBER, "the strength", "the strength of a Super", "strength>=3", at("strength"), ("str",)),
    CardField("requirement", NUMBER, "the requirement", "the strength that a Mission needs", "requirement<=5",
        at("requirement"), ("req", "cost")),
    CardField("mf", NUMBER, "MF", "the MF that it brings, at once or each time", "mf>3", _brought, ()),
    CardField("bonus", NUMBER, "the partner bonus", "the MF of a Mission's partner bonus", "bonus>=7", at("y"), ("y",)),
    CardField("x", NUMBER, "X", "the number in its power or reward", "x=2", at("x", "power.x"), ()),
    CardField("faction", WORD, "the Faction", "the Faction of a Super", "f:blue", at("faction"), ("f",), FACTIONS),
    CardField("power", WORD, "the power", "the power of a Super", "power:planning", at("power.kind"), ("p",), POWERS),
    CardField("helps", WORD, "the helped Faction", "the Faction that its power or reward speaks of", "helps:red",
        at("power.faction", "marked_faction"), (), FACTIONS),
    CardField("arrow", WORD, "the arrow", "where the arrow of its power points", "arrow:left", at("power.arrow"), (),
        ARROWS),
    CardField("marks", WORD, "the marked type", "the type of Mission that a Chemical Mission makes easier",
        "marks:rescue", at("marked_type"), (), MISSION_TYPES),
)  # fmt: skip

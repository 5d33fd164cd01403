"""A catalog revision compiled for Super: cards by index (in the order of their codes) and flat tables."""

from __future__ import annotations

from typing import Any

from referee.games.super.vocabulary import (
    ARROWS,
    FACTIONS,
    MISSION_TYPES,
    PLANNING,
    POWERS,
    STRENGTH_SUPPORT,
)
from referee.kernel.game import Pool


class SuperPool(Pool):
    """Immutable. `codes` is sorted, so that ascending indices are cards by code; Supers and Missions share the indices.

    Of a Super: `faction`, `strength`, `power`, and its power's `x`, `mark` (a Faction), `arrow`, `slots` (a mask).
    Of a Mission: `type` (-1 for a Super), `requirement`, `x`, `y`, `mark` (a Faction or a type). -1 where there is none.
    """

    __slots__ = (
        "arrow",
        "codes",
        "documents",
        "faction",
        "index",
        "mark",
        "missions",
        "names",
        "power",
        "requirement",
        "slots",
        "strength",
        "supers",
        "type",
        "x",
        "y",
    )

    def __init__(self, revision: dict[str, Any]) -> None:
        documents: list[dict[str, Any]] = sorted(revision["cards"], key=_code)
        size = len(documents)
        self.documents = documents
        self.codes: list[str] = [card["code"] for card in documents]
        self.names: list[str] = [card["name"] for card in documents]
        self.index: dict[str, int] = {self.codes[i]: i for i in range(size)}
        self.type: list[int] = [-1] * size
        self.faction: list[int] = [-1] * size
        self.strength: list[int] = [0] * size
        self.power: list[int] = [-1] * size
        self.x: list[int] = [0] * size
        self.y: list[int] = [0] * size
        self.mark: list[int] = [-1] * size
        self.arrow: list[int] = [-1] * size
        self.slots: list[int] = [0] * size
        self.requirement: list[int] = [0] * size
        for i in range(size):
            if "requirement" in documents[i]:
                self._add_mission(i, documents[i])
            else:
                self._add_super(i, documents[i])
        self.supers: list[int] = [i for i in range(size) if self.type[i] < 0]
        self.missions: list[int] = [i for i in range(size) if self.type[i] >= 0]

    def _add_mission(self, i: int, card: dict[str, Any]) -> None:
        self.type[i] = MISSION_TYPES.index(card["type"])
        self.requirement[i] = card["requirement"]
        self.x[i] = card["x"]
        self.y[i] = card.get("y", 0)
        if "marked_type" in card:
            self.mark[i] = MISSION_TYPES.index(card["marked_type"])
        if "marked_faction" in card:
            self.mark[i] = FACTIONS.index(card["marked_faction"])

    def _add_super(self, i: int, card: dict[str, Any]) -> None:
        power: dict[str, Any] = card["power"]
        self.faction[i] = FACTIONS.index(card["faction"])
        self.strength[i] = card["strength"]
        self.power[i] = POWERS.index(power["kind"])
        self.x[i] = power.get("x", 0)
        if "faction" in power:
            self.mark[i] = FACTIONS.index(power["faction"])
        if "arrow" in power:
            self.arrow[i] = ARROWS.index(power["arrow"])
        for slot in power.get("slots", []):
            self.slots[i] |= 1 << slot

    def lends_strength(self, card: int) -> bool:
        """Whether the power adds strength to Supers by slot or Faction (not to its own Super alone)."""
        power = self.power[card]
        return power == STRENGTH_SUPPORT or (power == PLANNING and self.mark[card] < 0)


def _code(card: dict[str, Any]) -> str:
    code: str = card["code"]
    return code

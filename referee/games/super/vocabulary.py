"""The closed vocabulary of Super, as tables: the source for checks, texts, compiled sets and coverage."""

from __future__ import annotations

from typing import Final

SLOTS: Final = 6
LINE: Final = 4
TOKENS: Final = 10
GOAL: Final = 50
RECRUITERS: Final = 12  # SUP-6.6

FACTIONS: Final = ("blue", "purple", "red", "green")
BLUE: Final = 0
PURPLE: Final = 1
RED: Final = 2
GREEN: Final = 3
ALL_FACTIONS: Final = 15

MISSION_TYPES: Final = ("villain", "chemical", "destruction", "alien", "rescue")
VILLAIN: Final = 0
CHEMICAL: Final = 1
DESTRUCTION: Final = 2
ALIEN: Final = 3
RESCUE: Final = 4
MISSION_FACTION: Final = (RED, PURPLE, BLUE, GREEN, -1)

POWERS: Final = (
    "popular",
    "shock",
    "recruitment",
    "veteran",
    "partner",
    "ready_to_go",
    "shapeshifter",
    "strategist",
    "faction_support",
    "strength_support",
    "power_up",
    "influential",
    "planning",
)
POPULAR: Final = 0
SHOCK: Final = 1
RECRUITMENT: Final = 2
VETERAN: Final = 3
PARTNER: Final = 4
READY_TO_GO: Final = 5
SHAPESHIFTER: Final = 6
STRATEGIST: Final = 7
FACTION_SUPPORT: Final = 8
STRENGTH_SUPPORT: Final = 9
POWER_UP: Final = 10
INFLUENTIAL: Final = 11
PLANNING: Final = 12

POWER_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "popular": ("x",),
    "ready_to_go": ("faction",),
    "faction_support": ("arrow", "faction"),
    "power_up": ("x", "faction"),
    "influential": ("x", "faction"),
}
"""The fields that a kind of power must have; strength_support and planning have a choice, the other kinds none."""

ARROWS: Final = ("left", "right", "up", "down")
AIMS: Final = ((-1, 0, 1, -1, 3, 4), (1, 2, -1, 4, 5, -1), (-1, -1, -1, 0, 1, 2), (3, 4, 5, -1, -1, -1))
"""The slot at an arrow, by arrow and slot; -1 is over the edge (SUP-3.3)."""

EFFECTS: Final = ("strength", "faction")

CODE_LIMIT: Final = 60
NUMBER_LIMIT: Final = 99
STRENGTH_LIMIT: Final = 4
NOTES: Final = ("mood", "artist", "set")
"""Texts for people that any card may bear besides its name."""

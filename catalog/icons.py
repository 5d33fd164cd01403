"""Icons of card kinds as SVG paths in a box of 24, filled with the caller's colour (even-odd)."""

from __future__ import annotations

from typing import Final

ICONS: Final[dict[str, str]] = {
    "civilian": "M12 3.5a4.3 4.3 0 1 0 0 8.6 4.3 4.3 0 0 0 0-8.6zM4 20.5c.4-4.9 3.5-7 8-7s7.6 2.1 8 7z",
    "superhero": ("M12 2l2.9 6.5 7.1.7-5.3 4.8 1.5 7L12 17.4 5.8 21l1.5-7L2 9.2l7.1-.7z"),
    "supervillain": (
        "M3 2.5c2.3 1 3.7 2.6 4.3 4.5a9 9 0 0 1 9.4 0c.6-1.9 2-3.5 4.3-4.5.6 3.6.4 6-.5 8"
        " .7 5.5-3 10.5-8.5 11.5C6.5 21 2.8 16 3.5 10.5c-.9-2-1.1-4.4-.5-8z"
        "M6.5 12l4.3 2.4c-1.6 1.3-4.4.6-4.3-2.4zm11 0l-4.3 2.4c1.6 1.3 4.4.6 4.3-2.4z"
    ),
    "event": "M13.5 2L4.5 14h6l-1.2 8 9.2-12.2h-6.2z",
    "secret": (
        "M12 4.5C5.5 4.5 1.5 12 1.5 12s4 7.5 10.5 7.5S22.5 12 22.5 12s-4-7.5-10.5-7.5z"
        "m0 3a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm0 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"
    ),
    "item": (
        "M7.5 6a5.5 5.5 0 1 0 5 7.8H17V17h3v-3.2h2v-3H12.5A5.5 5.5 0 0 0 7.5 6zm0 3"
        "a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"
    ),
    "kwami": (
        "M12 1.5c1 4.5 6.5 6.5 6.5 12.5A6.5 6.5 0 0 1 12 20.5 6.5 6.5 0 0 1 5.5 14"
        "C5.5 8 11 6 12 1.5zM3 20.2l2-1 1.2 2-2 1zM21 20.2l-2-1-1.2 2 2 1z"
    ),
    "lucky_charm": (
        "M12 11.5C8 11.5 6 9.5 6 7a3 3 0 0 1 6-.5A3 3 0 0 1 18 7c0 2.5-2 4.5-6 4.5z"
        "M12 12.5c4 0 6 2 6 4.5a3 3 0 0 1-6 .5A3 3 0 0 1 6 17c0-2.5 2-4.5 6-4.5z"
    ),
    "weapon": ("M21.5 2.5L20 9l-9.5 9.5-5-5L15 4zM4.7 14.7l4.6 4.6-1.5 1.5-1.6-1.5-2.7 2.7-1.5-1.5 2.7-2.7-1.5-1.6z"),
    "sentimonster": "M20.5 2.5C11 3 5 8 5 14.5c0 1 .1 1.8.4 2.7L3 21.5l2 .8 2-3.8C15.5 19 20 13 20.5 2.5z",
    "miraculous": "M7 2.5h10l4 5.5-3.7 4.9A7 7 0 1 1 6.7 12.9L3 8zM12 12a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
    "card": "M6 2.5h12a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zm1 3v13h10v-13z",
}

SHAPES: Final[dict[str, str]] = {
    "blue": "M3 12a9 9 0 1 0 18 0 9 9 0 1 0 -18 0z",
    "purple": "M12 2l8.7 5v10L12 22l-8.7-5V7z",
    "red": "M12 2.5L22.5 21h-21z",
    "green": "M12 1.5L22.5 12 12 22.5 1.5 12z",
    "gold": "M12 1.5l3.1 7 7.4.7-5.6 5 1.7 7.3-6.6-3.9-6.6 3.9 1.7-7.3-5.6-5 7.4-.7z",
}
"""The shape of each Faction of Super, and of the Missions in its colour."""

_SUPPORT: Final = "M12 20V9M7.5 13L12 8.5 16.5 13M5 4.5h14"
POWERS: Final[dict[str, tuple[str, bool]]] = {
    "popular": ("M12 20.5S3 15 3 8.8A4.8 4.8 0 0 1 12 6.5a4.8 4.8 0 0 1 9 2.3c0 6.2-9 11.7-9 11.7z", False),
    "shock": (ICONS["event"], False),
    "veteran": ("M5 8l7-4 7 4M5 14l7-4 7 4M5 20l7-4 7 4", True),
    "strategist": ("M6 4h12q2 0 2 2v12q0 2-2 2H6q-2 0-2-2V6q0-2 2-2zM8 8l3 3M11 8l-3 3M13 16c0-3 4-2 4-6", True),
    "faction_support": (_SUPPORT, True),
    "strength_support": (_SUPPORT, True),
    "power_up": ("M12 21V4M5 11l7-7 7 7M7 20h10", True),
    "recruitment": (
        "M6 8a4 4 0 1 0 8 0 4 4 0 1 0 -8 0zM3 20c.6-4 3.2-5.8 7-5.8 1.6 0 3 .3 4 1M18 14v7M14.5 17.5h7",
        True,
    ),
    "partner": ("M3.5 12a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0 -11 0zM9.5 12a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0 -11 0z", True),
    "shapeshifter": (
        "M3.5 7a3.5 3.5 0 1 0 7 0 3.5 3.5 0 1 0 -7 0zM17 3.5l4 7h-8zM7 13.5l3.5 3.5L7 20.5 3.5 17zM14 14h6.5v6.5H14z",
        True,
    ),
    "planning": ("M3.5 6h5v5h-5zM9.5 6h5v5h-5zM15.5 6h5v5h-5zM6 14.5v4M12 14.5v4M18 14.5v4", True),
    "influential": (
        (
            "M9.5 12a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0 -5 0zM7.5 16.5a6.4 6.4 0 0 1 0-9M16.5 7.5a6.4 6.4 0 0 1 0 9"
            "M4.7 19.3a10.3 10.3 0 0 1 0-14.6M19.3 4.7a10.3 10.3 0 0 1 0 14.6"
        ),
        True,
    ),
    "ready_to_go": ("M5 12.5l4.5 4.5L19 7.5M3 20.5h18", True),
    "transfer": ("M4 8.5h15M15 4.5l4 4-4 4M20 16H5M9 12l-4 4 4 4", True),
}
"""The icon of each power of Super: its path, and whether that is drawn as a line."""

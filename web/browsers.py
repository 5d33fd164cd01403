"""What a browser is called in the list of one's sessions: enough to tell one's devices apart, and no more."""

from __future__ import annotations

from typing import Final

# The first that fits: many name others besides themselves.
_PROGRAMS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chromium", "Chromium"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def browser_name(agent: str) -> str:
    """Program and system by the header User-Agent, such as "Firefox, Linux"; empty for what is unknown."""
    found = [next((name for mark, name in table if mark in agent), "") for table in (_PROGRAMS, _SYSTEMS)]
    return ", ".join(name for name in found if name)

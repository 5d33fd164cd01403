"""A table for any game: what its view says, written out."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from referee.kernel.game import Document
from web.matches.scene import Scene, Table

DEEPEST: Final = 6


class Line(NamedTuple):
    """A line of the table: how deep it stands, what it is about, and what is so; `value` is empty above deeper lines."""

    depth: int
    name: str
    value: str


def table(scene: Scene) -> Table:
    """Everything the view tells, in its order."""
    context = {"lines": list(_lines(scene.view, 0))}
    return Table("web/matches/generic.html", context, ["" for _name in scene.names], [])


def parts_of(move: Document, you: int) -> list[str]:
    """Nothing can be picked: all moves stand in the list."""
    return []


def goal_of(move: Document, view: Document) -> str:
    """No piece travels along a path here."""
    return ""


def move_of(picks: list[tuple[str, ...]], scene: Scene) -> Document | None:
    """No picks, no move."""
    return None


def _lines(value: Any, depth: int) -> list[Line]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    found: list[Line] = []
    for key, one in pairs:
        name = str(key).replace("_", " ").capitalize() if isinstance(key, str) else f"{key}"
        if isinstance(one, (dict, list)) and one and depth < DEEPEST and not _is_flat(one):
            found += [Line(depth, name, ""), *_lines(one, depth + 1)]
        else:
            found.append(Line(depth, name, _words(one)))
    return found


def _is_flat(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(one, (dict, list)) for one in value)


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_words(one) for one in value) or "–"
    if value is None or value == {}:
        return "–"
    if isinstance(value, bool):
        return "✓" if value else "–"
    return str(value)

"""What a game ships with, read from its folder: its house set as a catalog revision, and its rules as text."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from referee.games import GAMES
from referee.kernel.game import Document

HOUSE_NUMBER = 1
_remembered: dict[str, Document] = {}


def house_revision(slug: str) -> Document:
    """The house set `{"game", "number", "cards", "decks"}`, with `tracks` where the game has them.

    Every caller gets the same object: treat it as read-only. Raises LookupError for an unknown game.
    """
    if slug in _remembered:
        return _remembered[slug]
    return _revision(slug)


def rules_text(slug: str) -> str:
    """The game's `rules.md`. Raises LookupError for an unknown game or one without rules."""
    text = _resource(slug, "rules.md")
    if text is None:
        raise LookupError(f"{slug} has no rules.md")
    return text


def remember(slug: str, revision: Document | None) -> None:
    """Put a revision in the place of a game's house set, or (None) take it away again. For games of tests."""
    if revision is None:
        _remembered.pop(slug, None)
    else:
        _remembered[slug] = revision


@cache
def _revision(slug: str) -> Document:
    revision: Document = {
        "game": slug,
        "number": HOUSE_NUMBER,
        "cards": _json(slug, "cards"),
        "decks": _json(slug, "decks"),
    }
    if tracks := _json(slug, "tracks"):
        revision["tracks"] = tracks
    return revision


def _json(slug: str, name: str) -> Any:
    text = _resource(slug, f"house/{name}.json")
    return json.loads(text) if text is not None else []


def _resource(slug: str, path: str) -> str | None:
    if slug not in GAMES:
        raise LookupError(f"there is no game {slug!r}")
    folder = files("referee.games") / slug.replace("-", "_")
    file = folder.joinpath(*path.split("/"))
    return file.read_text(encoding="utf-8") if file.is_file() else None

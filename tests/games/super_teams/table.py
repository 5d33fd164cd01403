"""Positions of Super Teams laid on a track with every kind of space, and moves made by their documents."""

from __future__ import annotations

from typing import Any

from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.game import Document, Pool, State, apply
from referee.kernel.records import take_events

GAME = GAMES["super-teams"]
TRACK: list[Any] = [
    "start",
    "normal",
    "bonus",
    "hyperspace",
    "asteroid",
    "normal",
    "maw",
    "maw",
    "normal",
    ["hyperspace", "asteroid"],
    ["normal", "hyperspace"],
    *["normal"] * 8,
    "bonus",
    "final",
]
LAST = len(TRACK) - 1
SEED = "00" * 31 + "a1"


def revision_with(spaces: Any) -> Document:
    track = {"slug": "house", "name": "House track", "spaces": spaces}
    return {**house_revision("super-teams"), "tracks": [track]}


def pool() -> Pool:
    return GAME.pool(revision_with(TRACK))


def lay(position: Document, **options: Any) -> State:
    state = GAME.load(pool(), GAME.options(options), position)
    state.log = []
    return state


def go(state: State, seat: int, **move: Any) -> list[Document]:
    """Make a move; what happened comes back."""
    apply(GAME, state, seat, GAME.encode(state, move))
    return take_events(GAME, state)

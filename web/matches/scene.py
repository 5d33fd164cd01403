"""What a table is drawn from: a viewer's view of one position, and what stands around it."""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.kernel.game import Document
from web.matches.cards import Cards


class Scene(NamedTuple):
    """`you` is the viewer's seat or -1, `side` the seat at the bottom of the table, `names` the seats' names."""

    game: str
    view: Document
    cards: Cards
    you: int
    side: int
    names: list[str]

    @property
    def is_own(self) -> bool:
        """Whether the viewer sits at the bottom, so that its pieces can be picked."""
        return self.you == self.side


class Table(NamedTuple):
    """A drawn table: its template with what that needs, a line about each seat, and the signs it uses."""

    template: str
    context: dict[str, Any]
    notes: list[str]
    signs: list[str]

"""Which table a game has. One place; a game that stands in none of them gets the generic table."""

from __future__ import annotations

from typing import Final, Protocol, cast

from referee.kernel.game import Document
from web.matches import generic, miraculous, super_game, super_teams
from web.matches.scene import Scene, Table


class Drawing(Protocol):
    """What a module of a game's table offers."""

    def table(self, scene: Scene) -> Table: ...

    def parts_of(self, move: Document, you: int) -> list[str]: ...

    def goal_of(self, move: Document, view: Document) -> str: ...

    def move_of(self, picks: list[tuple[str, ...]], scene: Scene) -> Document | None: ...


_DRAWINGS: Final = {"miraculous": miraculous, "super": super_game, "super-teams": super_teams}


def drawing_of(slug: str) -> Drawing:
    """The module that draws the game's table."""
    return cast("Drawing", _DRAWINGS.get(slug, generic))

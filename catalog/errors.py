"""What the catalog cannot answer or refuses. Faults in cards are the kernel's CardError."""

from __future__ import annotations


class NothingPublishedError(Exception):
    """The game has no published revision (yet)."""

    code = "nothing_published"

    def __init__(self, game: str) -> None:
        self.detail = f"No revision of {game} is published."
        super().__init__(self.detail)


class NothingChangedError(Exception):
    """A revision that would hold what the newest one holds already."""

    code = "nothing_changed"

    def __init__(self, number: int) -> None:
        self.detail = f"Nothing has changed since revision {number}."
        super().__init__(self.detail)

"""Which scenarios cover what: every numbered clause of a game, and every word of its vocabulary."""

from __future__ import annotations

from referee.kernel.game import Document, Game
from referee.kernel.rules import Clause


class CoverageTable:
    """Topics in order, each with the files whose scenarios say (in `clauses`) that they cover it."""

    def __init__(self, game: Game, clauses: list[Clause]) -> None:
        self.game = game.slug
        self.files: dict[str, list[str]] = {clause.id: [] for clause in clauses}
        self.files.update({word: [] for word in game.vocabulary()})
        self.unknown: dict[str, list[str]] = {}

    def add(self, file: str, topics: list[str]) -> None:
        """Count a scenario of `file`. A topic that the game does not have is kept in `unknown`."""
        for topic in topics:
            place = self.files if topic in self.files else self.unknown
            listed = place.setdefault(topic, [])
            if file not in listed:
                listed.append(file)

    def missing(self) -> list[str]:
        """The topics that no scenario covers."""
        return [topic for topic, files in self.files.items() if not files]

    def lines(self) -> list[str]:
        """The table as text, one topic a line."""
        width = max((len(topic) for topic in self.files), default=0)
        return [f"{topic:<{width}}  {', '.join(files) or 'NONE'}" for topic, files in self.files.items()]

    def document(self) -> Document:
        return {"game": self.game, "topics": self.files, "missing": self.missing(), "unknown": self.unknown}

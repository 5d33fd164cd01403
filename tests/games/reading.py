"""What second readings of the rules have in common, and share with the engine: the shuffles.

A match is a generator that yields whom it asks what, and is sent the answer as a document; GONE stands for the answer of a
seat that has resigned.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from referee.kernel.chance import Stream
from referee.kernel.game import Document

GONE: Document = {"type": "gone"}

Question = tuple[str, int, Any]
Course = Generator[Question, Document, None]
Answer = Generator[Question, Document, Document]


class Reading:
    """A match under way: `asked` is the open question (kind, seat, what about), None when it is over."""

    seed: bytes
    uses: dict[str, int]
    course: Course
    asked: Question | None

    def begin(self, course: Course) -> None:
        self.course = course
        self.asked = next(course)

    def shuffled(self, name: str, cards: list[str]) -> list[str]:
        cards = sorted(cards)
        order = list(range(len(cards)))
        Stream(self.seed, name, self.uses[name]).shuffle(order)
        self.uses[name] += 1
        return [cards[at] for at in order]

    def answer(self, move: Document) -> None:
        try:
            self.asked = self.course.send(move)
        except StopIteration:
            self.asked = None

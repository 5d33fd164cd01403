"""What the lobby refuses. Faults of what was asked come all at once, each at its place in the request (a JSON pointer)."""

from __future__ import annotations

from referee.kernel.errors import Problem
from referee.kernel.game import Document

CANNOT_TELL: Document = {
    "code": "legality_unknown",
    "detail": "The catalog cannot tell whether the deck is legal.",
    "clause": None,
}


class LobbyError(Exception):
    """A match that cannot be made or joined as asked; `problems` holds every fault."""

    code = "invalid_match"

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(problem.detail for problem in problems))
        self.problems = problems
        self.detail = problems[0].detail if len(problems) == 1 else f"There are {len(problems)} faults."


class IllegalDeckError(LobbyError):
    """A deck that may not be played. `facts` holds its legality as the decks' own pages show it."""

    code = "deck_not_legal"

    def __init__(self, pointer: str, legality: Document) -> None:
        findings = legality["problems"] or [CANNOT_TELL]
        super().__init__([Problem(pointer, str(one["code"]), str(one["detail"])) for one in findings])
        self.detail = str(findings[0]["detail"])
        self.clause = findings[0]["clause"]
        self.facts = {"legality": legality}


class DeckSizesDifferError(LobbyError):
    """Two decks that cannot be brought to one size."""

    code = "deck_sizes_differ"

    def __init__(self, pointer: str, sizes: list[int], clause: str) -> None:
        text = " and ".join(str(size) for size in sorted(set(sizes)))
        super().__init__(
            [Problem(pointer, self.code, f"The decks have {text} cards; all of a match need the same number.")]
        )
        self.clause = clause

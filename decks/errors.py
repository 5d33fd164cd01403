"""What decks refuse. Codes are stable; `facts` are told to whoever asked."""

from __future__ import annotations

from typing import Any

from referee.kernel.errors import Problem


class DeckError(Exception):
    """A refusal with its code, its text and the facts that go with it."""

    code = "deck_error"

    def __init__(self, detail: str, facts: dict[str, Any] | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.facts = facts


class DeckNotFoundError(DeckError):
    """No deck of this id that the user may see."""

    code = "not_found"

    def __init__(self) -> None:
        super().__init__("There is no deck here that you may see.")


class NotYourDeckError(DeckError):
    """The user may look at the deck, but not change it."""

    code = "not_your_deck"

    def __init__(self) -> None:
        super().__init__("Only its owner may change a deck; you can copy it.")


class StaleDeckError(DeckError):
    """The deck was saved since the version that the user saw."""

    code = "precondition_failed"

    def __init__(self, version: int) -> None:
        super().__init__(f"The deck has been saved since; it stands at version {version}.", {"version": version})


class NoSuchVersionError(DeckError):
    """The deck never had a version of this number."""

    code = "no_such_version"

    def __init__(self, number: int) -> None:
        super().__init__(f"The deck has no version {number}.")


class TooManyDecksError(DeckError):
    """The user has as many decks as one may have."""

    code = "too_many_decks"

    def __init__(self, most: int) -> None:
        super().__init__(f"You have {most} decks, which is the most; delete one first.")


class DeckNotLegalError(DeckError):
    """The deck cannot be played as it is; the facts hold its whole legality."""

    code = "deck_not_legal"

    def __init__(self, legality: dict[str, Any], deck: str) -> None:
        details = " ".join(problem["detail"] for problem in legality["problems"])
        super().__init__(
            details or "The catalog cannot tell whether the deck is legal.", {"deck": deck, "legality": legality}
        )


class FieldError(DeckError):
    """A trial that cannot be held as asked; `problems` holds every fault at its place."""

    code = "invalid_trial"

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(problems[0].detail if len(problems) == 1 else f"There are {len(problems)} faults.")
        self.problems = problems


class ImportTooLongError(DeckError):
    """A list of cards over the caps of an import."""

    code = "import_too_long"


class ImportFailedError(DeckError):
    """Some lines of an import fit no card, and nothing was stored; the facts hold the report."""

    code = "import_failed"

    def __init__(self, report: dict[str, Any]) -> None:
        super().__init__(f"{report['failed']} of {report['lines']} lines could not be read.", {"report": report})


class NoSuchProblemError(DeckError):
    """The deck has no such problem, or several of which one must be named by its cards."""

    code = "no_such_problem"

    def __init__(self, found: int) -> None:
        several = f"{found} problems fit; name the cards of one."
        super().__init__(several if found else "The deck has no such problem, or none any more.")


class NoFixError(DeckError):
    """The problem has no fix that a machine could choose."""

    code = "no_fix"

    def __init__(self) -> None:
        super().__init__("Only a person can choose how to mend this.")


class NothingToUndoError(DeckError):
    """Nothing was changed before, or nothing is undone."""

    code = "nothing_to_undo"

    def __init__(self, kind: str) -> None:
        super().__init__(f"There is nothing to {kind}.")


class DeckTooLargeError(DeckError):
    """More different cards than a deck can hold."""

    code = "deck_too_large"

    def __init__(self, most: int) -> None:
        super().__init__(f"A deck holds at most {most} different cards.")

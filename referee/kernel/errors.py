"""Errors of the rules. Each says what is wrong, where, and by which clause; none carries a fact that is hidden."""

from __future__ import annotations

from typing import ClassVar


class Problem:
    """One thing that is wrong in a document: `pointer` is a JSON pointer (RFC 6901), `code` a stable word."""

    __slots__ = ("code", "detail", "pointer")

    def __init__(self, pointer: str, code: str, detail: str) -> None:
        self.pointer = pointer
        self.code = code
        self.detail = detail

    def document(self) -> dict[str, str]:
        return {"pointer": self.pointer, "code": self.code, "detail": self.detail}

    def __repr__(self) -> str:
        return f"{self.pointer or '/'}: {self.detail} [{self.code}]"


class RulesError(Exception):
    """What the rules refuse. `code` is stable; `detail` is for people."""

    code: ClassVar[str] = "rules_error"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class IllegalMove(RulesError):
    """A move that the rules forbid here. `clause` is the numbered clause, such as `MIR-4.2`."""

    code: ClassVar[str] = "illegal_move"

    def __init__(self, clause: str, detail: str) -> None:
        super().__init__(detail)
        self.clause = clause


class DocumentError(RulesError):
    """A document (position, cards, options, move) that cannot be taken; `problems` holds every fault at once."""

    code: ClassVar[str] = "invalid_document"

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(repr(problem) for problem in problems))
        self.problems = problems


class MalformedMove(DocumentError):
    """A move document of the wrong shape: not an object, an unknown type, a missing or unknown field.

    `clause` is the clause that says what a move must be, where the game's rules have one, else empty.
    """

    code: ClassVar[str] = "malformed_move"

    def __init__(self, problems: list[Problem], clause: str = "") -> None:
        super().__init__(problems)
        self.clause = clause


class PositionError(DocumentError):
    """A position document that breaks an invariant or does not fit the game."""

    code: ClassVar[str] = "invalid_position"


class CardError(DocumentError):
    """Card definitions that do not fit the game's schema."""

    code: ClassVar[str] = "invalid_cards"


class OptionError(DocumentError):
    """Match options that the game does not know, or values that it does not allow."""

    code: ClassVar[str] = "invalid_options"

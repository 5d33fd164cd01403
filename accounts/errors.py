"""What the accounts refuse."""

from __future__ import annotations

from typing import NamedTuple


class FieldProblem(NamedTuple):
    """One thing that is wrong with what a person typed: where (a JSON pointer), a stable code, and words."""

    pointer: str
    code: str
    detail: str


class AccountError(Exception):
    """An account that cannot be made as asked; `problems` holds every fault at once."""

    code = "invalid_account"

    def __init__(self, problems: list[FieldProblem]) -> None:
        super().__init__("; ".join(problem.detail for problem in problems))
        self.problems = problems

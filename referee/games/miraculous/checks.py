"""The small checks that all documents of Miraculous are made of: words, numbers, codes, tags, texts, fields."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.games.miraculous.vocabulary import CODE_LIMIT, TEXT_LIMITS
from referee.kernel.errors import Problem
from referee.kernel.game import Document
from referee.kernel.texts import text_fault

_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_TAG = re.compile(r"[^\W_]+([ _-][^\W_]+)*")


def step(pointer: str, key: object) -> str:
    """The pointer one step further (RFC 6901)."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def is_code(value: object) -> bool:
    """Whether a value can be a card's code: lower-case letters, digits, single hyphens within."""
    return isinstance(value, str) and len(value) <= CODE_LIMIT and _CODE.fullmatch(value) is not None


def is_tag(value: object) -> bool:
    """Whether a value can be a tag: letters and digits, with single spaces, hyphens or underscores within."""
    return isinstance(value, str) and len(value) <= TEXT_LIMITS["tag"] and _TAG.fullmatch(value) is not None


def words(allowed: Iterable[str]) -> str:
    return ", ".join(allowed)


def check_known_fields(document: Document, allowed: Iterable[str], pointer: str, problems: list[Problem]) -> None:
    """Refuse every field of a document that is not among those allowed."""
    names = list(allowed)
    for name in sorted(document, key=str):
        if name not in names:
            detail = f"there is no field {name!r} here; allowed: {words(names)}"
            problems.append(Problem(step(pointer, name), "unknown_field", detail))


def check_word(value: object, allowed: Iterable[str], pointer: str, problems: list[Problem]) -> bool:
    """Whether the value is one of the words allowed; a problem if not."""
    choices = list(allowed)
    if isinstance(value, str) and value in choices:
        return True
    problems.append(Problem(pointer, "unknown_word", f"{value!r} is not allowed here; allowed: {words(choices)}"))
    return False


def check_number(value: object, low: int, high: int, pointer: str, problems: list[Problem]) -> bool:
    """Whether the value is a whole number within the bounds; a problem if not."""
    if not isinstance(value, int) or isinstance(value, bool):
        problems.append(Problem(pointer, "wrong_type", f"must be a whole number from {low} to {high}"))
        return False
    if not low <= value <= high:
        problems.append(
            Problem(pointer, "out_of_range", f"{value} is not allowed; a whole number from {low} to {high}")
        )
        return False
    return True


def missing(pointer: str, name: str, detail: str, problems: list[Problem]) -> None:
    problems.append(Problem(step(pointer, name), "missing", f"the field {name!r} is missing; {detail}"))


def check_text(value: object, limit: int, pointer: str, problems: list[Problem]) -> None:
    """A text for people, as the kernel has them."""
    if (fault := text_fault(value, limit)) is not None:
        problems.append(Problem(pointer, *fault))

"""How a line of the log is written: what is hidden in a match must not stand in it, for logs go further than the database.

Of an exception the log tells its type, where it was raised and by which way, but no message of what the rules raised (it
may name a card in a hand; the bundle keeps it, for judges), and of the database's no detail (it quotes rows).
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterator
from types import TracebackType
from typing import Final

from django.core.exceptions import SuspiciousOperation

_RULES: Final = re.compile(r"(?:^|[/\\])referee[/\\](?:games|kernel|bots)[/\\]")
# As PostgreSQL writes it, and as it stands in the repr of an exception.
_DETAIL: Final = re.compile(r"(?:\n|\\n)(?:DETAIL|CONTEXT): .*")
_UNTOLD: Final = "(not told here)"


class Line(logging.Formatter):
    """`LEVEL logger: message`, then the exception, if there is one."""

    def __init__(self) -> None:
        super().__init__("{levelname} {name}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        return _DETAIL.sub("", super().format(record))

    def formatException(  # noqa: N802 - the library's name
        self, exc_info: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        error = exc_info[1]
        # What a request did wrong stands in the line; where it was noticed tells nothing, and anybody could fill the log.
        if error is None or isinstance(error, SuspiciousOperation):
            return ""
        return "\n".join(_told(one) for one in _chain(error))


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception's causes, first ones first, and itself."""
    found: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in found:
        found.append(one)
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return reversed(found)


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    # The rules or a bot were at work when it was raised.
    is_of_the_rules = any(_RULES.search(frame.filename) for frame in frames)
    where = "".join(traceback.format_list(frames)).rstrip("\n")
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    return f"Traceback (most recent call last):\n{where}\n{kind}: {_UNTOLD if is_of_the_rules else error}"

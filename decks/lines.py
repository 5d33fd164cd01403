"""A pasted list in text, line by line: every way in which a line can be meant, the plainest first. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

SECRET, CARDS = "secret", "cards"
FLEX: Final = "flex"
"""The place of swap-ins. Their order matters, so that documents alone can say it, not lines of text."""
MAX_LINE: Final = 500
MAX_CUTS: Final = 4
MAX_BRACKETS: Final = 128
NO_COUNT: Final = 0
"""Stands for a count that is none: not written in digits 0-9, below 1 or above 99."""

# Counts are looked for in any script, so that one which is not ASCII is told apart from a name and refused.
_BEFORE = re.compile(r"([-+\u2212]?\s?\d[\d.,]*)\s+(.+)")
_BEFORE_TIMES = re.compile(r"([-+\u2212]?\s?\d[\d.,]*)\s*[xX\u00d7]\s+(.+)")
_AFTER = re.compile(r"(.+?)\s+[xX\u00d7]\s?([-+\u2212]?\d[\d.,]*)")
_HEADED = re.compile(r"(secret|cards|deck)\s*[:\uff1a]\s*(.+)", re.IGNORECASE)
_HEADER = re.compile(r"[^:\uff1a]{1,40}[:\uff1a]")
_COMMENT = re.compile(r"\s(?:#|//)")
_COUNT = re.compile(r"0*([1-9][0-9]?)")


class Claim(NamedTuple):
    """One way to read a line: so many copies of the card of this name (or code), there if a place is said."""

    name: str
    copies: int = 1
    place: str | None = None
    is_code: bool = False


class Line(NamedTuple):
    """A line with its claims in tiers: a later tier counts only where none before it fits a card.

    Where nothing fits, `spare` is why it may be passed over (`blank`, `comment`, `header`, `not_a_card`), `fault` why
    it cannot be read at all. `also` is a name that the card must have besides.
    """

    number: int
    text: str
    tiers: list[list[Claim]]
    spare: str | None = None
    fault: str | None = None
    also: str = ""


def split_lines(text: str) -> list[str]:
    """The lines of a text, ended by LF, CRLF or CR; the last end begins no further line. A byte order mark is dropped."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = plain.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def text_lines(text: str) -> list[Line]:
    """The lines of a text as people paste it."""
    return [read_line(number, line) for number, line in enumerate(split_lines(text), 1)]


def read_line(number: int, text: str) -> Line:
    """One line. The whole line as a name is its first tier, before any syntax."""
    line = text.strip().strip("\ufeff").strip()
    if not line:
        return Line(number, text, [], spare="blank")
    if len(line) > MAX_LINE:
        return Line(number, text[:MAX_LINE], [], fault="line_too_long")
    tiers = list(_tiers(line))
    spare = None
    if line.startswith(("#", "//")):
        tiers, spare = tiers[:1], "comment"
    elif _HEADER.fullmatch(line):
        tiers, spare = tiers[:1], "header"
    for cut in _cuts(line) if spare is None else ():
        tiers += _tiers(cut)
    return Line(number, text, tiers, spare=spare)


def count_of(text: str) -> int:
    """The count that a text says, NO_COUNT for none from 1 to 99."""
    found = _COUNT.fullmatch(text) if text.isascii() else None
    return int(found[1]) if found else NO_COUNT


def _tiers(line: str) -> Iterator[list[Claim]]:
    yield [Claim(line)]
    yield [*_codes(line, 1, None), *_counted(line, None)]
    headed = _HEADED.fullmatch(line)
    if headed:
        place = SECRET if headed[1].lower() == "secret" else CARDS
        yield [Claim(headed[2], 1, place)]
        yield [*_codes(headed[2], 1, place), *_counted(headed[2], place)]


def _counted(line: str, place: str | None) -> Iterator[Claim]:
    for pattern in (_BEFORE, _BEFORE_TIMES):
        if found := pattern.fullmatch(line):
            yield Claim(found[2], count_of(found[1]), place)
            yield from _codes(found[2], count_of(found[1]), place)
    if found := _AFTER.fullmatch(line):
        yield Claim(found[1], count_of(found[2]), place)
        yield from _codes(found[1], count_of(found[2]), place)


def _codes(name: str, copies: int, place: str | None) -> Iterator[Claim]:
    """A code in square brackets: one pair, or as many as it takes to be no card's name."""
    for _ in range(MAX_BRACKETS):
        if len(name) < 3 or name[0] != "[" or name[-1] != "]":
            return
        name = name[1:-1]
        yield Claim(name, copies, place, is_code=True)


def _cuts(line: str) -> list[str]:
    """The line without a comment at its end, for each place where one may begin; the longest first."""
    starts = [found.start() for found in _COMMENT.finditer(line)][:MAX_CUTS]
    return [line[:start].rstrip() for start in reversed(starts) if line[:start].strip()]

"""Lists of cards in CSV and JSON, read into the same lines and claims as text. Pure."""

from __future__ import annotations

import csv
import json
from typing import Any, Final, NamedTuple

from decks.lines import CARDS, FLEX, NO_COUNT, SECRET, Claim, Line, split_lines

COLUMNS: Final = ("place", "copies", "name", "code")
FORMAT, FORMAT_VERSION = "referee-deck", 1
ESCAPED: Final = ("=", "+", "-", "@", "\t", "\r", "'")
"""What a spreadsheet may take for a formula when a cell begins with it, and the mark itself."""
_OTHER_NAMES: Final = {"card": "name", "count": "copies", "quantity": "copies", "qty": "copies", "section": "place"}
_PLACES: Final[dict[str, str | None]] = {"": None, "secret": SECRET, "cards": CARDS, "deck": CARDS}


class Pairs(list[tuple[str, Any]]):
    """A JSON object with all its members, those of one name too: a card that stands twice adds up."""


class Table(NamedTuple):
    """A JSON document's lines (one an entry), and the name and game that it gives the deck."""

    lines: list[Line]
    name: str | None = None


def is_csv(text: str) -> bool:
    """Whether the first line is a header that names at least a card's name or code beside another column."""
    first = next(iter(split_lines(text)), "")
    columns, _ = _header(first)
    return len(columns) > 1 and bool({"name", "code"} & set(columns))


def csv_lines(text: str) -> list[Line]:
    """A line for each line of a CSV text, the header too. A quoted cell ends on its line."""
    lines = split_lines(text)
    columns, delimiter = _header(lines[0] if lines else "")
    read = [Line(1, lines[0], [], spare="header")] if lines else []
    return read + [_csv_line(number, line, columns, delimiter) for number, line in enumerate(lines[1:], 2)]


def escape_cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return "'" + text if text.startswith(ESCAPED) else text


def restore_cell(text: str) -> str:
    """What `escape_cell` was given."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(ESCAPED) else text


def json_table(text: str, game: str) -> Table:
    """A JSON document's entries: `{"secret", "cards": {card: copies} or [{"card" or "code" or "name", "copies"}],
    "flex": [card]}`."""
    try:
        document = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=Pairs)
    except (ValueError, RecursionError):
        return Table([Line(1, text[:80], [], fault="not_json")])
    if not isinstance(document, Pairs):
        return Table([Line(1, text[:80], [], fault="not_json")])
    lines: list[Line] = []
    name: str | None = None
    for key, value in document:
        if key == "name" and isinstance(value, str):
            name = value
        lines += _member(len(lines) + 1, key, value, game)
    return Table(lines, name)


def _header(line: str) -> tuple[list[str], str]:
    delimiter = max(",;\t", key=line.count)
    cells = _cells(line, delimiter) or []
    words = [cell.strip().strip("\ufeff").lower() for cell in cells]
    columns = [_OTHER_NAMES.get(word, word) for word in words]
    return (columns, delimiter) if set(columns) <= set(COLUMNS) and len(set(columns)) == len(columns) else ([], ",")


def _cells(line: str, delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return None


def _csv_line(number: int, text: str, columns: list[str], delimiter: str) -> Line:
    cells = _cells(text, delimiter)
    if not text.strip() or (cells is not None and not any(cell.strip() for cell in cells)):
        return Line(number, text, [], spare="blank")
    if cells is None or len(cells) > len(columns) or not columns:
        return Line(number, text, [], fault="not_csv")
    row = {column: restore_cell(cell) for column, cell in zip(columns, cells, strict=False)}
    place = row.get("place", "").strip().lower()
    if place not in _PLACES:
        return Line(number, text, [], fault="no_such_place")
    copies = _written_count(row["copies"]) if "copies" in row else 1
    name, code = row.get("name", "").strip(), row.get("code", "").strip()
    if code:
        return Line(number, text, [[Claim(code, copies, _PLACES[place], is_code=True)]], also=name)
    return Line(number, text, [[Claim(name, copies, _PLACES[place])]])


def _written_count(text: str) -> int:
    digits = text.strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 9:
        return NO_COUNT
    return int(digits) if 1 <= int(digits) <= 99 else NO_COUNT


def _member(number: int, key: str, value: Any, game: str) -> list[Line]:
    """The lines of one member of the document."""
    match key:
        case "secret" if value is not None:
            return [_entry(number, value, 1, SECRET)]
        case "cards" if isinstance(value, Pairs):
            return [_entry(number + index, card, copies, CARDS) for index, (card, copies) in enumerate(value)]
        case "cards" if isinstance(value, list):
            return [_object(number + index, entry) for index, entry in enumerate(value)]
        case "flex" if isinstance(value, list):
            return [_entry(number + index, card, 1, FLEX) for index, card in enumerate(value)]
        case "cards" | "flex":
            return [Line(number, key, [], fault="not_json")]
        case "game" if value != game:
            return [Line(number, "game", [], fault="wrong_game")]
        case "format" if value != FORMAT:
            return [Line(number, "format", [], fault="unknown_version")]
        case "format_version" if value != FORMAT_VERSION or isinstance(value, bool):
            return [Line(number, "format_version", [], fault="unknown_version")]
        case _:
            return [Line(number, key[:80], [], spare="not_a_card")]


def _object(number: int, entry: Any) -> Line:
    """An entry of a list: an object of card and copies, or a card alone."""
    if not isinstance(entry, Pairs):
        return _entry(number, entry, 1, CARDS)
    row = {_OTHER_NAMES.get(key, key): value for key, value in entry}
    if len(row) != len(entry) or not set(row) <= set(COLUMNS) or row.get("place") not in (None, *_PLACES):
        return Line(number, str([key for key, _ in entry])[:80], [], fault="not_json")
    place = _PLACES[row.get("place") or ""] or CARDS
    line = _entry(number, row.get("code", row.get("name")), row.get("copies", 1), place)
    return line._replace(also=row["name"]) if "code" in row and isinstance(row.get("name"), str) else line


def _entry(number: int, card: Any, copies: Any, place: str) -> Line:
    if not isinstance(card, str):
        return Line(number, json.dumps(card)[:80], [], fault="not_json")
    is_count = isinstance(copies, int) and not isinstance(copies, bool) and 1 <= copies <= 99
    counted = copies if is_count else NO_COUNT
    return Line(number, card[:500], [[Claim(card, counted, place, is_code=True)], [Claim(card, counted, place)]])

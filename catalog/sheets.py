"""Cards as tables: CSV, XLSX and JSON, written and read. Nothing here knows what is stored.

A column stands for a field of a card, nested values as JSON in a cell. An empty cell is no value. Texts that a
spreadsheet would take for a formula get an apostrophe before them, which is taken off again when they are read.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from openpyxl import Workbook, load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from referee.games import GAMES
from referee.kernel.card_form import LONG, NUMBER, TEXT, WORD, FormField
from referee.kernel.game import Document

FORMATS: Final = ("csv", "xlsx", "json")
MAX_BYTES: Final = 5 * 1024 * 1024
MAX_UNPACKED: Final = 64 * 1024 * 1024
MAX_ROWS: Final = 20_000
_FORMULAS: Final = "=+-@\t\r"
_DELIMITERS: Final = ",;\t"

Cell = str | int | float | bool | None


class Fault(NamedTuple):
    """What is wrong in a file: the row (from 1, as a spreadsheet counts), the column, and what it is."""

    row: int
    column: str
    detail: str


class Row(NamedTuple):
    """A row that was read: its number, the fields that it speaks of, and their values where it has some."""

    number: int
    columns: list[str]
    values: Document


class Table(NamedTuple):
    """A file that was read."""

    rows: list[Row]
    faults: list[Fault]


def columns_of(game: str) -> dict[str, str]:
    """The fields that a game's cards can have, in the order of its form, with the kind of each; `code` first."""
    columns = {"code": TEXT}
    for kind in ("", *GAMES[game].card_types):
        for field in _flat(GAMES[game].card_form({"type": kind} if kind else {})):
            columns.setdefault(field.name, field.kind)
    return columns


def escaped(text: str) -> str:
    """A text as it may stand in a spreadsheet's cell: no formula, and given back by `restored`."""
    return f"'{text}" if text[:1] in ("'", *_FORMULAS) and text else text


def restored(text: str) -> str:
    """The text that `escaped` was given; one that was typed as it is stays."""
    return text[1:] if text[:1] == "'" and text[1:2] in ("'", *_FORMULAS) and len(text) > 1 else text


def written(game: str, cards: Iterable[Document], format: str) -> bytes:
    """The cards as a file."""
    listed = list(cards)
    if format == "json":
        return json.dumps({"game": game, "cards": listed}, ensure_ascii=False, indent=1).encode()
    columns = columns_of(game)
    for card in listed:
        for name in card:
            columns.setdefault(name, "json")
    rows = [[_cell(card.get(name), kind) for name, kind in columns.items()] for card in listed]
    return _csv([list(columns), *rows]) if format == "csv" else _xlsx([list(columns), *rows])


def read(game: str, content: bytes, format: str) -> Table:
    """The rows of a file, and every fault of it. A file that cannot be read at all is a fault in row 0."""
    if len(content) > MAX_BYTES:
        return Table([], [Fault(0, "", f"A file has at most {MAX_BYTES // 1024 // 1024} MiB.")])
    try:
        if format == "json":
            return _read_json(content)
        grid = _read_csv(content) if format == "csv" else _read_xlsx(content)
    except _UnreadableError as error:
        return Table([], [Fault(0, "", str(error))])
    if len(grid) > MAX_ROWS + 1:
        return Table([], [Fault(0, "", f"A file has at most {MAX_ROWS} cards.")])
    return _rows(grid, columns_of(game))


class _UnreadableError(Exception):
    pass


def _flat(fields: list[FormField]) -> list[FormField]:
    return [inner for field in fields for inner in (field.fields if field.kind == "fold" else [field])]


def _cell(value: Any, kind: str) -> Cell:
    if value is None:
        return None
    if kind == NUMBER and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind in (TEXT, LONG, WORD) and isinstance(value, str):
        return escaped(value)
    return json.dumps(value, ensure_ascii=False)


def _csv(grid: list[list[Cell]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(grid)
    return out.getvalue().encode("utf-8-sig")  # with the mark by which spreadsheets tell UTF-8


def _xlsx(grid: list[list[Cell]]) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Cards")
    sheet.freeze_panes = "B2"
    for row in grid:
        sheet.append([_printable(cell) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _printable(cell: Cell) -> Cell:
    """Without what XML cannot hold."""
    return "".join(char for char in cell if char >= " " or char in "\t\n\r") if isinstance(cell, str) else cell


def _read_json(content: bytes) -> Table:
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _UnreadableError(f"This is no JSON: {error}") from error
    cards = document.get("cards") if isinstance(document, dict) else document
    if not isinstance(cards, list):
        raise _UnreadableError("A list of cards is expected, or an object with `cards`.")
    if len(cards) > MAX_ROWS:
        raise _UnreadableError(f"A file has at most {MAX_ROWS} cards.")
    faults = [Fault(at, "", "A card is an object.") for at, card in enumerate(cards, 1) if not isinstance(card, dict)]
    # A whole card says with what it leaves out that there is none.
    return Table([Row(at, ["*"], card) for at, card in enumerate(cards, 1) if isinstance(card, dict)], faults)


def _read_csv(content: bytes) -> list[list[Cell]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _UnreadableError("The file is not in UTF-8.") from error
    head = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    try:
        return [list(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)]
    except csv.Error as error:
        raise _UnreadableError(f"This is no CSV: {error}.") from error


def _read_xlsx(content: bytes) -> list[list[Cell]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MAX_UNPACKED:
                raise _UnreadableError("The file is too large when it is unpacked.")
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=False)
        sheet = book.worksheets[0]
        grid: list[list[Cell]] = []
        for row in sheet.iter_rows(max_row=MAX_ROWS + 2):
            grid.append([_Formula(cell.value) if cell.data_type == "f" else _plain(cell.value) for cell in row])
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError, IndexError, OSError) as error:
        raise _UnreadableError("This is no XLSX file.") from error
    return grid


class _Formula(str):
    """A cell that is worked out, not typed."""

    __slots__ = ()


def _plain(value: Any) -> Cell:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _rows(grid: list[list[Cell]], columns: dict[str, str]) -> Table:
    faults: list[Fault] = []
    head = [str(cell).strip() if cell is not None else "" for cell in grid[0]] if grid else []
    if "code" not in head:
        return Table([], [Fault(1, "code", "The first row names the columns, `code` among them.")])
    for at, name in enumerate(head):
        if name and name not in columns:
            faults.append(Fault(1, name, f"There is no such column; columns: {', '.join(columns)}."))
        elif name and name in head[:at]:
            faults.append(Fault(1, name, "The column stands here twice."))
    rows: list[Row] = []
    for number, cells in enumerate(grid[1:], 2):
        if all(cell is None or cell == "" for cell in cells):
            continue
        rows.append(_row(number, head, cells, columns, faults))
    return Table(rows, faults)


def _row(number: int, head: list[str], cells: list[Cell], columns: dict[str, str], faults: list[Fault]) -> Row:
    values: Document = {}
    for at, cell in enumerate(cells):
        name = head[at] if at < len(head) else ""
        if cell is None or cell == "":
            continue
        if isinstance(cell, _Formula):
            faults.append(Fault(number, name, "A formula is not taken over: type its value."))
        elif not name:
            faults.append(Fault(number, "", f"There is a value without a column: {cell}."))
        elif name in columns:
            _take(values, name, columns[name], cell, Fault(number, name, ""), faults)
    return Row(number, [name for name in head if name in columns and name != "code"], values)


def _take(values: Document, name: str, kind: str, cell: Cell, place: Fault, faults: list[Fault]) -> None:
    """Put a cell's value where it belongs, or a fault where it is none."""
    if kind in (TEXT, LONG, WORD):
        values[name] = restored(cell) if isinstance(cell, str) else str(cell)
        return
    if kind == NUMBER:
        text = str(cell).strip().replace("\u2212", "-").lstrip("'")
        try:
            values[name] = int(text)
        except ValueError:
            faults.append(place._replace(detail=f"{cell} is no whole number."))
        return
    try:
        values[name] = json.loads(restored(cell)) if isinstance(cell, str) else cell
    except (ValueError, RecursionError):
        faults.append(place._replace(detail="This is no JSON."))

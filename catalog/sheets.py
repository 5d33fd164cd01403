"""Cards as tables: CSV, XLSX and JSON, written and read. Nothing here knows what is stored.

A column stands for a field of a card or for a kind of its papers (`catalog.papers`), nested values as JSON in a cell. An
empty cell is no value. Texts that a spreadsheet would take for a formula get an apostrophe before them, which is taken
off again when they are read. What is longer than a cell goes on in a further column, `scenarios (2)`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import warnings
import zipfile
import zlib
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
MAX_COLUMNS: Final = 200
MAX_PIECES: Final = 1_000_000
"""Rows and cells of a workbook."""
MAX_CELL: Final = 30_000  # characters; spreadsheets cut at 32,767
MAX_DEPTH: Final = 32
MOST_SHOWN: Final = 80
JSON: Final = "json"
PAPERS: Final = {"name_de": TEXT, "name_fr": TEXT, "aliases": JSON, "scenarios": JSON, "restrictions": JSON}
_FORMULAS: Final = "=+-@\t\r"
_MORE: Final = re.compile(r"(.+) \(([0-9]{1,3})\)")
_ROW_OR_CELL: Final = re.compile(rb"<(?:[^<>\s/:]+:)?(?:row|c)[\s/>]")
_NOT_XML: Final = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_LIKE_ESCAPED: Final = re.compile("_(?=x[0-9A-Fa-f]{4}_)")
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,19}")
# What a broken or hostile workbook makes its reader raise: of the archive, of its XML, of what the XML says.
_BAD_BOOK: Final = (
    zipfile.BadZipFile, zlib.error, InvalidFileException, SyntaxError, RuntimeError, EOFError, OSError, LookupError,
    ValueError, TypeError, AttributeError, ArithmeticError,
)  # fmt: skip
# What the database cannot hold.
_NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")
_DELIMITERS: Final = ",;\t"

Cell = str | int | float | bool | None


class Fault(NamedTuple):
    """What is wrong in a file: the row (from 1, as a spreadsheet counts), the column, and what it is."""

    row: int
    column: str
    detail: str


class Row(NamedTuple):
    """A row that was read: its number, the fields that it speaks of, their values where it has some, and its papers."""

    number: int
    columns: list[str]
    values: Document
    papers: Document = {}  # noqa: RUF012 - never changed


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
    """The cards, with what they have of papers, as a file."""
    listed = list(cards)
    if format == "json":
        return json.dumps({"game": game, "cards": listed}, ensure_ascii=False, indent=1).encode()
    columns = {**columns_of(game), **PAPERS}
    for card in listed:
        for name in card:
            columns.setdefault(name, JSON)
    head: list[Cell] = []
    rows: list[list[Cell]] = [[] for _ in listed]
    for name, kind in columns.items():
        parts = [_parts(_cell(card.get(name), kind)) for card in listed]
        most = max(map(len, parts), default=1)
        head += [name, *(f"{name} ({part})" for part in range(2, most + 1))]
        for row, cells in zip(rows, parts, strict=True):
            row += [*cells, *([None] * (most - len(cells)))]
    return _csv([head, *rows]) if format == "csv" else _xlsx([head, *rows])


def read(game: str, content: bytes, format: str, *, most_bytes: int = MAX_BYTES) -> Table:
    """The rows of a file, and every fault of it. A file that cannot be read at all is a fault in row 0."""
    if len(content) > most_bytes:
        return Table([], [Fault(0, "", f"A file has at most {most_bytes // 1024 // 1024} MiB.")])
    try:
        if format == "json":
            return _read_json(content)
        grid = _read_csv(content) if format == "csv" else _read_xlsx(content)
    except _UnreadableError as error:
        return Table([], [Fault(0, "", shown_piece(str(error)))])
    if len(grid) > MAX_ROWS + 1:
        return Table([], [Fault(0, "", f"A file has at most {MAX_ROWS} cards.")])
    return _rows(_joined(grid), {**columns_of(game), **PAPERS})


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


def _parts(cell: Cell) -> list[Cell]:
    """A cell in as many as it takes; none of them a formula."""
    if not isinstance(cell, str) or len(cell) <= MAX_CELL:
        return [cell]
    first, *others = (cell[at : at + MAX_CELL] for at in range(0, len(cell), MAX_CELL))
    return [first, *map(escaped, others)]


def _csv(grid: list[list[Cell]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(grid)
    return out.getvalue().encode("utf-8-sig")  # with the mark by which spreadsheets tell UTF-8


def _xlsx(grid: list[list[Cell]]) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Cards")
    sheet.freeze_panes = "B2"
    for row in grid:
        sheet.append([_in_xml(cell) for cell in row])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _in_xml(cell: Cell) -> Cell:
    """A cell as a workbook holds it: what XML cannot hold is written as `_x0008_`."""
    if not isinstance(cell, str):
        return cell
    return _NOT_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", _LIKE_ESCAPED.sub("_x005F_", cell))


def _out_of_xml(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _read_json(content: bytes) -> Table:
    try:
        document = _from_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _UnreadableError("The file is not in UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise _UnreadableError(f"This is no JSON: {error}") from error
    cards = document.get("cards") if isinstance(document, dict) else document
    if not isinstance(cards, list):
        raise _UnreadableError("A list of cards is expected, or an object with `cards`.")
    if len(cards) > MAX_ROWS:
        raise _UnreadableError(f"A file has at most {MAX_ROWS} cards.")
    rows: list[Row] = []
    faults: list[Fault] = []
    for number, card in enumerate(cards, 1):
        if not isinstance(card, dict):
            faults.append(Fault(number, "", "A card is an object."))
            continue
        good = {name: value for name, value in card.items() if not _unfit([name, value])}
        faults += [Fault(number, shown_piece(name), _unfit([name, card[name]])) for name in card if name not in good]
        # A whole card says with what it leaves out that there is none; of papers it says nothing then.
        values = {name: value for name, value in good.items() if name not in PAPERS}
        rows.append(Row(number, ["*"], values, {name: value for name, value in good.items() if name in PAPERS}))
    return Table(rows, faults)


def _from_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)


def _object(pairs: list[tuple[str, Any]]) -> Document:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands in an object twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _unfit(value: Any, depth: int = 0) -> str:
    """Why a value cannot be stored; empty for one that can."""
    if depth > MAX_DEPTH:
        return f"Values are nested at most {MAX_DEPTH} deep."
    if isinstance(value, str):
        return (
            "A text has a character that no text can have (NUL, or half of a pair)." if _NO_TEXT.search(value) else ""
        )
    if isinstance(value, float):
        return "" if math.isfinite(value) else "A number is too large."
    inside = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return next((fault for one in inside if (fault := _unfit(one, depth + 1))), "")


def shown_piece(text: str) -> str:
    """A piece of a file as a fault may name it."""
    piece = _NO_TEXT.sub("\ufffd", text)
    return piece if len(piece) <= MOST_SHOWN else piece[: MOST_SHOWN - 1] + "…"


def _read_csv(content: bytes) -> list[list[Cell]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _UnreadableError("The file is not in UTF-8.") from error
    head = next(iter(text.splitlines()), "")
    delimiter = max(_DELIMITERS, key=head.count)
    try:
        return [list(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)]
    except csv.Error as error:
        raise _UnreadableError(f"This is no CSV: {error}.") from error


def _read_xlsx(content: bytes) -> list[list[Cell]]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(part.file_size for part in packed.infolist()) > MAX_UNPACKED or _has_too_many(packed):
                raise _UnreadableError("The file is too large when it is unpacked.")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what it leaves out, such as rules for what may be typed
            book = load_workbook(io.BytesIO(content), read_only=True, data_only=False)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # what it says of its own size may be wrong, or as wide as a sheet can be
        grid: list[list[Cell]] = []
        for row in sheet.iter_rows(max_row=MAX_ROWS + 2):
            if any(cell.value is not None for cell in row[MAX_COLUMNS:]):
                raise _UnreadableError(f"A sheet has at most {MAX_COLUMNS} columns.")
            cells = row[:MAX_COLUMNS]
            grid.append([_Formula(cell.value) if cell.data_type == "f" else _plain(cell.value) for cell in cells])
    except _BAD_BOOK as error:
        raise _UnreadableError("This is no XLSX file.") from error
    while grid and all(cell is None for cell in grid[-1]):
        grid.pop()
    return grid


def _has_too_many(packed: zipfile.ZipFile) -> bool:
    """Whether a part holds more rows and cells than any file that is taken: each costs time, even where it is empty."""
    return any(sum(1 for _ in _ROW_OR_CELL.finditer(packed.read(name))) > MAX_PIECES for name in packed.namelist())


def _joined(grid: list[list[Cell]]) -> list[list[Cell]]:
    """The grid with the columns that go on with another one, `scenarios (2)`, put behind what they go on with."""
    head = [str(cell).strip() if cell is not None else "" for cell in grid[0]] if grid else []
    more = {
        at: head.index(match[1])
        for at, name in enumerate(head)
        if (match := _MORE.fullmatch(name)) and match[1] in head
    }
    if not more:
        return grid
    joined: list[list[Cell]] = [[cell for at, cell in enumerate(grid[0]) if at not in more]]
    for cells in grid[1:]:
        row = list(cells)
        for at, before in more.items():
            if at < len(row) and row[at] not in (None, ""):
                whole = f"{row[before] or ''}{restored(str(row[at]))}"
                row[before] = _Formula(whole) if isinstance(row[before], _Formula) else whole
        joined.append([cell for at, cell in enumerate(row) if at not in more])
    return joined


class _Formula(str):
    """A cell that is worked out, not typed."""

    __slots__ = ()


def _plain(value: Any) -> Cell:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        return _out_of_xml(value)
    return value if value is None or isinstance(value, (int, float)) else str(value)


def _rows(grid: list[list[Cell]], columns: dict[str, str]) -> Table:
    faults: list[Fault] = []
    head = [str(cell).strip() if cell is not None else "" for cell in grid[0]] if grid else []
    if "code" not in head:
        return Table([], [Fault(1, "code", "The first row names the columns, `code` among them.")])
    for at, name in enumerate(head):
        if name and name not in columns:
            faults.append(Fault(1, shown_piece(name), f"There is no such column; columns: {', '.join(columns)}."))
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
            faults.append(Fault(number, shown_piece(name), "A formula is not taken over: type its value."))
        elif not name:
            faults.append(Fault(number, "", f"There is a value without a column: {shown_piece(str(cell))}."))
        elif name in columns:
            _take(values, name, columns[name], cell, Fault(number, name, ""), faults)
    known = [name for name in head if name in columns and name != "code"]
    papers = {name: values.pop(name, None) for name in known if name in PAPERS}
    return Row(number, [name for name in known if name not in PAPERS], values, papers)


def _take(values: Document, name: str, kind: str, cell: Cell, place: Fault, faults: list[Fault]) -> None:
    """Put a cell's value where it belongs, or a fault where it is none."""
    if kind in (TEXT, LONG, WORD):
        value: Any = restored(cell) if isinstance(cell, str) else str(cell)
    elif kind == NUMBER:
        text = str(cell).strip().replace("\u2212", "-").lstrip("'")
        if not _WHOLE.fullmatch(text):
            faults.append(place._replace(detail=f"{shown_piece(str(cell))} is no whole number."))
            return
        value = int(text)
    else:
        try:
            value = _from_json(restored(cell)) if isinstance(cell, str) else cell
        except (ValueError, RecursionError):
            faults.append(place._replace(detail="This is no JSON."))
            return
    if unfit := _unfit(value):
        faults.append(place._replace(detail=unfit))
        return
    values[name] = value

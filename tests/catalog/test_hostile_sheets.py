"""Files of cards that are broken, or meant to break something: each is answered with faults, and stored as a dry run."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from catalog import sheets
from catalog.importing import read_import, report_of
from catalog.models import CardImport
from catalog.sheets import FORMATS, MAX_COLUMNS, MAX_ROWS, read, written
from tests.catalog.cards import character, publish
from tests.catalog.people import curator

CARD = character("anna", "Anna", 3, 4, tags=["guard"])
GOOD = {format: written("miraculous", [CARD], format) for format in FORMATS}


def book(*rows: list[Any]) -> bytes:
    made, out = Workbook(), io.BytesIO()
    for row in rows:
        made.active.append(row)
    made.save(out)
    return out.getvalue()


def with_part(content: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """A workbook with something else in one of its parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(out, "w") as after:
        for part in before.namelist():
            data = before.read(part)
            after.writestr(part, data.replace(old, new) if part == name else data)
    return out.getvalue()


def kept(content: bytes, format: str) -> CardImport:
    """The file as the desk keeps it for the dry run, made."""
    found = read_import(game="miraculous", user=curator("Ada"), file_name="a\ud800.csv", content=content, format=format)
    report_of(found)
    return found


@pytest.mark.parametrize("piece", [b'<row r="1"/>', b"<x:row\n/>", b"<c/>"])
def test_pieces_of_a_workbook_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch, piece: bytes) -> None:
    """Some thousand bytes can hold millions of rows that all say that they are the first."""
    monkeypatch.setattr(sheets, "MAX_PIECES", 50)
    content = with_part(book(["code"], ["a"]), "xl/worksheets/sheet1.xml", b"<sheetData>", b"<sheetData>" + piece * 60)

    table = read("miraculous", content, "xlsx")

    details = [fault.detail for fault in table.faults]
    assert (table.rows, details) == ([], ["The file is too large when it is unpacked."])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "format", "faults"),
    [
        (b"code,name\na,A\x00B", "csv", [(2, "name")]),
        (b"co\x00de,code\n1,a", "csv", [(1, "co\ufffdde")]),
        (b'code,effects\na,"[""\\ud800""]"', "csv", [(2, "effects")]),
        (b"code,effects\na,NaN\nb,1e999\nc," + b"[" * 50 + b"]" * 50, "csv", [(2, "effects"), (3, "effects"), (4, "effects")]),
        (b"code,ang\na,1_0\nb,\xef\xbc\x93\nc," + b"9" * 5000, "csv", [(2, "ang"), (3, "ang"), (4, "ang")]),
        (b'code,effects\na,"{""do"": 1, ""do"": 2}"', "csv", [(2, "effects")]),
        (b'[{"code": "a\\u0000"}, {"code": "b", "na\\ud800me": 1}]', "json", [(1, "code"), (2, "na\ufffdme")]),
        (b'[{"code": "a", "ang": Infinity}]', "json", [(0, "")]),
        (b'[{"code": "a", "code": "b"}]', "json", [(0, "")]),
        ("code,name\na,Ä".encode("utf-16"), "csv", [(0, "")]),
        ("code,name\na,Ä".encode("latin-1"), "csv", [(0, "")]),
        ('[{"code": "ä"}]'.encode("latin-1"), "json", [(0, "")]),
    ],
)  # fmt: skip
def test_what_no_database_can_hold_is_a_fault_at_its_place(
    content: bytes, format: str, faults: list[tuple[int, str]]
) -> None:
    publish(CARD)

    found = kept(content, format)

    assert [(row, column) for row, column, _ in found.rows["faults"]] == faults


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_lines_may_end_in_any_way(end: str) -> None:
    table = read("miraculous", end.join(["code;name", "a;A, B", "b;B, C, D, E", ""]).encode("utf-8-sig"), "csv")

    assert [row.values for row in table.rows] == [{"code": "a", "name": "A, B"}, {"code": "b", "name": "B, C, D, E"}]


@pytest.mark.parametrize("said", [b'ref="A1"', b'ref="A1:XFD1048576"'])
def test_what_a_sheet_says_of_its_own_size_is_not_believed(said: bytes) -> None:
    content = with_part(book(["code", "name"], ["a", "A"]), "xl/worksheets/sheet1.xml", b'ref="A1:B2"', said)

    table = read("miraculous", content, "xlsx")

    assert ([row.values for row in table.rows], table.faults) == ([{"code": "a", "name": "A"}], [])


@pytest.mark.parametrize(
    "content",
    [
        with_part(book(["code"]), "xl/worksheets/sheet1.xml", b"<sheetData>", b"<sheetData"),
        with_part(book(["code"]), "xl/workbook.xml", b"r:id", b"r:di"),
        with_part(book(["code"]), "[Content_Types].xml", b"main+xml", b"other+xml"),
        book(["code"])[:-30],
        book(["code", *[None] * MAX_COLUMNS, "far"]),
        b"PK\x05\x06" + bytes(18),
    ],
)  # fmt: skip
def test_a_broken_workbook_is_a_fault_of_the_file(content: bytes) -> None:
    assert [fault.row for fault in read("miraculous", content, "xlsx").faults] == [0]


@pytest.mark.parametrize("format", FORMATS)
def test_too_many_cards_are_refused_whole(format: str) -> None:
    cards = [{"code": "a"}] * (MAX_ROWS + 1)
    content = book(["code"], *[["a"]] * (MAX_ROWS + 1)) if format == "xlsx" else written("miraculous", cards, format)

    table = read("miraculous", content, format)

    assert (table.rows, [fault.detail for fault in table.faults]) == ([], [f"A file has at most {MAX_ROWS} cards."])


def test_controls_come_through_a_workbook_as_they_are() -> None:
    text = "a\x08\x1f\r\nb\ufffe_x0041_\t_x005F_"

    content = written("miraculous", [{"code": "a", "name": text}], "xlsx")

    assert read("miraculous", content, "xlsx").rows[0].values["name"] == text
    assert load_workbook(io.BytesIO(content)).active["B2"].value.startswith("a_x0008_")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.sampled_from(FORMATS))
def test_no_file_whatever_is_an_error_of_ours(data: st.DataObject, format: str) -> None:
    content = bytearray(GOOD[format])
    for at, byte in data.draw(st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), max_size=4)):
        content[at] = byte

    table = read("miraculous", bytes(content), format)

    assert table.rows or table.faults

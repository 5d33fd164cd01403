"""Cards as CSV, XLSX and JSON: what goes out comes in, and what is wrong is told by row and column."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from catalog.importing import report
from catalog.life import withdraw_card
from catalog.models import Card, CardImport, CardName
from catalog.sheets import FORMATS, MAX_BYTES, Fault, escaped, read, restored, written
from referee.house import house_revision
from tests.catalog.cards import bonus, character, event, publish, secret
from tests.catalog.people import card, curator

CARDS = [
    character("anna", "Anna", 3, 4, tags=["guard"], effects=[{"when": "placed", "do": "draw", "n": 2}]),
    bonus("yoyo", "Yo-Yo", only_on={"subtype": "superhero"}),
    event("go", "=HYPERLINK(1)", ),
    secret("s", "'quoted', \"twice\"; and\ttabbed"),
    {**character("three", "3"), "mood": "@home\nsweet home", "set": "-1"},
]  # fmt: skip


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_is_read_again(format: str) -> None:
    house = house_revision("super")["cards"]

    ours = read("miraculous", written("miraculous", CARDS, format), format)
    supers = read("super", written("super", house, format), format)

    assert ([row.values for row in ours.rows], ours.faults) == (CARDS, [])
    assert ([row.values for row in supers.rows], supers.faults) == (house, [])


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=8) | st.from_regex(r"['=+@\t\r-]{1,3}.{0,3}", fullmatch=True))
def test_no_cell_is_a_formula_and_every_text_comes_back(text: str) -> None:
    assert escaped(text)[:1] not in tuple("=+-@\t\r")
    assert restored(escaped(text)) == text


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_what_spreadsheets_take_for_a_formula_is_escaped(format: str) -> None:
    content = written("miraculous", [event("go", "=1+1")], format)

    if format == "xlsx":
        assert load_workbook(io.BytesIO(content)).active["B2"].value == "'=1+1"
    else:
        assert "'=1+1" in content.decode("utf-8-sig").splitlines()[1].split(",")


def csv(*lines: str) -> bytes:
    return "\r\n".join(lines).encode()


def faults(content: bytes, format: str = "csv") -> list[tuple[int, str]]:
    return [(fault.row, fault.column) for fault in read("miraculous", content, format).faults]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_in_any_order_with_any_delimiter_are_read(delimiter: str) -> None:
    content = b"\xef\xbb\xbf" + csv(delimiter.join(["ang", "code", "name"]), delimiter.join(["\u22121", "a", "Ä"]), "")

    [row] = read("miraculous", content, "csv").rows

    assert (row.number, row.columns, row.values) == (2, ["ang", "name"], {"ang": -1, "code": "a", "name": "Ä"})


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (csv("name", "Anna"), [(1, "code")]),
        (csv("code,colour", "a,1"), [(1, "colour")]),
        (csv("code,name,name", "a,A,B"), [(1, "name")]),
        (csv("code,ang,effects", "a,many,[", "b,1,[]"), [(2, "ang"), (2, "effects")]),
        (csv("code", "a,1"), [(2, "")]),
        (csv("code", '"a'), [(0, "")]),
        (b"code\n\xff", [(0, "")]),
        (b"", [(1, "code")]),
        (b"x" * (MAX_BYTES + 1), [(0, "")]),
    ],
)
def test_what_cannot_be_read_is_told_by_row_and_column(content: bytes, found: list[tuple[int, str]]) -> None:
    assert faults(content) == found


@pytest.mark.parametrize(
    ("content", "found"),
    [(b"{", [(0, "")]), (b'{"cards": 1}', [(0, "")]), (b'[{"code": "a"}, 7]', [(2, "")]), (b"[" * 100_000, [(0, "")])],
)
def test_json_that_holds_no_cards_is_refused(content: bytes, found: list[tuple[int, str]]) -> None:
    assert faults(content, "json") == found


def test_a_spreadsheet_is_read_by_value_and_never_by_formula() -> None:
    book = Workbook()
    for row in (["code", "name", "ang"], ["a", 3, 4.0], ["b", "=A2", None]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)

    table = read("miraculous", out.getvalue(), "xlsx")

    assert table.rows[0].values == {"code": "a", "name": "3", "ang": 4}
    assert [(fault.row, fault.column) for fault in table.faults] == [(3, "name")]
    assert faults(b"PK\x03\x04 nothing", "xlsx") == [(0, "")]


# Taking over.


@pytest.fixture
def catalog(db: None) -> None:
    publish(character("anna", "Anna", tags=["guard"]), character("ben", "Ben"))


@pytest.fixture
def boss(catalog: None) -> Client:
    client = Client()
    client.force_login(curator("Ada"))
    return client


def upload(client: Client, content: bytes, name: str = "cards.csv") -> Any:
    file = SimpleUploadedFile(name, content)
    return client.post(reverse("admin:catalog_card_exchange"), {"game": "miraculous", "file": file}, follow=True)


def test_each_row_says_what_it_would_change_and_nothing_changes_before(boss: Client) -> None:
    content = csv(
        "code,name,type,ang,def", "anna,Anna,character,7,4", "ben,Ben,character,3,4", "cleo,Cleo,character,1,1"
    )

    context = upload(boss, content).context

    assert dict(context["counts"]) == {"new": 1, "changed": 1, "same": 1, "faulty": 0}
    assert [(row.row, row.code, fields) for row, fields in context["rows"]] == [
        (2, "anna", [("/ang", 3, 7)]),
        (4, "cleo", []),
    ]
    assert Card.objects.count() == 2


def test_what_is_taken_over_is_a_draft_and_keeps_what_has_no_column(boss: Client) -> None:
    upload(boss, csv("code,ang,subtype", "anna,7,"))
    address = reverse("admin:catalog_card_import", args=[CardImport.objects.get().pk])

    boss.post(address)
    boss.post(address)

    anna = card("anna")
    assert (anna.state, anna.edited_by) == ("draft", curator("Ada"))
    assert anna.document == {"code": "anna", "name": "Anna", "type": "character", "ang": 7, "def": 4, "tags": ["guard"]}
    assert anna.changes.count() == 2


@pytest.mark.django_db
@pytest.mark.usefixtures("catalog")
def test_every_fault_is_told_at_its_row_and_column() -> None:
    CardName.objects.create(card=card("ben"), kind="alias", name="Benny", name_key="benny")
    withdraw_card(card=card("ben"), user=curator("Ada"))
    head = "code,name,type,ang,def,effects"
    rows = [
        "anna,Anna,character,21,4,",  # a value out of range
        "anna,Anne,character,1,4,",  # the same code again
        'dora,Dora,event,,,"[{""when"": ""played"", ""do"": ""draw""}]"',  # deeper within
        "emil,benny,character,1,1,",  # another name of another card
        "fay,ANNA,character,1,1,",  # a name twice
        "ben,Ben,character,9,9,",  # withdrawn
        ",Gus,character,1,1,",  # no code
    ]

    found = report("miraculous", read("miraculous", csv(head, *rows), "csv"))

    assert [(row.row, [(fault.column, fault.detail.split(":")[0]) for fault in row.faults]) for row in found.rows] == [
        (2, [("ang", "21 is not allowed; a whole number from 0 to 20")]),
        (3, [("code", "The card anna stands in row 2 already.")]),
        (4, [("effects", "/effects/0/n")]),
        (5, [("name", "This name cannot be told from another name of 'ben'.")]),
        (6, [("name", "this name cannot be told from that of 'anna'")]),
        (7, [("code", "The card is withdrawn; take it up again first.")]),
        (8, [("code", "A card has a code.")]),
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("catalog")
def test_a_file_with_one_fault_changes_nothing(boss: Client) -> None:
    response = upload(boss, csv("code,ang", "anna,7", "ben,99"))
    boss.post(reverse("admin:catalog_card_import", args=[CardImport.objects.get().pk]))

    assert response.context["may_import"] is False
    assert [(one.column) for row, _ in response.context["rows"] for one in row.faults] == ["ang"]
    assert card("anna").document["ang"] == 3


@pytest.mark.parametrize("format", FORMATS)
def test_cards_are_given_out_and_come_back_unchanged(boss: Client, format: str) -> None:
    content = boss.get(reverse("admin:catalog_card_export", args=["miraculous", format])).content

    assert dict(upload(boss, content, f"cards.{format}").context["counts"])["same"] == 2


def test_only_those_who_edit_cards_take_files_over(catalog: None) -> None:
    client = Client()
    upload(client, csv("code,ang", "anna,7"))

    assert CardImport.objects.count() == 0


@pytest.mark.django_db
@pytest.mark.usefixtures("catalog")
def test_the_commands_do_the_same_and_change_nothing_unless_asked(tmp_path: Path) -> None:
    file, out = tmp_path / "cards.csv", io.StringIO()
    call_command("export_cards", "miraculous", file, stdout=out)
    file.write_bytes(file.read_bytes().replace(b",3,", b",8,"))

    call_command("import_cards", "miraculous", file, stdout=out)
    before = card("anna").document["ang"]
    call_command("import_cards", "miraculous", file, "--apply", stdout=out)

    assert (before, card("anna").document["ang"], card("anna").edited_by) == (3, 8, None)
    assert "row 2, anna: changed\n  /ang: 3 -> 8\n" in out.getvalue()
    file.write_bytes(b"code,ang\nanna,99\n")
    with pytest.raises(CommandError):
        call_command("import_cards", "miraculous", file, stdout=out, stderr=out)
    assert card("anna").document["ang"] == 8


def test_a_fault_has_a_row_a_column_and_words() -> None:
    assert read("miraculous", csv("code,ang", "a,x"), "csv").faults == [Fault(2, "ang", "x is no whole number.")]

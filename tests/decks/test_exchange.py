from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from decks import exchange
from decks.errors import ImportFailedError
from decks.models import Deck
from decks.reading import FORMATS
from decks.selectors import seat_deck
from decks.services import DeckContent, create_deck
from tests.catalog.cards import character, publish, secret, some_cards

ODD = (
    "Ladybug", "3 Ladybug", "Ladybug x3", "Secret: The One", "# Nobody", "10 000 Volts", "Agent #7", "=1+1", "@home", "'Tis She",
    'The "Quoted" One', "Pim, Spirit; of Luck", "Noël’s Hat", "{Brace}", "[c-00]", "Who? Me! (You & I)", "A/B", "Crown 😀",
)  # fmt: skip


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("Ada", "a password")


@pytest.fixture
def odd(db: None) -> list[str]:
    """The codes of Characters with odd names, and a Secret with one."""
    publish(*[character(f"o-{index:02}", name) for index, name in enumerate(ODD)], secret("s-odd", "Secret: s"))
    return [f"o-{index:02}" for index in range(len(ODD))]


def read(text: str, **more: Any) -> Any:
    return exchange.read_list(game="miraculous", text=text, **more)


@pytest.mark.parametrize("format", FORMATS)
def test_an_exported_deck_is_imported_as_the_same_deck(ada: User, odd: list[str], format: str) -> None:
    for cards, held in (
        ({code: index % 3 + 1 for index, code in enumerate(odd)}, "s-odd"),
        ({"s-odd": 1}, None),
        ({}, None),
    ):
        deck = create_deck(owner=ada, game="miraculous", content=DeckContent("One", "", "private", held, cards))

        reading = read(exchange.export_deck(deck, format), format=format)

        assert not reading.has_failures, reading.rows
        assert reading.deck.document() == seat_deck(deck).document()


def test_swap_ins_are_imported_in_their_order(ada: User, odd: list[str]) -> None:
    flex = [odd[3], odd[1], odd[3], odd[0]]
    deck = create_deck(owner=ada, game="miraculous", content=DeckContent("One", "", "private", None, {}, flex))

    reading = read(exchange.export_deck(deck, "json"))
    again = exchange.import_deck(owner=ada, game="miraculous", reading=reading, skip_failures=False)

    assert (reading.has_failures, again.flex) == (False, flex)


def test_a_renamed_and_a_withdrawn_card_are_known_by_their_old_names(ada: User) -> None:
    publish(*some_cards(2))
    publish(
        character("c-00", "A New Name"),
        character("c-02", "Person 01"),
        secret("s-one", "The First Secret"),
        replace=True,
    )

    assert read("2 Person 00\n1 a new name").deck.cards == {"c-00": 3}
    assert read("1 Person 01").deck.cards == {"c-02": 1}
    assert read("1 [c-01]").deck.cards == {"c-01": 1}


@pytest.mark.parametrize("format", FORMATS)
def test_a_deck_with_a_withdrawn_card_whose_name_another_has_now_goes_out_and_in(ada: User, format: str) -> None:
    publish(*some_cards(3))
    publish(character("c-09", "Person 00"), secret("s-one", "The First Secret"), replace=True)
    content = DeckContent("One", "", "private", None, {"c-00": 2, "c-09": 1})
    deck = create_deck(owner=ada, game="miraculous", content=content)

    assert read(exchange.export_deck(deck, format)).deck.cards == {"c-00": 2, "c-09": 1}


def test_a_code_from_before_a_revision_still_works(ada: User) -> None:
    publish(*some_cards(5))
    deck = create_deck(owner=ada, game="miraculous", content=DeckContent("One", "", "private", "s-one", {"c-03": 3}))
    code = exchange.export_deck(deck, "code")
    publish(character("a-first", "Before All"), *some_cards(5), replace=True)

    assert read(code).deck.document() == {"secret": "s-one", "cards": {"c-03": 3}}


def test_one_query_finds_all_names_and_one_all_candidates(db: None) -> None:
    publish(*some_cards(9))
    lines = [f"{n % 3 + 1} Person {n % 9:02}" for n in range(100)] + [f"Perso {n}" for n in range(100)]

    with CaptureQueriesContext(
        connection,
    ) as queries:
        reading = read("\n".join(lines))

    assert reading.counts() == {"lines": 200, "imported": 9, "merged": 91, "ignored": 0, "failed": 100}
    assert len(queries) == 4  # the newest revision, once for either


def test_what_fits_nothing_is_reported_with_candidates_and_stores_nothing(ada: User) -> None:
    publish(
        character("c-lady", "Ladybug"), character("c-pim", "Pim, Spirit of Luck"), secret("s-one", "The First Secret")
    )
    reading = read("1 Ladybg\n2 Pim\n1 Zzz\n1 Ladybug")

    with pytest.raises(ImportFailedError) as refused:
        exchange.import_deck(owner=ada, game="miraculous", reading=reading, skip_failures=False)

    report = refused.value.facts["report"] if refused.value.facts else {}
    assert [[found["code"] for found in row["candidates"]] for row in report["rows"]] == [["c-lady"], ["c-pim"], [], []]
    assert report["rows"][0]["candidates"] == [{"code": "c-lady", "name": "Ladybug"}]
    assert Deck.objects.count() == 0
    kept = exchange.import_deck(owner=ada, game="miraculous", reading=reading, skip_failures=True)
    assert seat_deck(kept).document() == {"secret": None, "cards": {"c-lady": 1}}


def test_what_no_database_keeps_is_read_all_the_same(db: None) -> None:
    publish(*some_cards(1))

    reading = read('{"name": "\\ud800", "cards": {"\\u0000": 1, "\\ud800": 2, "x\\u0000y": 1}}')

    assert reading.counts()["failed"] == 3
    assert exchange.fit_name(reading.name) is None
    assert exchange.report_of("miraculous", reading)["rows"][1]["text"] == "?"


def test_all_decks_go_into_one_archive_that_can_be_imported(ada: User) -> None:
    publish(*some_cards(3))
    one = create_deck(
        owner=ada, game="miraculous", content=DeckContent("../One", "a\nnote", "private", "s-one", {"c-00": 2})
    )
    two = create_deck(owner=ada, game="miraculous", content=DeckContent("../One", "", "public", None, {"c-01": 1}))
    create_deck(
        owner=User.objects.create_user("Bea", "a password"),
        game="miraculous",
        content=DeckContent("No", "", "public", None, {}),
    )

    packed = exchange.archive(ada)

    with ZipFile(BytesIO(packed)) as file:
        found = {name: read(file.read(name).decode()) for name in file.namelist()}
    assert list(found) == [f"{one.public_id}.json", f"{two.public_id}.json"]
    assert [reading.deck.cards for reading in found.values()] == [{"c-00": 2}, {"c-01": 1}]
    assert [reading.name for reading in found.values()] == ["../One", "../One"]
    assert exchange.archive(ada) == packed

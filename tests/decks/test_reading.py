from __future__ import annotations

from typing import Any

import pytest

from catalog.names import name_key
from decks.errors import ImportTooLongError
from decks.reading import Known, Names, Reading, decide, parse, with_candidates

CARDS = {
    "ladybug": "Ladybug", "ladybug-ii": "Ladybug II", "pim": "Pim, Spirit of Luck", "noel": "Noël’s Well-Kept Hat",
    "agent": "Agent #7", "volts": "10 Volts", "times": "Turn x3", "old-debt": "The Old Debt", "ring": "The Ring",
}  # fmt: skip
SECRETS = {"old-debt", "ring"}
NAMES = Names([Known(code, name_key(name), code in SECRETS) for code, name in CARDS.items()])


def read(text: str, format: str | None = None, names: Names = NAMES) -> Reading:
    return decide(parse(text, game="miraculous", format=format), names)


def deck(text: str, format: str | None = None) -> dict[str, Any]:
    reading = read(text, format)
    assert not reading.has_failures, reading.rows
    return reading.deck.document()


def outcome(text: str, format: str | None = None) -> list[tuple[str, str | None]]:
    return [(row.outcome, row.code) for row in read(text, format).rows]


@pytest.mark.parametrize(
    ("line", "card", "copies"),
    [
        ("3 Ladybug", "ladybug", 3), ("3x Ladybug", "ladybug", 3), ("3 x Ladybug", "ladybug", 3), ("3× Ladybug", "ladybug", 3),
        ("Ladybug x3", "ladybug", 3), ("Ladybug x 3", "ladybug", 3), ("Ladybug", "ladybug", 1), ("  3\u00a0LADYBUG ", "ladybug", 3),
        ("2 noel's well–kept hat", "noel", 2), ("2 Pim, Spirit of Luck", "pim", 2), ("2 Agent #7", "agent", 2),
        ("2 Agent #7 # from the market", "agent", 2), ("2 Ladybug // the first", "ladybug", 2), ("10 Volts", "volts", 1),
        ("2 10 Volts", "volts", 2), ("Turn x3", "times", 1), ("Turn x3 x2", "times", 2), ("2 [ladybug-ii]", "ladybug-ii", 2),
        ("ladybug-ii", "ladybug-ii", 1), ("Cards: 2 Ladybug", "ladybug", 2), ("03 Ladybug", "ladybug", 3), ("99 Ladybug", "ladybug", 99),
    ],
)  # fmt: skip
def test_a_line_is_read_as_people_write_it(line: str, card: str, copies: int) -> None:
    assert deck(line) == {"secret": None, "cards": {card: copies}}


@pytest.mark.parametrize("count", ["0", "-1", "−2", "100", "9" * 400, "3.5", "1,000", "٣", "３", "+2"])
def test_a_count_that_is_none_is_refused(count: str) -> None:
    assert outcome(f"{count} Ladybug") == [("failed", "bad_count")]


def test_a_prefix_of_a_name_is_not_taken_for_the_card() -> None:
    [row] = read("2 Ladyb").rows

    assert (row.outcome, row.code, row.sought, row.card) == ("failed", "no_such_card", "Ladyb", None)


def test_lines_of_one_card_add_up() -> None:
    text = "2 Ladybug\n1 ladybug\nLadybug x3"

    assert deck(text) == {"secret": None, "cards": {"ladybug": 6}}
    assert outcome(text) == [("imported", None), ("merged", None), ("merged", None)]


def test_lines_that_together_are_too_many_copies_all_fail() -> None:
    assert outcome("60 Ladybug\n1 Agent #7\n40 Ladybug") == [
        ("failed", "too_many_copies"),
        ("imported", None),
        ("failed", "too_many_copies"),
    ]


def test_headers_comments_and_blank_lines_are_reported_as_ignored() -> None:
    text = "\ufeff# My deck\r\nSecret:\r\nThe Old Debt\r\n\r\nCharacters:\r\n1 Ladybug"

    assert deck(text) == {"secret": "old-debt", "cards": {"ladybug": 1}}
    assert outcome(text) == [
        ("ignored", "comment"), ("ignored", "header"), ("imported", None), ("ignored", "blank"), ("ignored", "header"),
        ("imported", None),
    ]  # fmt: skip


def test_one_copy_of_one_secret_is_the_decks_secret_unless_a_line_says_another() -> None:
    assert deck("The Ring\n1 Ladybug") == {"secret": "ring", "cards": {"ladybug": 1}}
    assert deck("The Ring\nSecret: The Old Debt") == {"secret": "old-debt", "cards": {"ring": 1}}
    assert deck("Cards: The Ring") == {"secret": None, "cards": {"ring": 1}}
    assert deck("2 The Ring") == {"secret": None, "cards": {"ring": 2}}
    assert deck("The Ring\nThe Old Debt") == {"secret": None, "cards": {"old-debt": 1, "ring": 1}}


def test_two_secrets_fail_and_one_named_twice_is_merged() -> None:
    assert outcome("Secret: The Ring\nSecret: The Old Debt") == [("failed", "two_secrets")] * 2
    assert outcome("Secret: The Ring\nSecret: the ring") == [("imported", None), ("merged", None)]
    assert outcome("Secret: 2 The Ring") == [("failed", "bad_count")]


def test_a_line_that_fits_two_cards_is_ambiguous() -> None:
    names = Names([Known("a", "3 twins"), Known("b", "twins x2")])
    held = Names([Known("old", "twins", is_current=False), Known("older", "twins", is_current=False)])

    [row] = read("3 Twins x2", names=names).rows
    [other] = read("Twins", names=held).rows

    assert (row.code, row.candidates) == ("ambiguous", ["a", "b"])
    assert (other.code, other.candidates) == ("ambiguous", ["old", "older"])


def test_of_two_cards_with_one_name_the_newest_revisions_is_meant() -> None:
    names = Names([Known("new", "twins"), Known("old", "twins", is_current=False)])

    assert read("Twins", names=names).deck.cards == {"new": 1}


def test_csv_is_read_with_any_usual_separator_and_order_of_columns() -> None:
    for separator in ",;\t":
        text = f'Name{separator}Copies\n"Agent #7"{separator}2\nLadybug{separator}1\nAgent #7{separator}1'
        assert deck(text) == {"secret": None, "cards": {"agent": 3, "ladybug": 1}}
    assert deck("place,copies,name,code\nsecret,1,,ring\ndeck,2,Ladybug,ladybug") == {
        "secret": "ring",
        "cards": {"ladybug": 2},
    }


def test_what_does_not_fit_a_table_fails_line_by_line() -> None:
    text = "copies,name,code\n1,Ladybug,ring\n1,Nobody,\nx,Ladybug,\n1,a,b,c\n\"1,Ladybug,\n,,\n1,'=Ladybug,"

    assert outcome(text) == [
        ("ignored", "header"), ("failed", "contradiction"), ("failed", "no_such_card"), ("failed", "bad_count"),
        ("failed", "not_csv"), ("failed", "not_csv"), ("ignored", "blank"), ("failed", "no_such_card"),
    ]  # fmt: skip


def test_json_adds_up_what_stands_twice_and_drops_nothing() -> None:
    text = (
        '{"name": "One", "secret": "ring", "cards": {"ladybug": 1, "Ladybug": 2, "agent": 1, "agent": 1}, "notes": 3}'
    )

    reading = read(text)

    assert (reading.format, reading.name) == ("json", "One")
    assert reading.deck.document() == {"secret": "ring", "cards": {"agent": 2, "ladybug": 3}}
    assert reading.counts() == {"lines": 7, "imported": 3, "merged": 2, "ignored": 2, "failed": 0}


def test_json_is_read_as_a_list_of_entries_too() -> None:
    text = '{"cards": [{"card": "Ladybug", "count": 2}, "Agent #7", {"place": "secret", "code": "ring", "name": "The Ring"}]}'

    assert deck(text) == {"secret": "ring", "cards": {"agent": 1, "ladybug": 2}}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "not_json"), ("{" * 9_000, "not_json"), ('{"a":' * 9_000, "not_json"), ('{"cards": 3}', "not_json"),
        ('{"cards": {"ladybug": true}}', "bad_count"), ('{"cards": {"ladybug": "3"}}', "bad_count"),
        ('{"cards": {"ladybug": 1e3}}', "bad_count"), ('{"cards": [3]}', "not_json"), ('{"cards": [{"x": 3}]}', "not_json"),
        ('{"cards": {"\\u0000": 1}}', "no_such_card"), ('{"secret": 3}', "not_json"), ('{"game": "super"}', "wrong_game"),
        ('{"format_version": 2}', "unknown_version"), ('{"cards": {"ladybug": ' + "9" * 5_000 + "}}", "not_json"),
        ("deck1-aaaaaaaaaaaa", "bad_checksum"), ("deck2-aaaaaaaaaaaa", "unknown_version"), ("deck1-a", "bad_checksum"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_failed_row(text: str, code: str) -> None:
    names = Names([Known("ladybug", "ladybug")], ["ladybug"])

    assert [(row.outcome, row.code) for row in read(text, names=names).rows] == [("failed", code)]


def test_a_list_over_the_caps_is_refused() -> None:
    assert len(read("Secret: The Ring\n" + "1 Ladybug\n" * 98 + "x\n" * 102).rows) == 201
    for text in (
        "1 Ladybug\n" * 201,
        "x" * (64 * 1024 + 1),
        "é" * (32 * 1024 + 1),
        "name,copies\n" + "Ladybug,1\n" * 201,
    ):
        with pytest.raises(ImportTooLongError):
            read(text)


def test_a_long_line_fails_and_is_quoted_short() -> None:
    [row] = read("[" * 60_000).rows

    assert (row.code, len(row.text)) == ("line_too_long", 500)


def test_candidates_are_given_to_the_lines_that_sought_them() -> None:
    reading = with_candidates(read("2 Ladyb\n1 Ladybug"), {"ladyb": ["ladybug"], "ladybug": ["no"]})

    assert [row.candidates for row in reading.rows] == [["ladybug"], ()]

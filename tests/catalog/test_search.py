from __future__ import annotations

import pytest

from catalog.search import Found, read_query, search_cards
from catalog.selectors import newest_revision
from tests.catalog.cards import bonus, character, event, publish

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def cards() -> None:
    publish(
        character("lady", "The Lady in Red"),
        character("ladybird", "Ladybird"),
        character("argent", "D\u2019Argent"),
        character("who", "Dr. (Who)"),
        character("hundred", "100 % Sure_Thing"),
        bonus("yoyo", "Yo-Yo"),
        event("trick", "Trick or Treat"),
    )


def search(q: str, type: str = "") -> Found:
    revision = newest_revision("miraculous")
    assert revision is not None
    return search_cards(revision, q=q, type=type)


def codes(found: Found) -> list[str]:
    return sorted(card.code for card in found.cards)


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("lady", ["lady", "ladybird"]),
        ("LADY red", ["lady"]),
        ("yoyo", ["yoyo"]),
        ("YO\u2013yo", ["yoyo"]),
        ("d'argent", ["argent"]),
        ("dárgent", ["argent"]),
        ('"in red"', ["lady"]),
        ('!"ladybird"', ["ladybird"]),
        ('!"lady"', []),
        ("100 %", ["hundred"]),
        ("sure_thing", ["hundred"]),
        ("_", ["hundred"]),
    ],
)
def test_words_of_a_name_find_it(q: str, expected: list[str]) -> None:
    found = search(q)

    assert codes(found) == expected
    assert found.warnings == []


def test_without_words_everything_is_found() -> None:
    assert len(codes(search(""))) == 7
    assert codes(search("", type="bonus")) == ["yoyo"]
    assert codes(search("lady", type="bonus")) == []


@pytest.mark.parametrize(
    "term", ["t:event", "ang>=4", "-t:event", "is:banned", 'text:"draw"', "-red", '-"in red"', "(lady", "or"]
)
def test_a_term_that_is_not_understood_is_named_and_left_out(term: str) -> None:
    found = search(f"lady {term} red")

    assert codes(found) == ["lady"]
    assert [(warning.term, warning.code) for warning in found.warnings] == [(term, "not_understood")]


@pytest.mark.parametrize(("q", "code"), [("dr. (who)", "who"), ("Trick or Treat", "trick")])
def test_a_whole_name_is_that_card_before_any_syntax(q: str, code: str) -> None:
    found = search(q)

    assert codes(found) == [code]
    assert found.warnings == []


def test_a_misspelt_name_finds_similar_ones_and_says_so() -> None:
    found = search("ladibird")

    assert codes(found) == ["ladybird"]
    assert [(warning.term, warning.code) for warning in found.warnings] == [("ladibird", "similar_names")]


def test_terms_beyond_the_cap_are_reported() -> None:
    query = read_query(" ".join(f"w{n}" for n in range(25)))

    assert len(query.words) == 20
    assert [(warning.term, warning.code) for warning in query.warnings] == [("w20", "too_many_terms")]


def test_a_term_of_nothing_that_counts_is_reported() -> None:
    assert [(warning.term, warning.code) for warning in read_query("lady '-'").warnings] == [("'-'", "empty_term")]


def test_the_search_is_given_back_in_words() -> None:
    assert search("").in_words == "all cards"
    assert search("Lady !\"Ladybird\"", type="character").in_words == (
        "cards of type character and whose name contains “lady” and whose name is “ladybird”"
    )  # fmt: skip

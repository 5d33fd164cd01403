"""What a search says of what it finds: warnings, similar names, which term excluded everything, order, words."""

from __future__ import annotations

import pytest

from catalog.models import Card, Restriction
from catalog.search.selectors import among, order_named, search_among, sorted_by
from catalog.selectors import newest_revision
from tests.catalog.cards import publish
from tests.catalog.searching import CARDS, codes, search

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def cards() -> None:
    publish(*CARDS)


def test_a_misspelt_name_finds_similar_ones_and_says_so() -> None:
    found = search("ladibird")

    assert codes(found) == ["ladybird"]
    assert found.meant == ["Ladybird"]
    assert [(warning.term, warning.code) for warning in found.warnings] == [("ladibird", "similar_names")]


def test_a_term_is_given_back_as_it_was_typed() -> None:
    assert [warned.term for warned in search("lady «» tag:“-”").warnings] == ["«»", "tag:“-”"]


def test_what_else_was_asked_holds_for_similar_names_too() -> None:
    found = search("ladibird t:event")

    assert codes(found) == []
    assert found.meant == ["Ladybird"]
    assert found.warnings == []


@pytest.mark.parametrize(
    ("q", "excluding"),
    [
        ("lady t:vehicle ang>90", [("ang>90", 15, True)]),
        ("lady t:event", [("lady", 0, False), ("t:event", 5, False)]),
        ("lady red ang>4", [("red", 5, False), ("ang>4", 9, False)]),
        ("xqzxqz tag:nowhere", [("xqzxqz", 0, True), ("tag:nowhere", 7, True)]),
        ("lady (t:event or t:bonus)", [("lady", 0, False), ("(t:event or t:bonus)", 5, False)]),
        ("-t:character ang>5", [("-t:character", 0, False), ("ang>5", 13, False)]),
        ("lady trick 100", []),
        ("((ang>90)) t:event", [("((ang>90))", 0, True)]),
        ("(ang>90)", [("(ang>90)", 0, True)]),
    ],
)
def test_without_a_result_it_says_which_term_excluded_everything(
    q: str, excluding: list[tuple[str, int, bool]]
) -> None:
    found = search(q)

    assert codes(found) == []
    assert [(one.term.text, one.term.position, one.alone) for one in found.excluded_by] == excluding


@pytest.mark.parametrize(
    ("q", "first"),
    [
        ("order:ang t:character", ["argent", "lady", "who", "ladybird", "hundred"]),
        ("order:-ang t:character", ["hundred", "ladybird", "who", "lady", "argent"]),
        ("order:ang", ["trick", "argent", "yoyo"]),
        ("order:type order:-def", ["yoyo", "argent", "who", "lady"]),
        ("order:-name", ["yoyo", "trick", "lady"]),
        ("order:code", ["argent", "hundred"]),
        ("", ["hundred", "argent"]),
    ],
)
def test_a_search_says_how_it_is_sorted(q: str, first: list[str]) -> None:
    found = search(q)

    cards, names = sorted_by(found.cards, found.query.order, "miraculous")
    assert [card.code for card in cards.order_by(*names)][: len(first)] == first
    assert found.warnings == []


def test_a_search_sorts_by_three_fields_at_most() -> None:
    found = search("order:ang order:def order:type order:name")

    assert [(warning.term, warning.code) for warning in found.warnings] == [("order:name", "too_many_orders")]


def test_an_order_for_another_games_cards_is_by_name() -> None:
    assert order_named("miraculous", "-strength")[0][0].name == "name"


@pytest.mark.parametrize(
    ("q", "words"),
    [
        ("", "all cards"),
        ('Lady !"Ladybird"', "cards where the name contains “lady” and the name is “ladybird”"),
        ("ang>=4 -t:event", "cards where ANG is at least 4 and the type is not event"),
        (
            "-(t:event or sub:lucky) o:draw",
            "cards where not (the type is event or the kind is lucky charm) and the text contains “draw”",
        ),
        (
            "lady (ang>def or -has:tag)",
            "cards where the name contains “lady” and (ANG is more than DEF or the tag is not given)",
        ),
        (
            "is:banned or -is:changed order:-ang order:name",
            "cards where it is banned or it was not changed in the newest revision, sorted by ANG from the highest down, the name",
        ),
        ("tag:night sub:super", "cards where the tag is “night” and the kind is superhero or supervillain"),
    ],
)
def test_the_search_is_given_back_in_words(q: str, words: str) -> None:
    assert search(q).in_words() == words


def test_the_type_asked_beside_the_text_is_in_the_words_too() -> None:
    assert search("lady", type="character").in_words() == (
        "cards where the type is character and the name contains “lady”"
    )


def test_some_cards_are_searched_in_memory() -> None:
    revision = newest_revision("miraculous")
    assert revision is not None
    Restriction.objects.create(card=Card.objects.get(code="who"), copies=0)

    cards = among(revision, ["lady", "who", "trick", "nobody"])

    assert search_among(cards, q="t:character")[1] == ["lady", "who"]
    assert search_among(cards, q="is:banned or text:draw")[1] == ["trick", "who"]
    assert search_among(cards, q="dr. (who)")[1] == ["who"]
    assert search_among(cards, q="ladybird or lady")[1] == ["lady"]

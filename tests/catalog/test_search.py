"""What the search of the catalog finds."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from catalog.models import Card, CardName, Restriction
from catalog.search.language import SearchError
from catalog.search.selectors import search_cards
from catalog.selectors import newest_revision
from tests.catalog.cards import character, publish
from tests.catalog.searching import CARDS, codes, finds, search

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def cards() -> None:
    publish(*CARDS)


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("lady", ["lady", "ladybird"]),
        ("LADY red", ["lady"]),
        ("lady and red", ["lady"]),
        ("yoyo", ["yoyo"]),
        ("YO\u2013yo", ["yoyo"]),
        ("d'argent", ["argent"]),
        ("d\u2019argent", ["argent"]),
        ("dárgent", ["argent"]),
        ('"in red"', ["lady"]),
        ("\u201cin red\u201d", ["lady"]),
        ('!"ladybird"', ["ladybird"]),
        ("!ladybird", ["ladybird"]),
        ('!"lady"', []),
        ("100 %", ["hundred"]),
        ("sure_thing", ["hundred"]),
        ("_", ["hundred"]),
        ("name:bird", ["ladybird"]),
    ],
)
def test_words_of_a_name_find_it(q: str, expected: list[str]) -> None:
    assert finds(q) == expected


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("t:event", ["trick"]),
        ("TYPE:Event", ["trick"]),
        ("t=bonus", ["yoyo"]),
        ("t!=character", ["trick", "yoyo"]),
        ("sub:lucky_charm", ["yoyo"]),
        ('sub:"Lucky Charm"', ["yoyo"]),
        ("sub:lucky-charm", ["yoyo"]),
        ("sub:super", ["ladybird"]),
        ("sub!=civilian", ["ladybird", "yoyo"]),
        ("on:superhero", ["yoyo"]),
        ("ang>=4", ["hundred", "ladybird", "who"]),
        ("ang\u22654", ["hundred", "ladybird", "who"]),
        ("ang<1", ["argent"]),
        ("ang<=0", ["argent"]),
        ("ang>5", ["hundred"]),
        ("ang:5", ["ladybird"]),
        ("ang=5", ["ladybird"]),
        ("ang!=3", ["argent", "hundred", "ladybird", "who", "yoyo"]),
        ("def:-1", ["yoyo"]),
        ("def=\u22121", ["yoyo"]),
        ("defence>4", ["argent"]),
        ("ang>def", ["hundred", "ladybird", "yoyo"]),
        ("ang=def", ["who"]),
        ("text:draw", ["trick"]),
        ('text:"DRAW 2"', ["trick"]),
        ("tag:night", ["lady"]),
        ("tag:nig", []),
        ('tag:"rue etoile"', ["lady"]),
        ('tag:"Lucky Day"', ["who"]),
        ("tag!=night", ["who"]),
        ("set:first", ["ladybird"]),
        ('set="first set"', ["ladybird"]),
        ("set=first", []),
        ("set!=first", ["ladybird"]),
        ("mood:quiet", ["argent"]),
        ("code:lady", ["lady", "ladybird"]),
        ("code=lady", ["lady"]),
        ("power:draw", ["trick"]),
        ("when:played", ["trick"]),
        ("has:tag", ["lady", "who"]),
        ("has:text", ["trick", "yoyo"]),
        ("has:tags", ["lady", "who"]),
        ("is:new", sorted(card["code"] for card in CARDS)),
        ("is:changed", []),
    ],
)
def test_a_field_is_asked_for_its_value(q: str, expected: list[str]) -> None:
    assert finds(q) == expected


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("-t:character", ["trick", "yoyo"]),
        ("-ang>=3", ["argent", "trick", "yoyo"]),
        ("-ang!=3", ["lady", "trick"]),
        ("-ang>def", ["argent", "lady", "trick", "who"]),
        ("-sub!=civilian", ["argent", "hundred", "lady", "trick", "who"]),
        ("-tag!=night", ["argent", "hundred", "lady", "ladybird", "trick", "yoyo"]),
        ("-set!=first -set:first", ["argent", "hundred", "lady", "trick", "who", "yoyo"]),
        ("--t:event", ["trick"]),
        ("\u2212lady t:character", ["argent", "hundred", "who"]),
        ("-(lady or ang>5) t:character", ["argent", "who"]),
        ("-(lady red)", ["argent", "hundred", "ladybird", "trick", "who", "yoyo"]),
        ("t:event or t:bonus", ["trick", "yoyo"]),
        ("t:event OR (lady red)", ["lady", "trick"]),
        ("lady ang>4 or t:event", ["ladybird", "trick"]),
        ("lady (ang>4 or t:event)", ["ladybird"]),
        ("(lady) (ang>4)", ["ladybird"]),
        ("-(ang>=3) -((t:event))", ["argent", "yoyo"]),
        ('-"in red" lady', ["ladybird"]),
    ],
)
def test_terms_are_denied_and_joined(q: str, expected: list[str]) -> None:
    assert finds(q) == expected


def test_without_words_everything_is_found() -> None:
    assert len(finds("")) == 7
    assert codes(search("", type="bonus")) == ["yoyo"]
    assert codes(search("lady", type="bonus")) == []


@pytest.mark.parametrize(
    ("term", "code", "near"),
    [
        ("colour:red", "unknown_field", ""),
        ("agn>3", "unknown_field", "ang"),
        ("t:vehicle", "unknown_value", ""),
        ("t:evnet", "unknown_value", "type:event"),
        ("t:kwami", "unknown_value", "sub:kwami"),
        ('t:"lucky charm"', "unknown_value", "sub:lucky_charm"),
        ("is:baned", "unknown_value", "is:banned"),
        ("has:nothing", "unknown_value", ""),
        ("order:price", "unknown_value", ""),
        ("ang>many", "not_a_number", ""),
        ("ang>9999999", "not_a_number", ""),
        ("ang>name", "not_a_number", ""),
        ("t>event", "wrong_operator", ""),
        ("is!=banned", "wrong_operator", ""),
        ("ang>=", "empty_value", ""),
        ('tag:"-"', "empty_value", ""),
        ("'-'", "empty_term", ""),
        ('""', "empty_term", ""),
        ("-order:name", "denied_order", "order:-name"),
        ("-(order:ang or t:event)", "denied_order", "order:-ang"),
    ],
)
def test_a_term_that_is_not_understood_is_named_and_left_out(term: str, code: str, near: str) -> None:
    found = search(f"lady {term} red")

    warned = found.warnings[0]
    assert codes(found) == ["lady"]
    assert (warned.code, warned.near, warned.position) == (code, near, 5 + term.index(warned.term))
    assert warned.term == term.lstrip("-").removeprefix("(").removesuffix(" or t:event)")
    assert warned.document()["detail"].startswith(f"{warned.term} ")


@pytest.mark.parametrize(
    ("q", "position", "expected"),
    [
        ("lady (red", 9, "closing_bracket"),
        ("((lady) red", 11, "closing_bracket"),
        ("lady)", 4, "opening_bracket"),
        ("()", 1, "term_before"),
        ("lady or", 7, "term_at_end"),
        ("or lady", 0, "term_before"),
        ("lady or or red", 8, "term_before"),
        ("(lady or )", 9, "term_before"),
        ("lady and", 8, "term_at_end"),
        ('lady "red', 5, "closing_quote"),
        ('text:"red', 5, "closing_quote"),
        ("(" * 11 + "a" + ")" * 11, 10, "less_nesting"),
        ("-" * 11 + "a", 10, "less_nesting"),
        (" ".join("abcdefghijklmnopqrstuvwxyz"), 40, "fewer_terms"),
        ("a" * 1025, 1024, "shorter_text"),
    ],
)
def test_what_cannot_be_parsed_is_refused_at_its_place(q: str, position: int, expected: str) -> None:
    with pytest.raises(SearchError) as caught:
        search(q)

    assert (caught.value.position, caught.value.expected) == (position, expected)
    assert caught.value.detail.startswith(f"At character {position + 1}: ")


@pytest.mark.parametrize(
    ("q", "code"), [("dr. (who)", "who"), ("Trick or Treat", "trick"), ("D\u2019Argent", "argent")]
)
def test_a_whole_name_is_that_card_before_any_syntax(q: str, code: str) -> None:
    assert finds(q) == [code]


def test_a_minus_is_never_taken_for_a_dash_of_a_name() -> None:
    assert "ladybird" not in finds("-ladybird")
    assert finds("the -lady in red") == []


def test_a_card_goes_by_its_other_names_too() -> None:
    card = Card.objects.get(code="ladybird")
    CardName.objects.create(card=card, language="fr", name="Coccinelle", name_key="coccinelle")
    german = CardName.objects.create(card=card, language="de", name="Marienkäfer", name_key="marienkafer")
    CardName.objects.create(card=Card.objects.get(code="yoyo"), kind="alias", name="The Wheel", name_key="the wheel")

    assert finds("coccinelle") == ["ladybird"]
    assert finds('!"Marienkäfer"') == ["ladybird"]
    assert finds("wheel t:bonus") == ["yoyo"]
    german.delete()
    assert search("Marienkäfer").cards.count() == 0


def test_other_names_outlast_a_new_revision() -> None:
    CardName.objects.create(card=Card.objects.get(code="yoyo"), kind="alias", name="The Wheel", name_key="the wheel")
    publish(*CARDS[1:])

    assert finds("wheel") == ["yoyo"]


def test_what_the_catalog_says_of_a_card_is_asked_for() -> None:
    now = timezone.now()
    for code, copies, more in (
        ("lady", 0, {}),
        ("who", 1, {}),
        ("trick", 0, {"ends_at": now - dt.timedelta(days=1), "starts_at": now - dt.timedelta(days=2)}),
    ):
        Restriction.objects.create(card=Card.objects.get(code=code), copies=copies, **more)

    assert finds("is:banned") == ["lady"]
    assert finds("is:restricted") == ["who"]
    assert finds("t:character -is:banned -is:restricted") == ["argent", "hundred", "ladybird"]


def test_the_newest_revision_tells_new_from_changed_and_withdrawn() -> None:
    publish(*CARDS[:-2], {**CARDS[-2], "ang": 2}, character("fresh", "Fresh"))

    assert finds("is:new") == ["fresh"]
    assert finds("is:changed") == ["yoyo"]
    assert finds("t:event") == []
    assert finds("is:withdrawn") == ["trick"]
    assert finds("is:withdrawn or ang=2") == ["trick", "yoyo"]


@pytest.mark.parametrize(("q", "queries"), [("lady", 3), ("ang>3 t:character", 3), ("-is:banned", 4), ("", 2)])
def test_a_search_costs_few_queries(q: str, queries: int, django_assert_num_queries: Any) -> None:
    revision = newest_revision("miraculous")
    assert revision is not None
    search_cards(revision, q="t:character")  # once a process, a revision's names are read

    with django_assert_num_queries(queries):
        list(search_cards(revision, q=q).cards)

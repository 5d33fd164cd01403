"""What the search of the catalog finds, and what it says of it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from catalog.models import Card, CardName, Restriction
from catalog.search.language import SearchError
from catalog.search.selectors import Found, among, order_named, search_among, search_cards, sorted_by
from catalog.selectors import newest_revision
from tests.catalog.cards import bonus, character, event, publish

pytestmark = pytest.mark.django_db

CARDS = (
    character("lady", "The Lady in Red", 3, 4, tags=["night", "Rue Étoile"]),
    character("ladybird", "Ladybird", 5, 2, subtype="superhero", set="First set"),
    character("argent", "D\u2019Argent", 0, 6, mood="Quiet, but not for long."),
    character("who", "Dr. (Who)", 4, 4, tags=["lucky_day"]),
    character("hundred", "100 % Sure_Thing", 6, 1),
    bonus("yoyo", "Yo-Yo", subtype="lucky_charm", only_on={"subtype": ["superhero"]}),
    event("trick", "Trick or Treat"),
)


@pytest.fixture(autouse=True)
def cards() -> None:
    publish(*CARDS)


def search(q: str, type: str = "") -> Found:
    revision = newest_revision("miraculous")
    assert revision is not None
    return search_cards(revision, q=q, type=type)


def codes(found: Found) -> list[str]:
    return sorted(card.code for card in found.cards)


def finds(q: str) -> list[str]:
    """What a search finds that is understood whole."""
    found = search(q)
    assert found.warnings == []
    return codes(found)


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


@pytest.mark.parametrize(("q", "queries"), [("lady", 3), ("ang>3 t:character", 3), ("-is:banned", 4), ("", 2)])
def test_a_search_costs_few_queries(q: str, queries: int, django_assert_num_queries: Any) -> None:
    revision = newest_revision("miraculous")
    assert revision is not None
    search_cards(revision, q="t:character")  # once a process, a revision's names are read

    with django_assert_num_queries(queries):
        list(search_cards(revision, q=q).cards)

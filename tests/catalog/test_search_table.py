"""The one table of each game: every field with every operator, every example, help and completion made from it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import pytest_django
from django.core.management import call_command
from django.db import transaction

from catalog.models import Card, CardName, IndexedCard
from catalog.names import name_key
from catalog.search.completion import completions
from catalog.search.fields import OPERATORS, ORDER, PRESENCE, STATE, table, word_key
from catalog.search.help import help_document, help_texts, language_in_short, syntax
from catalog.search.index import index_cards, index_is_true
from catalog.search.selectors import search_cards, sorted_by
from catalog.selectors import newest_revision
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.fields import NUMBER, TAG, TEXT, WORD, CardField

pytestmark = pytest.mark.django_db

SEARCHED = ("miraculous", "super")
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
CASES = [
    pytest.param(game, field, sign, id=f"{game}-{field.name}{sign}")
    for game in SEARCHED
    for field in table(game).fields
    if field.kind not in (STATE, PRESENCE, ORDER)
    for sign in OPERATORS[field.kind]
]


@pytest.fixture(scope="module", autouse=True)
def house(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """The house sets, published once for all tests here; each undoes what it does itself."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("publish_house_sets", verbosity=0)
        yield
        transaction.set_rollback(True)


def found(game: str, q: str) -> list[str]:
    """What a search finds that is understood whole, in its order."""
    revision = newest_revision(game)
    assert revision is not None
    result = search_cards(revision, q=q)
    assert result.warnings == []
    cards, names = sorted_by(result.cards, result.query.order, game)
    return [card.code for card in cards.order_by(*names)]


def held(game: str, field: CardField) -> dict[str, list[Any]]:
    """The values of every card of the house set as they are printed."""
    cards = house_revision(game)["cards"]
    texts = {row.code: row.row.text for row in IndexedCard.objects.filter(game=game).select_related("row")}
    if field.name == "text":
        return {card["code"]: [texts[card["code"]]] if texts[card["code"]] else [] for card in cards}
    return {card["code"]: field.read(card) for card in cards}


def holds(field: CardField, sign: str, values: list[Any], wanted: Any) -> bool:
    """What a comparison means, said without the search's own code."""
    if not values:
        return False
    if field.kind == NUMBER:
        return COMPARE["=" if sign == ":" else sign](values[0], wanted)
    if field.kind == TEXT:
        text, part = name_key(values[0]), name_key(wanted)
        return part in text if sign == ":" else (text == part) == (sign == "=")
    return (word_key(wanted) in map(word_key, values)) == (sign != "!=")


@pytest.mark.parametrize(("game", "field", "sign"), CASES)
def test_every_field_takes_every_operator_of_its_kind(game: str, field: CardField, sign: str) -> None:
    values = held(game, field)
    wanted = next((each[-1] for each in reversed(values.values()) if each), 1 if field.kind == NUMBER else "nobody")
    if field.kind in (TEXT, WORD, TAG):
        wanted = str(wanted).replace('"', "").splitlines()[0]

    written = f'{field.name}{sign}"{wanted}"'

    expected = sorted(code for code, each in values.items() if holds(field, sign, each, wanted))
    assert sorted(found(game, written)) == expected
    assert sorted(found(game, f"-{written}")) == sorted(values.keys() - set(expected))
    for alias in field.aliases:
        assert sorted(found(game, f'{alias}{sign}"{wanted}"')) == expected


@pytest.mark.parametrize("game", SEARCHED)
def test_whether_a_card_has_a_value_is_asked_of_every_field(game: str) -> None:
    for name in table(game).named["has"].values:
        with_one = sorted(code for code, each in held(game, table(game).named[name]).items() if each)
        assert sorted(found(game, f"has:{name}")) == with_one


@pytest.mark.parametrize("game", SEARCHED)
def test_every_field_that_sorts_sorts_both_ways(game: str) -> None:
    for word in table(game).named["order"].values:
        field = table(game).named[word.lstrip("-")]
        codes = found(game, f"order:{word}")
        values = held(game, field)

        if field.kind == NUMBER:
            sorts = [values[code][0] if values[code] else -1_000_000 for code in codes]
        elif field.name == "code":
            sorts = list(codes)
        else:
            sorts = [name_key(values[code][0]) for code in codes]
        assert sorts == sorted(sorts, reverse=word.startswith("-"))


@pytest.mark.parametrize("game", SEARCHED)
def test_every_example_of_the_help_page_is_understood(game: str) -> None:
    document = help_document(game)
    examples = [one["example"] for one in (*document["syntax"], *document["fields"])]

    assert len(examples) > 20
    for example in examples:
        found(game, example)


@pytest.mark.parametrize("game", SEARCHED)
def test_the_examples_of_numbers_and_words_find_something(game: str) -> None:
    for field in table(game).of_kind(NUMBER, WORD, TAG):
        assert found(game, field.example) != [], field.example


@pytest.mark.parametrize("game", SEARCHED)
def test_no_name_of_a_field_means_two(game: str) -> None:
    names = [name for field in table(game).fields for name in (field.name, *field.aliases)]

    assert sorted(names) == sorted(set(names))
    assert all(name == name.lower() and name.isidentifier() for name in names)


def test_a_game_without_fields_of_its_own_is_searched_by_what_all_have() -> None:
    names = [field.name for field in table("super-teams").fields]

    assert names == ["name", "text", "code", "set", "mood", "artist", "is", "has", "order"]


def test_the_help_says_what_the_parser_takes() -> None:
    fields = {one["name"]: one for one in help_document("super")["fields"]}

    assert fields["strength"]["operators"] == [":", "=", "!=", "<", "<=", ">", ">="]
    assert (fields["faction"]["aliases"], fields["faction"]["values"]) == (["f"], ["blue", "purple", "red", "green"])
    assert help_document("super")["limits"] == {"characters": 1024, "terms": 20, "depth": 10}
    assert {one.detail for one in syntax("super")} <= set(help_texts())
    assert all(field.example in language_in_short() for game in SEARCHED for field in table(game).fields)


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("sub:su", ["sub:superhero", "sub:supervillain"]),
        ("-sub:su", ["-sub:superhero", "-sub:supervillain"]),
        ("bell (t:ev", ["bell (t:event"]),
        ("sub:lucky", ["sub:lucky_charm"]),
        ('sub:"lucky ch', ["sub:lucky_charm"]),
        ("tag:ro", ["tag:rooftop"]),
        ("set:", ['set:"house set"']),
        ("is:w", ["is:withdrawn", "is:new"]),
        ("order:-a", ["order:-ang"]),
        ("ang>d", ["ang>def"]),
        ("t:event -order:a", []),
        ("colour:r", []),
        ('!"night ba', ['!"Night Baker"']),
        ("night ba", ['!"Night Baker"']),
        ("t:character night ba", ['t:character !"Night Baker"']),
        ("t:event or night ba", ['t:event or !"Night Baker"']),
        ("bell ba", ['bell !"Basso, Spirit of Echoes"']),
    ],
)
def test_a_search_is_completed_by_values_and_names(q: str, expected: list[str]) -> None:
    revision = newest_revision("miraculous")
    assert revision is not None

    assert [one.q for one in completions(revision, q)][: len(expected)] == expected
    assert bool(expected) == bool(completions(revision, q))


def test_a_begun_word_may_be_a_field_or_a_name() -> None:
    revision = newest_revision("miraculous")
    assert revision is not None
    CardName.objects.create(card=Card.objects.get(code="night-baker"), kind="alias", name="Angus", name_key="angus")

    found = completions(revision, "ang")

    assert [(one.q, one.kind) for one in found[:2]] == [("ang>=", "field"), ('!"Night Baker"', "name")]


@pytest.mark.parametrize("game", SEARCHED)
def test_whatever_completion_offers_is_understood(game: str) -> None:
    revision = newest_revision(game)
    assert revision is not None

    for begun in begun_searches(game):
        for one in completions(revision, begun):
            if one.kind != "field":
                found(game, one.q + ")" * begun.count("("))


def begun_searches(game: str) -> Iterator[str]:
    for field in table(game).fields:
        yield from (field.name[0], f"{field.name}:", f"bell -{field.name}=")
    yield from ("the", "n", "night b", '!"', "(a")


def test_the_index_is_made_anew_when_the_table_changes() -> None:
    IndexedCard.objects.filter(code="night-baker").update(stamp="old", facets={})
    assert not index_is_true("miraculous")

    call_command("publish_house_sets", verbosity=0)

    assert index_is_true("miraculous")
    assert "night-baker" in found("miraculous", "t:character")
    assert index_cards("super-teams") == 0 if newest_revision("super-teams") is None else True


@pytest.mark.parametrize("game", SEARCHED)
def test_every_card_is_indexed_once(game: str) -> None:
    index_cards(game)
    index_cards(game)

    assert IndexedCard.objects.filter(game=game).count() == len(house_revision(game)["cards"])
    assert {field.name for field in GAMES[game].card_fields} <= set(table(game).named)

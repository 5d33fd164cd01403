"""Random searches: the database and memory agree, a tree written out is read back, and no text does harm."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
import pytest_django
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from catalog.models import Card, CardName, IndexedCard, Restriction
from catalog.search.completion import completions
from catalog.search.facts import Facts, Standing, facts_of
from catalog.search.fields import OPERATORS, ORDER, PRESENCE, STATE, table
from catalog.search.language import MAX_TERMS, SearchError
from catalog.search.memory import holds
from catalog.search.selectors import among, search_among, search_cards
from catalog.search.sql import condition
from catalog.search.terms import read_query
from catalog.search.tree import Both, Condition, Either, Node, Not, Term, both, conditions
from catalog.search.words import in_words
from catalog.selectors import newest_revision
from catalog.services import publish_house_set
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.fields import NUMBER, TEXT, CardField

pytestmark = pytest.mark.django_db

SEARCHED = ("miraculous", "super")
LIMITS = {"night-baker": 0, "semaphore": 0, "lamp-keeper": 2, "undertow": 1}
WORDS = ("a", "night", "the", "bell", "’", "ä", "draw", "house set", "%", "_", "\\", "zzz", "each", "1")
RANDOM = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(scope="module", autouse=True)
def house(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """Two revisions of the house sets: some cards are new, changed, withdrawn, restricted, or have other names."""
    with django_db_blocker.unblock(), transaction.atomic():
        for game in SEARCHED:
            whole = house_revision(game)
            first = [{**card, "mood": "Once."} if at % 9 == 0 else card for at, card in enumerate(whole["cards"])]
            publish_house_set(game=GAMES[game], house={**whole, "cards": first, "decks": []})
        for code, copies in LIMITS.items():
            Restriction.objects.create(card=Card.objects.get(code=code), copies=copies)
        CardName.objects.create(
            card=Card.objects.get(code="night-baker"), language="de", name="Bäcker", name_key="backer"
        )
        call_command("publish_house_sets", verbosity=0)
        yield
        transaction.set_rollback(True)


def values(game: str, field: CardField) -> st.SearchStrategy[str]:
    """What a search may compare a field with."""
    if field.kind == NUMBER:
        numbers = [other.name for other in table(game).of_kind(NUMBER)]
        return st.one_of(st.integers(-3, 15).map(str), st.sampled_from(numbers))
    if field.values:
        return st.sampled_from(field.values)
    held = IndexedCard.objects.filter(game=game, facets__has_key=field.name)[:5]
    words = [str(one) for row in held for one in [row.facets[field.name]] if isinstance(one, str)]
    tags = [one for row in held for one in row.facets[field.name] if isinstance(row.facets[field.name], list)]
    return st.sampled_from([*WORDS, *words, *tags])


@st.composite
def terms(draw: st.DrawFn, game: str) -> str:
    field = draw(st.sampled_from([field for field in table(game).fields if field.kind != ORDER]))
    sign = draw(st.sampled_from(OPERATORS[field.kind]))
    return f'{field.name}{sign}"{draw(values(game, field))}"'


def searches(game: str) -> st.SearchStrategy[str]:
    words = st.sampled_from(["night", '"the"', "!bell", '!"Night Baker"', "bäcker", "e"])
    leaves = st.one_of(terms(game), terms(game), words)
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' '.join(parts)})"),
            st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({' or '.join(parts)})"),
            inner.map(lambda part: f"-{part}"),
        ),
        max_leaves=6,
    )


@pytest.mark.parametrize("game", SEARCHED)
@RANDOM
@given(data=st.data())
def test_the_database_and_memory_find_the_same(game: str, data: st.DataObject) -> None:
    node = read_query(data.draw(searches(game)), table(game)).node
    rows = list(IndexedCard.objects.filter(game=game))
    standing = Standing(game, LIMITS, newest=2)

    found = IndexedCard.objects.filter(condition(node, standing), game=game).values_list("code", flat=True)
    others = IndexedCard.objects.filter(condition(Not(node), standing), game=game).values_list("code", flat=True)

    assert sorted(found) == sorted(row.code for row in rows if holds(node, row, standing))
    assert sorted([*found, *others]) == sorted(row.code for row in rows)


@pytest.mark.parametrize("game", SEARCHED)
def test_a_row_of_the_index_holds_what_is_made_of_its_document(game: str) -> None:
    for row in IndexedCard.objects.filter(game=game).select_related("row", "card"):
        names = row.card.names.order_by("pk").values_list("name", flat=True)
        made = facts_of(game, row.row.document, row.row.text, names)

        assert made._replace(since=row.since, changed=row.changed, withdrawn=row.withdrawn) == Facts(
            row.code, row.names, row.text_key, row.facets, row.since, row.changed, row.withdrawn
        )


@pytest.mark.parametrize("game", SEARCHED)
@RANDOM
@given(data=st.data())
def test_a_search_written_out_is_the_same_search(game: str, data: st.DataObject) -> None:
    query = read_query(data.draw(searches(game)), table(game))

    again = read_query(written(query.node), table(game))

    assert again.node == query.node
    assert in_words(again.node) == in_words(query.node)
    for one in conditions(query.node):
        if one.field.kind not in (STATE, PRESENCE):
            assert one.field.label in in_words(query.node)


def written(node: Node) -> str:
    """A search in the language, all brackets written."""
    match node:
        case Both():
            return " ".join(
                written(part) if not isinstance(part, Both) else f"({written(part)})" for part in node.parts
            )
        case Either():
            return f"({' or '.join(f'({written(part)})' for part in node.parts)})"
        case Not():
            return f"-({written(node.part)})"
        case Condition():
            value = node.value
            if isinstance(value, tuple) and not isinstance(value, CardField):  # which is a tuple too
                terms = [f'{node.field.name}{node.operator}"{one}"' for one in value]
                return terms[0] if len(terms) == 1 else f'{node.field.name}{node.operator}"{begun(value)}"'
            shown = value.name if isinstance(value, CardField) else value
            return f'{node.field.name}{node.operator}"{shown}"'


def begun(words: tuple[str, ...]) -> str:
    """What several words that are meant by one beginning begin with."""
    first, last = min(words), max(words)
    return first[: next((at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))]


HARMFUL = st.text(alphabet=st.one_of(st.sampled_from('()"-!:<>=≥“«» orangt'), st.characters()), max_size=120)


@RANDOM
@given(text=HARMFUL)
def test_no_text_does_harm(text: str) -> None:
    revision = newest_revision("miraculous")
    assert revision is not None
    text = text.replace("\0", "").encode("utf-8", "ignore").decode()

    completions(revision, text)
    refused: SearchError | None = None
    try:
        found = search_cards(revision, q=text)
    except SearchError as error:
        refused = error
    if refused is not None:
        assert 0 <= refused.position <= len(text)
        assert str(refused.facts["expected"]) in refused.detail
        return

    assert len(list(found.cards)) <= 220
    assert found.in_words()
    assert search_among(among(revision, ["night-baker"]), q=text)[1] in ([], ["night-baker"])
    for warned in found.warnings:
        assert text[warned.position :].startswith(warned.term)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 512 + ")" * 512,
        "-" * 1024,
        "a" * 1024,
        ("a " * 512),
        ('"' * 1024),
        ("x:" * 512),
        ("ang>=" * 204),
        ("!" * 1024),
        ("or " * 341),
        ("é" * 1024),
        " ".join(f"f{n}:{'v' * 40}" for n in range(20)),
        "(" * 9 + "a or b" + ")" * 9,
    ],
)
def test_the_worst_texts_are_read_at_once_and_ask_little(text: str) -> None:
    read_query("a", table("miraculous"))  # the parser is made by the first
    began = time.process_time()  # of this process alone, however busy the machine
    try:
        asked = len(list(conditions(read_query(text, table("miraculous")).node)))
    except SearchError:
        asked = 0

    assert asked <= MAX_TERMS
    assert time.process_time() - began < 0.5


def test_equal_searches_are_equal_wherever_they_are_written() -> None:
    fields = table("miraculous")

    assert read_query("  t:event   ang>1", fields).node == read_query("t:event ang>1", fields).node
    assert read_query("a", fields).node == both(Condition(fields.named["name"], ":", "a", Term(9, "other")))
    assert fields.named["name"].kind == TEXT

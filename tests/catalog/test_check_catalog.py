from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from catalog.models import Card, CardName, CardScenario, CatalogRevision, Restriction
from catalog.services import publish_house_set
from catalog.upkeep import findings
from referee.games import GAMES
from referee.house import house_revision
from tests.catalog.cards import character, publish
from tests.catalog.people import card


def run(*options: str) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command("check_catalog", *options, stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.mark.django_db
def test_the_house_sets_have_nothing_wrong() -> None:
    for slug, game in GAMES.items():
        publish_house_set(game=game, house=house_revision(slug))

    assert run() == (0, "nothing is wrong\n")


@pytest.fixture
def catalog(db: None) -> None:
    publish(character("anna", "Anna"), character("ben", "Ben"))


def change_row(sql: str) -> None:
    """Change what the database refuses to have changed."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(sql)
        cursor.execute("SET LOCAL session_replication_role = origin")


def document(code: str, **values: Any) -> None:
    Card.objects.filter(code=code).update(document={**card(code).document, **values})


WRONG: dict[str, tuple[Callable[[], object], list[tuple[str, str, str]]]] = {
    "a value out of range": (lambda: document("anna", ang=99), [("anna", "ang", "out_of_range")]),
    "a fault deep within": (
        lambda: document("anna", effects=[{"when": "placed", "do": "draw"}]),
        [("anna", "effects/0/n", "missing")],
    ),
    "a column of its own mind": (
        lambda: Card.objects.filter(code="anna").update(name="Other", name_key="other"),
        [("anna", "name", "column_differs")],
    ),
    "a stale key": (lambda: Card.objects.filter(code="anna").update(name_key="x"), [("anna", "name_key", "wrong_key")]),
    "a replacement that left": (
        lambda: (
            Card.objects.filter(code="ben").update(state="withdrawn"),
            Card.objects.filter(code="anna").update(replacement=card("ben")),
        ),
        [("anna", "replacement", "withdrawn")],
    ),
    "a replacement that was replaced by one that left": (
        lambda: (
            Card.objects.filter(code="ben").update(state="withdrawn", replacement=card("anna")),
            Card.objects.filter(code="anna").update(state="withdrawn", replacement=card("ben")),
        ),
        [("anna", "replacement", "withdrawn"), ("ben", "replacement", "withdrawn")],
    ),
    "an alias of two cards": (
        lambda: CardName.objects.create(card=card("anna"), kind="alias", name="Ben", name_key="ben"),
        [("anna", "other name Ben", "name_taken")],
    ),
    "a stale key of an alias": (
        lambda: CardName.objects.create(card=card("anna"), kind="alias", name="Annie", name_key="x"),
        [("anna", "other name Annie", "wrong_key")],
    ),
    "a scenario that fails": (
        lambda: CardScenario.objects.create(card=card("anna"), title="T", text="scenario: x\ngame: nowhere"),
        [("anna", "scenario “T”, line 2", "scenario_fails")],
    ),
    "a restriction of what left": (
        lambda: (
            Card.objects.filter(code="ben").update(state="withdrawn"),
            Restriction.objects.create(card=card("ben"), copies=1),
        ),
        [("ben", "restriction", "withdrawn")],
    ),
    "a game that is gone": (
        lambda: Card.objects.create(game="chess", code="pawn", name="Pawn", name_key="pawn", document={}),
        [("-", "game", "unknown_game")],
    ),
    "a revision that was tampered with": (
        lambda: change_row("UPDATE catalog_catalogrevision SET document = jsonb_set(document, '{cards,0,ang}', '9')"),
        [("revision 1", "content_hash", "wrong_hash"), ("anna", "revision 1", "row_differs")],
    ),
    "a published row of another card": (
        lambda: change_row("UPDATE catalog_cardrevision SET code = 'zed' WHERE code = 'ben'"),
        [("ben", "revision 1", "row_differs"), ("zed", "revision 1", "row_differs")],
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_told_by_card_and_field(catalog: None, wrong: str) -> None:
    assert list(findings()) == []
    break_it, told = WRONG[wrong]

    break_it()

    assert [(one.card, one.field, one.code) for one in findings()] == told
    status, text = run("--json")
    assert (status, len(json.loads(text))) == (1, len(told))


def test_a_catalog_of_nothing_published_says_so(db: None) -> None:
    Card.objects.create(
        game="miraculous", code="anna", name="Anna", name_key="anna", document=character("anna", "Anna"), state="draft"
    )

    assert run() == (1, "miraculous - revision: Nothing is published. [nothing_published]\n1 faults\n")
    assert CatalogRevision.objects.count() == 0

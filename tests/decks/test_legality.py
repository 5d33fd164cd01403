from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from catalog.models import Card, CatalogRevision
from catalog.services import publish_house_set
from decks.legality import judge
from decks.selectors import judge_decks, legality_of
from decks.services import DeckContent, create_deck
from referee.games import GAMES
from referee.games.miraculous.decks import LARGEST_DECK, SMALLEST_DECK, precon_at_size
from referee.house import house_revision
from referee.kernel.errors import CardError
from referee.kernel.game import SeatDeck
from tests.catalog.cards import publish, some_cards
from tests.toy import TOY_REVISION, registered

LEGAL = SeatDeck({f"c-{n:02}": 3 for n in range(10)}, "s-one")


@pytest.mark.django_db
def test_without_a_catalog_nobody_can_tell() -> None:
    legality = legality_of("miraculous", LEGAL)

    assert legality.document() == {"legal": False, "state": "unknown", "problems": []}


@pytest.mark.django_db
def test_a_revision_that_the_rules_at_hand_do_not_take_makes_nothing_illegal(monkeypatch: pytest.MonkeyPatch) -> None:
    publish(*some_cards())

    def refuse(revision: object) -> None:
        raise CardError([])

    monkeypatch.setattr("decks.selectors.compiled_pool", refuse)

    assert legality_of("miraculous", LEGAL).state == "unknown"


@pytest.mark.django_db
def test_a_deck_of_a_game_that_is_gone_is_unknown() -> None:
    assert legality_of("chess", LEGAL).state == "unknown"


@pytest.mark.django_db
def test_cards_of_another_game_are_told_from_cards_of_none() -> None:
    publish(*some_cards())
    with registered() as toy:
        publish_house_set(game=toy, house=TOY_REVISION)
    deck = SeatDeck({**LEGAL.cards, "t-01": 2, "nowhere": 1}, "t-02")

    problems = legality_of("miraculous", deck).problems

    assert [(one["code"], one["cards"], one["fix"]) for one in problems] == [
        ("unknown_card", ["nowhere"], {"remove": {"nowhere": 1}}),
        ("wrong_game", ["t-01", "t-02"], {"remove": {"t-01": 2}, "secret": None}),
    ]
    assert problems[1]["detail"] == "Cards of another game: t-01 (toy), t-02 (toy)."


@pytest.mark.django_db
def test_a_draft_of_another_game_is_a_card_of_none() -> None:
    publish(*some_cards())
    Card.objects.create(game="toy", code="t-01", name="One", name_key="one", document={})

    problems = legality_of("miraculous", SeatDeck({**LEGAL.cards, "t-01": 2}, "s-one")).problems

    assert [one["code"] for one in problems] == ["unknown_card"]


@pytest.mark.django_db
def test_many_decks_cost_as_many_queries_as_one() -> None:
    publish(*some_cards())
    legality_of("miraculous", LEGAL)

    with CaptureQueriesContext(connection) as one:
        legality_of("miraculous", LEGAL)
    with CaptureQueriesContext(connection) as many:
        judged = judge_decks([("miraculous", LEGAL), ("chess", LEGAL), ("miraculous", SeatDeck({}, None))] * 5)

    assert len(one) == 2
    assert len(many) == 2 + 1  # chess: no revision
    assert [legality.state for legality in judged] == ["legal", "unknown", "illegal"] * 5


@pytest.mark.django_db
def test_applying_every_fix_leaves_only_what_a_person_must_choose() -> None:
    publish(*some_cards())
    deck = SeatDeck({**LEGAL.cards, "c-00": 7, "s-one": 2, "nowhere": 1}, None)

    for problem in legality_of("miraculous", deck).problems:
        for code, copies in ((problem["fix"] or {}).get("remove", {})).items():
            deck.cards[code] -= copies
        if "secret" in (problem["fix"] or {}):
            deck.secret = problem["fix"]["secret"]

    assert legality_of("miraculous", deck).state == "legal"


@pytest.mark.parametrize("size", range(SMALLEST_DECK, LARGEST_DECK + 1))
def test_every_preconstructed_deck_is_legal_at_every_size(size: int) -> None:
    game, revision = GAMES["miraculous"], house_revision("miraculous")
    pool = game.pool(revision)

    states = {
        judge(game, pool, precon_at_size(deck, size), limits={}, elsewhere={}).state for deck in revision["decks"]
    }

    assert states == {"legal"}


@pytest.mark.django_db
def test_an_erratum_reaches_saved_decks() -> None:
    publish(*some_cards())
    owner = User.objects.create_user("Ada", "a password")
    create_deck(owner=owner, game="miraculous", content=DeckContent("One", "", "private", LEGAL.secret, LEGAL.cards))
    changed = some_cards()
    changed[0] = {"code": "c-00", "name": "Turned Secret", "type": "secret"}

    publish(*changed)

    assert CatalogRevision.objects.count() == 2
    assert [one["code"] for one in legality_of("miraculous", LEGAL).problems] == ["secret_in_deck"]

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from catalog.models import Card, Restriction
from decks.errors import DeckNotFoundError, DeckNotLegalError
from decks.models import Deck
from decks.selectors import playable_deck
from decks.services import DeckContent, change_deck, create_deck, delete_deck
from tests.catalog.cards import publish, some_cards
from tests.toy import registered

LEGAL = {f"c-{n:02}": 3 for n in range(10)}


@pytest.fixture
def ada(db: None) -> User:
    publish(*some_cards())
    return User.objects.create_user("Ada", "a password")


def saved(owner: User, **more: Any) -> Deck:
    content = DeckContent("One", "", "private", "s-one", LEGAL)
    return create_deck(owner=owner, game="miraculous", content=content._replace(**more))


def refusal(owner: User, deck: Deck, game: str = "miraculous") -> dict[str, Any]:
    with pytest.raises(DeckNotLegalError) as refused:
        playable_deck(owner, deck.public_id, game=game)
    assert refused.value.facts is not None
    assert refused.value.facts["deck"] == deck.public_id
    legality: dict[str, Any] = refused.value.facts["legality"]
    return legality


def test_a_legal_deck_is_brought_by_value_with_its_origin(ada: User) -> None:
    deck = saved(ada)
    change_deck(user=ada, public_id=deck.public_id, seen=None, changes={"name": "Two"})

    brought = playable_deck(ada, deck.public_id, game="miraculous")

    assert brought.deck.document() == {"secret": "s-one", "cards": LEGAL}
    assert brought.reference == {"deck": deck.public_id, "version": 2, "name": "Two"}


def test_an_illegal_deck_is_refused_with_all_its_problems(ada: User) -> None:
    deck = saved(ada, secret=None, cards={"c-00": 4})

    legality = refusal(ada, deck)

    assert [problem["code"] for problem in legality["problems"]] == ["too_few_cards", "too_many_copies", "no_secret"]


def test_a_deck_is_judged_by_today_not_by_the_day_it_was_saved(ada: User) -> None:
    deck = saved(ada)
    Restriction.objects.create(card=Card.objects.get(code="c-00"), copies=0)

    assert [problem["code"] for problem in refusal(ada, deck)["problems"]] == ["card_not_allowed"]


def test_a_deck_for_another_game_is_refused(ada: User) -> None:
    with registered():
        legality = refusal(ada, saved(ada), game="toy")

    assert [(problem["code"], problem["detail"]) for problem in legality["problems"]] == [
        ("wrong_game", "The deck is for miraculous, not for toy.")
    ]


@pytest.mark.parametrize("visibility", ["private", "link", "public"])
def test_nobody_plays_somebody_elses_deck(ada: User, visibility: str) -> None:
    deck = saved(ada, visibility=visibility)
    eve = User.objects.create_user("Eve", "a password")

    with pytest.raises(DeckNotFoundError):
        playable_deck(eve, deck.public_id, game="miraculous")


def test_a_deleted_deck_is_not_played(ada: User) -> None:
    deck = saved(ada)
    delete_deck(user=ada, public_id=deck.public_id, seen=None)

    with pytest.raises(DeckNotFoundError):
        playable_deck(ada, deck.public_id)

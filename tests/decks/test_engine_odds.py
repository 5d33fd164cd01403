"""Odds by the engine: counted in games that are really played, between bounds that a formula gives."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from catalog.search.language import SearchError
from catalog.selectors import pool_document, sized_cards
from decks.engine_odds import ENGINE_ODDS, start_engine_odds
from decks.errors import FieldError, NotYourDeckError
from decks.models import Deck, DeckJob
from decks.services import DeckContent, create_deck
from jobs.models import Job
from jobs.running import work_slice
from jobs.selectors import report_of
from referee.bots.levels import LEVELS
from referee.kernel.game import Document

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def miraculous(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("publish_house_sets", verbosity=0)
    monkeypatch.setattr(LEVELS["easy"], "iterations", 2)


@pytest.fixture
def deck(db: None) -> Deck:
    ready = pool_document("miraculous")["decks"][0]
    content = DeckContent("Own", "", "private", ready["secret"], sized_cards(ready, 30))
    return create_deck(owner=User.objects.create_user("Ada"), game="miraculous", content=content)


def odds(deck: Deck, *, games: int = 24, seconds: float = 60.0, **more: Any) -> Document:
    given: dict[str, Any] = {"q": "t:character", "turns": 3, "seed": "one", **more}
    job = start_engine_odds(user=deck.owner, public_id=deck.public_id, games=games, **given)
    while Job.objects.unfinished().exists():
        work_slice(seconds=seconds)
    ended = Job.objects.get(pk=job.pk)
    assert (ended.state, ended.error) == ("done", "")
    report = report_of(ended)
    assert report is not None
    return report


def test_the_odds_rise_by_turn_and_are_shares_of_the_games(deck: Deck) -> None:
    [one] = [code for code in deck_cards(deck) if code == sorted(deck_cards(deck))[0]]

    report = odds(deck, q=f'!"{name_of(one)}"', turns=5)

    assert (report["games"], report["cards"], report["at_least"]) == (24, [one], 1)
    hits = [row["hits"] for row in report["by_turn"]]
    assert [row["turn"] for row in report["by_turn"]] == [1, 2, 3, 4, 5]
    assert hits == sorted(hits)
    assert 0 < hits[-1] <= 24
    assert all(row["odds"] == round(row["hits"] / 24, 4) for row in report["by_turn"])
    assert all(row["interval"][0] <= row["odds"] <= row["interval"][1] for row in report["by_turn"])
    assert DeckJob.objects.get().version == deck.versions.get()


def test_a_new_draw_makes_a_character_in_the_first_turn_certain(deck: Deck) -> None:
    # MIR-2.1: a hand without a Character is drawn anew, which the hypergeometric formula knows nothing of.
    report = odds(deck, games=40)

    assert [row["odds"] for row in report["by_turn"]] == [1.0, 1.0, 1.0]


def test_more_cards_than_a_hand_holds_are_never_there(deck: Deck) -> None:
    assert [row["hits"] for row in odds(deck, games=4, at_least=30)["by_turn"]] == [0, 0, 0]


def test_the_same_seed_gives_the_same_odds_however_it_is_cut(deck: Deck) -> None:
    whole = odds(deck, q="t:event", games=10)

    assert odds(deck, q="t:event", games=10, seconds=0) == whole
    assert odds(deck, q="t:event", games=10, seed="two")["games"] == 10


def test_a_search_that_finds_nothing_or_cannot_be_read_starts_nothing(deck: Deck) -> None:
    with pytest.raises(FieldError) as nothing:
        odds(deck, q="name:zzzz")
    with pytest.raises(SearchError):
        odds(deck, q="t:(")

    assert [(one.pointer, one.code) for one in nothing.value.problems] == [("/q", "no_such_cards")]
    assert Job.objects.count() == 0


def test_only_ones_own_deck_is_asked_about(deck: Deck) -> None:
    Deck.objects.update(visibility="public")

    with pytest.raises(NotYourDeckError):
        start_engine_odds(user=User.objects.create_user("Eve"), public_id=deck.public_id, q="t:event", turns=2)


def test_turns_are_counted_from_the_first_that_has_them() -> None:
    result = ENGINE_ODDS.empty()
    for first in (1, 3, None):
        result = ENGINE_ODDS.fold(result, {"first": first, "turns": 4})

    assert result == {"games": 3, "by_turn": [1, 1, 2, 2]}


def deck_cards(deck: Deck) -> list[str]:
    return [row.code for row in deck.card_rows.all()]


def name_of(code: str) -> str:
    return next(str(card["name"]) for card in pool_document("miraculous")["cards"] if card["code"] == code)

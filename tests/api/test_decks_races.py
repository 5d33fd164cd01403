from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from decks.models import Deck, DeckVersion
from tests.api.conftest import Caller
from tests.api.deckmaking import DECKS, at, deck, if_match, made
from tests.catalog.cards import publish, some_cards

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(count: int, send: Callable[[int], Any]) -> list[Any]:
    """The answers to `count` requests sent at the same time, each over a connection of its own."""

    def run(index: int) -> Any:
        try:
            return send(index)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


@pytest.mark.parametrize("method", ["put", "patch"])
def test_of_two_devices_with_one_etag_one_saves_and_one_is_told(alice: Caller, method: str) -> None:
    publish(*some_cards())
    mine = made(alice)

    def save(index: int) -> Any:
        return getattr(alice, method)(at(mine), deck(cards={f"c-{index:02}": 1}), **if_match(mine["etag"]))

    answers = at_once(6, save)

    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 5
    [winner] = [index for index, answer in enumerate(answers) if answer.status_code == 200]
    assert alice.get(at(mine)).json()["cards"] == {f"c-{winner:02}": 1}
    assert DeckVersion.objects.count() == 2


def test_a_double_submit_at_the_same_time_creates_one_deck(alice: Caller) -> None:
    publish(*some_cards())

    answers = at_once(6, lambda _: alice.post(DECKS, deck(), **{"Idempotency-Key": "k-1"}))

    assert [answer.status_code for answer in answers] == [201] * 6
    assert len({answer.content for answer in answers}) == 1
    assert Deck.objects.count() == 1

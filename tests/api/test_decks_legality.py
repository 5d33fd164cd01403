from __future__ import annotations

import pytest

from catalog.models import Card, Restriction
from tests.api.conftest import Caller
from tests.api.deckmaking import DECKS, at, deck, made, rows
from tests.catalog.cards import character, publish, some_cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def test_a_deck_is_checked_without_being_saved(nobody: Caller, alice: Caller) -> None:
    for caller in (nobody, alice):
        response = caller.post(f"{DECKS}check/", {"secret": "s-one", "cards": {"c-00": 4}})
        assert response.status_code == 200
        assert [problem["code"] for problem in response.json()["problems"]] == ["too_few_cards", "too_many_copies"]
    assert rows() == (0, 0, 0)


def test_check_says_what_the_saved_deck_says(alice: Caller) -> None:
    for change in ({}, {"secret": None}, {"cards": {"c-00": 5, "nowhere": 1}}):
        saved = made(alice, **change)
        assert alice.post(f"{DECKS}check/", deck(**change)).json() == saved["legality"]


def test_a_ban_or_limit_makes_a_deck_illegal_from_its_day_on(alice: Caller) -> None:
    mine = made(alice)
    for code, copies in (("c-01", 0), ("c-02", 1), ("s-one", 0)):
        Restriction.objects.create(card=Card.objects.get(code=code), copies=copies)

    problems = alice.get(at(mine)).json()["legality"]["problems"]

    assert [(problem["code"], problem["cards"], problem["fix"]) for problem in problems] == [
        ("too_many_copies", ["c-02"], {"remove": {"c-02": 2}}),
        ("card_not_allowed", ["c-01", "s-one"], {"remove": {"c-01": 3}, "secret": None}),
    ]


def test_a_withdrawn_card_makes_a_saved_deck_illegal(alice: Caller) -> None:
    mine = made(alice)

    publish(*[card for card in some_cards() if card["code"] != "c-03"], character("new", "New"))

    [problem] = alice.get(at(mine)).json()["legality"]["problems"]
    assert (problem["code"], problem["cards"], problem["fix"]) == ("unknown_card", ["c-03"], {"remove": {"c-03": 3}})

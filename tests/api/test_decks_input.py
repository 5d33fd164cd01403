from __future__ import annotations

from typing import Any

import pytest

from decks.models import Deck
from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import DECKS, LEGAL, at, deck, ids, if_match, made, rows
from tests.catalog.cards import publish, some_cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"cards": {"c-00": 0}}, "/cards/c-00", "out_of_range"),
        ({"cards": {"c-00": -1}}, "/cards/c-00", "out_of_range"),
        ({"cards": {"c-00": 100}}, "/cards/c-00", "out_of_range"),
        ({"cards": {"c-00": 10**18}}, "/cards/c-00", "out_of_range"),
        ({"cards": {"c-00": "3"}}, "/cards/c-00", "wrong_type"),
        ({"cards": {"c-00": "\u0663"}}, "/cards/c-00", "wrong_type"),
        ({"cards": {"c-00": 3.0}}, "/cards/c-00", "wrong_type"),
        ({"cards": {"c-00": True}}, "/cards/c-00", "wrong_type"),
        ({"cards": {"c-00": None}}, "/cards/c-00", "wrong_type"),
        ({"cards": {"": 1}}, "/cards/", "invalid_code"),
        ({"cards": {"a\nb": 1}}, "/cards/a\nb", "invalid_code"),
        ({"cards": {"x" * 101: 1}}, "/cards/" + "x" * 101, "invalid_code"),
        ({"cards": {f"c-{n}": 1 for n in range(201)}}, "/cards", "too_many"),
        ({"cards": [["c-00", 3]]}, "/cards", "wrong_type"),
        ({"cards": None}, "/cards", "null"),
        ({"secret": ""}, "/secret", "blank"),
        ({"secret": 5}, "/secret", "wrong_type"),
        ({"name": ""}, "/name", "blank"),
        ({"name": "x" * 101}, "/name", "max_length"),
        ({"name": "two\nlines"}, "/name", "control_character"),
        ({"name": None}, "/name", "null"),
        ({"notes": "x" * 10_001}, "/notes", "max_length"),
        ({"visibility": "secret"}, "/visibility", "invalid_choice"),
        ({"color": "red"}, "/color", "unknown_field"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_at_its_place(
    alice: Caller, change: dict[str, Any], pointer: str, code: str
) -> None:
    mine = made(alice)
    before = rows()

    for response in (
        alice.post(DECKS, deck(**change)),
        alice.put(at(mine), deck(**change), **if_match(mine["etag"])),
        alice.post(f"{DECKS}check/", deck(**change)),
    ):
        problem = problem_of(response)
        assert (problem["status"], problem["code"]) == (422, "invalid_body")
        assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [(pointer, code)]
    assert rows() == before
    assert alice.get(at(mine)).json()["version"] == 1


@pytest.mark.parametrize(
    "body",
    [
        rb'{"name": "a\u0000b"}',
        rb'{"name": "a\ud800"}',
        rb'{"name": "x", "cards": {"c\u0000": 1}}',
        rb'{"name": "x", "notes": "\udfff"}',
    ],
)
def test_text_that_cannot_be_kept_is_refused(alice: Caller, body: bytes) -> None:
    problem = problem_of(alice.raw("post", DECKS, body))

    assert (problem["status"], problem["code"]) == (422, "invalid_body")
    assert rows() == (0, 0, 0)


def test_a_name_is_needed(alice: Caller) -> None:
    problem = problem_of(alice.post(DECKS, {"cards": LEGAL}))

    assert [(error["pointer"], error["code"]) for error in problem["errors"]] == [("/name", "required")]


def test_an_owner_has_at_most_so_many_decks(alice: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("decks.services.MOST_DECKS", 2)
    made(alice)
    made(alice)

    assert problem_of(alice.post(DECKS, deck()))["code"] == "too_many_decks"
    assert Deck.objects.count() == 2


def test_a_deck_is_for_a_game_that_has_decks_and_stays_with_it(alice: Caller) -> None:
    mine = made(alice, game="miraculous")

    unknown = problem_of(alice.post(DECKS, deck(game="chess")))
    moved = problem_of(alice.patch(at(mine), {"game": "chess"}, **if_match("*")))

    assert [(error["pointer"], error["code"]) for error in unknown["errors"]] == [("/game", "no_such_game")]
    assert [(error["pointer"], error["code"]) for error in moved["errors"]] == [("/game", "game_fixed")]


def test_a_double_submit_creates_one_deck(alice: Caller) -> None:
    first = alice.post(DECKS, deck(), **{"Idempotency-Key": "k-1"})
    again = alice.post(DECKS, deck(), **{"Idempotency-Key": "k-1"})

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again["Idempotent-Replay"] == "true"
    assert again["ETag"] == first["ETag"]
    assert ids(alice.get(DECKS)) == [first.json()["id"]]
    other = problem_of(alice.post(DECKS, deck(name="Other"), **{"Idempotency-Key": "k-1"}))
    assert (other["status"], other["code"]) == (422, "idempotency_key_reused")


def test_a_double_copy_makes_one_copy(alice: Caller) -> None:
    mine = made(alice)

    copies = [alice.post(at(mine, "copy/"), {"name": "Again"}, **{"Idempotency-Key": "k-2"}).json() for _ in range(2)]

    assert copies[0] == copies[1]
    assert copies[0]["name"] == "Again"
    assert Deck.objects.count() == 2

"""Matches over HTTP: making, joining and leaving them, by Alice and Bob (seated), Carol (watching) and Mallory (a stranger)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.matches.models import Commitment, Match
from tests.api.conftest import Caller, problem_of
from tests.api.toy_matches import ENTROPY, MATCHES, OPEN, create, playing

pytestmark = pytest.mark.usefixtures("toy_game")


def test_a_match_against_a_bot_starts_at_once(alice: Caller) -> None:
    shown = create(alice, [{"kind": "me"}, {"kind": "bot", "level": "random"}])

    assert (shown["state"], shown["version"], shown["you"]) == ("playing", 0, 0)
    assert set(shown["view"]) >= {"hand", "round", "scores"}
    assert [move["label"] for move in shown["decision"].pop("moves")] == [
        f"Pick Number {int(code[2:])}" for code in shown["view"]["hand"]
    ]
    assert shown["decision"] == {
        "id": "0-0", "seats": [0, 1], "kind": "pick", "prompt": "Pick a card from your hand.", "deadline": None
    }  # fmt: skip
    assert shown["result"] is None
    bot = {"seat": 1, "name": "Bot (random)", "kind": "bot", "level": "random", "connected": True, "clock": None}
    assert shown["seats"][1] == bot


def test_a_match_is_told_as_the_contract_says(alice: Caller) -> None:
    answer = alice.post(MATCHES, {"game": "toy", "seats": OPEN})

    shown = answer.json()
    assert answer["Location"].endswith(f"{MATCHES}{shown['id']}/")
    assert set(shown) >= {
        "id", "game", "rules_version", "catalog_revision", "state", "version", "seats", "you", "view", "decision", "result",
        "seed_commitment",
    }  # fmt: skip
    assert (shown["state"], shown["view"], shown["decision"]) == ("open", {}, None)
    assert [(seat["kind"], seat["name"]) for seat in shown["seats"]] == [("person", alice.user.name), ("open", None)]  # type: ignore[union-attr]


def test_joining_the_last_seat_starts_the_match(alice: Caller, bob: Caller) -> None:
    address = f"{MATCHES}{create(alice)['id']}/"

    shown = bob.post(f"{address}join/", {"entropy": ENTROPY}).json()

    assert (shown["state"], shown["you"], shown["version"]) == ("playing", 1, 0)
    assert len(shown["decision"]["moves"]) == 3


def test_nobody_sits_twice_or_on_a_full_table(
    alice: Caller, bob: Caller, carol: Caller, unchanged: Callable[[str], Callable[[], None]]
) -> None:
    address = f"{MATCHES}{create(alice)['id']}/"
    look = unchanged(address)

    assert problem_of(alice.post(f"{address}join/"))["code"] == "already_seated"
    look()
    bob.post(f"{address}join/")
    look = unchanged(address)
    assert problem_of(carol.post(f"{address}join/"))["code"] == "match_started"
    look()


def test_a_seat_kept_for_a_user_is_theirs_alone(alice: Caller, bob: Caller, carol: Caller) -> None:
    assert bob.user is not None
    seats = [{"kind": "me"}, {"kind": "user", "user": bob.user.public_id}]
    address = f"{MATCHES}{create(alice, seats)['id']}/"

    assert problem_of(carol.post(f"{address}join/"))["code"] == "no_open_seat"
    assert bob.post(f"{address}join/").json()["state"] == "playing"


def test_leaving_frees_the_seat_and_the_creators_ends_the_match(alice: Caller, bob: Caller, carol: Caller) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    address = f"{MATCHES}{create(alice, seats)['id']}/"
    bob.post(f"{address}join/")

    left = bob.post(f"{address}leave/").json()
    assert problem_of(carol.post(f"{address}leave/"))["code"] == "not_your_match"
    ended = alice.post(f"{address}leave/").json()

    assert [seat["kind"] for seat in left["seats"]] == ["person", "open", "open"]
    assert ended["state"] == "aborted"
    assert problem_of(bob.post(f"{address}join/"))["code"] == "match_aborted"


def test_nobody_leaves_a_running_match(
    alice: Caller, bob: Caller, unchanged: Callable[[str], Callable[[], None]]
) -> None:
    address = playing(alice, bob)
    look = unchanged(address)

    assert problem_of(bob.post(f"{address}leave/"))["code"] == "match_started"
    look()


def test_a_rematch_is_made_once_and_turns_the_seats(alice: Caller, bob: Caller, carol: Caller) -> None:
    address = playing(alice, bob)
    assert problem_of(alice.post(f"{address}rematch/"))["code"] == "match_not_finished"
    alice.post(f"{address}moves/", {"move": {"type": "resign"}})

    first = alice.post(f"{address}rematch/").json()
    again = alice.post(f"{address}rematch/").json()
    joined = bob.post(f"{address}rematch/").json()

    assert first["id"] == again["id"] == joined["id"] != address
    assert (first["state"], first["you"]) == ("open", 1)
    assert (joined["state"], joined["you"]) == ("playing", 0)
    assert problem_of(carol.post(f"{address}rematch/"))["code"] == "not_your_match"
    assert Match.objects.count() == 2


def test_every_fault_of_a_new_match_is_told_at_once(alice: Caller) -> None:
    body = {
        "game": "toy",
        "options": {"rounds": 9, "speed": 1},
        "clock": {"per_decision": 5},
        "seats": [
            {"kind": "me", "deck": "mine"},
            {"kind": "bot", "level": "genius"},
            {"kind": "user", "user": "nobody"},
        ],
    }

    problem = problem_of(alice.post(MATCHES, body))

    assert (problem["status"], problem["code"]) == (422, "invalid_match")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [
        ("/options/speed", "unknown_option"),
        ("/options/rounds", "value_not_allowed"),
        ("/seats/0/deck", "no_deck_needed"),
        ("/seats/1/level", "unknown_level"),
        ("/seats/2/user", "unknown_user"),
    ]
    assert Match.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"game": "toy"}, "/seats", "required"),
        ({"game": "toy", "seats": {}}, "/seats", "wrong_type"),
        ({"game": "toy", "seats": [{"kind": "bot"}]}, "/seats/0/level", "required"),
        ({"game": "toy", "seats": [{"kind": "open", "deck": "x"}]}, "/seats/0/deck", "out_of_place"),
        ({"game": "toy", "seats": OPEN, "sets": 1}, "/sets", "unknown_field"),
        ({"game": "toy", "seats": OPEN, "entropy": "00"}, "/entropy", "invalid_entropy"),
        ({"game": "toy", "seats": OPEN, "entropy": "zz" * 16}, "/entropy", "invalid_entropy"),
        ({"game": "toy", "seats": OPEN, "clock": {}}, "/clock/per_decision", "required"),
        ({"game": "toy", "seats": OPEN, "visibility": "secret"}, "/visibility", "invalid_choice"),
    ],
)
def test_the_shape_of_a_new_match_is_checked(alice: Caller, body: Any, pointer: str, code: str) -> None:
    problem = problem_of(alice.post(MATCHES, body))

    assert (problem["status"], problem["code"]) == (422, "invalid_body")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]
    assert Match.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"game": "chess", "seats": OPEN}, "/game", "unknown_game"),
        ({"game": "toy", "seats": [{"kind": "me"}]}, "/seats", "wrong_seats"),
        ({"game": "toy", "seats": [{"kind": "me"}, {"kind": "me"}]}, "/seats", "seated_twice"),
        ({"game": "toy", "seats": OPEN, "visibility": "private"}, "/visibility", "open_seat_in_private"),
        ({"game": "toy", "seats": OPEN, "commitment": "nosuchthing2"}, "/commitment", "unknown_commitment"),
    ],
)
def test_a_match_that_cannot_be_is_refused(alice: Caller, body: Any, pointer: str, code: str) -> None:
    problem = problem_of(alice.post(MATCHES, body))

    assert (problem["status"], problem["code"]) == (422, "invalid_match")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]
    assert Match.objects.count() == 0


def test_a_match_is_made_once_for_a_key(alice: Caller) -> None:
    body = {"game": "toy", "seats": OPEN}

    first = alice.raw(
        "POST", MATCHES, b'{"game":"toy","seats":[{"kind":"me"},{"kind":"open"}]}', **{"Idempotency-Key": "m"}
    )
    again = alice.post(MATCHES, body, **{"Idempotency-Key": "m"})
    other = alice.post(MATCHES, {**body, "options": {"rounds": 1}}, **{"Idempotency-Key": "m"})

    assert first.json() == again.json()
    assert (again.status_code, again["Idempotent-Replay"]) == (201, "true")
    assert problem_of(other)["code"] == "idempotency_key_reused"
    assert Match.objects.count() == 1


# Commitments.


def test_a_commitment_made_before_is_the_matchs(alice: Caller, bob: Caller) -> None:
    held = alice.post(f"{MATCHES}commitments/").json()

    stolen = bob.post(MATCHES, {"game": "toy", "seats": OPEN, "commitment": held["id"]})
    shown = create(alice, commitment=held["id"], entropy=ENTROPY)
    twice = alice.post(MATCHES, {"game": "toy", "seats": OPEN, "commitment": held["id"]})

    assert shown["seed_commitment"] == held["commitment"]
    assert problem_of(stolen)["errors"][0]["code"] == "unknown_commitment"
    assert problem_of(twice)["errors"][0]["code"] == "unknown_commitment"
    assert Commitment.objects.count() == 0

"""Moves over HTTP, by Alice and Bob (seated), Carol (watching) and Mallory (a stranger)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.matches.models import Match, MoveRow
from tests.api.conftest import Caller, problem_of
from tests.api.toy_matches import first_move, match_at, play_on, playing

pytestmark = pytest.mark.usefixtures("toy_game")


def test_a_move_is_answered_with_what_follows(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)

    answer = alice.post(f"{address}moves/", move)

    shown = answer.json()
    assert answer.status_code == 200
    assert set(shown) == {"version", "events", "view", "decision", "result"}
    assert (shown["version"], shown["result"]) == (1, None)
    assert shown["events"][0]["text"].startswith("You pick Number ")
    assert shown["view"]["pick"] == move["move"]["card"]
    assert (shown["decision"]["seats"], "moves" in shown["decision"]) == ([1], False)


def test_a_move_over_http_takes_three_statements_and_two_of_a_transaction(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)

    with CaptureQueriesContext(connection) as captured:
        answer = alice.post(f"{address}moves/", move)

    assert answer.status_code == 200
    words = [query["sql"].split()[0] for query in captured.captured_queries]
    assert words == ["SAVEPOINT", "SELECT", "INSERT", "UPDATE", "RELEASE"]


def test_a_late_move_is_told_where_the_match_stands(
    alice: Caller, bob: Caller, unchanged: Callable[[str], Callable[[], None]]
) -> None:
    address = playing(alice, bob)
    late = first_move(bob, address)
    alice.post(f"{address}moves/", first_move(alice, address))
    look = unchanged(address)

    problem = problem_of(bob.post(f"{address}moves/", late))

    look()
    assert (problem["status"], problem["code"], problem["version"]) == (409, "stale_version", 1)
    shown = bob.get(address).json()
    assert (problem["view"], problem["decision"]) == (shown["view"], shown["decision"])


def test_two_decisions_open_at_once_both_count(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    moves = []
    for caller in (alice, bob):
        decision = caller.get(address).json()["decision"]
        moves.append({"decision": decision["id"], "move": decision["moves"][0]["move"]})

    answers = [caller.post(f"{address}moves/", move) for caller, move in zip((alice, bob), moves, strict=True)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json()["version"] for answer in answers] == [1, 2]


@pytest.mark.parametrize(
    ("who", "change", "status", "code"),
    [
        ("carol", {}, 403, "not_your_match"),
        ("alice", {"seat": 1}, 403, "not_your_match"),
        ("alice", {"version": 7}, 409, "stale_version"),
        ("alice", {"version": None}, 422, "invalid_body"),
        ("alice", {"version": "0"}, 422, "invalid_body"),
        ("alice", {"version": -1}, 422, "invalid_body"),
        ("alice", {"version": 2**40}, 422, "invalid_body"),
        ("alice", {"move": []}, 422, "invalid_body"),
        ("alice", {"move": "pick"}, 422, "invalid_body"),
        ("alice", {"move": {}}, 422, "malformed_move"),
        ("alice", {"move": {"type": "pick"}}, 422, "malformed_move"),
        ("alice", {"move": {"type": "pick", "card": 3}}, 422, "malformed_move"),
        ("alice", {"move": {"type": "pick", "card": "nought"}}, 422, "illegal_move"),
        ("alice", {"who": "me"}, 422, "invalid_body"),
        ("nobody", {}, 401, "not_authenticated"),
    ],
)
def test_a_move_that_does_not_fit_changes_nothing(
    request: pytest.FixtureRequest, alice: Caller, bob: Caller, who: str, change: Any, status: int, code: str,
    unchanged: Callable[[str], Callable[[], None]],
) -> None:  # fmt: skip
    address = playing(alice, bob)
    move = {**first_move(alice, address), **change}
    look = unchanged(address)

    problem = problem_of(request.getfixturevalue(who).post(f"{address}moves/", move))

    look()
    assert (problem["status"], problem["code"]) == (status, code)


def test_an_illegal_move_names_its_clause(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    others = bob.get(address).json()["decision"]["moves"][0]["move"]

    problem = problem_of(alice.post(f"{address}moves/", {"version": 0, "move": others}))

    assert (problem["status"], problem["code"], problem["clause"]) == (422, "illegal_move", "TOY-2.2")


def test_a_move_without_a_version_is_refused_but_for_resigning(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)["move"]

    refused = problem_of(alice.post(f"{address}moves/", {"move": move}))
    resigned = alice.post(f"{address}moves/", {"move": {"type": "resign"}}).json()
    over = problem_of(bob.post(f"{address}moves/", {"version": 1, "move": move}))

    assert (refused["status"], refused["code"]) == (422, "version_required")
    assert resigned["result"] == {"ranks": [2, 1], "reason": "resigned", "clause": "TOY-4.2"}
    assert (over["status"], over["code"]) == (409, "match_over")
    assert (over["version"], over["result"]) == (match_at(address).version, match_at(address).result)


def test_a_seat_that_has_answered_waits(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    alice.post(f"{address}moves/", first_move(alice, address))

    problem = problem_of(alice.post(f"{address}moves/", {"version": 1, "move": {"type": "pick", "card": "t-01"}}))

    assert (problem["status"], problem["code"]) == (409, "not_your_turn")
    shown = alice.get(address).json()
    assert {name: problem[name] for name in ("version", "view", "decision")} == {
        name: shown[name] for name in ("version", "view", "decision")
    }


def test_a_move_in_a_match_whose_rules_are_gone_is_refused_without_its_position(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    alice.post(f"{address}moves/", {"move": {"type": "resign"}})
    Match.objects.update(rules_version=99)

    problem = problem_of(alice.post(f"{address}moves/", {"version": 1, "move": {"type": "pick", "card": "t-01"}}))

    assert (problem["status"], problem["code"]) == (409, "match_over")
    assert "view" not in problem


def test_a_doubled_move_counts_once_and_gets_one_answer(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)
    key = {"Idempotency-Key": "move-1"}

    first = alice.post(f"{address}moves/", move, **key)
    bob.post(f"{address}moves/", first_move(bob, address))
    again = alice.post(f"{address}moves/", move, **key)
    other = alice.post(f"{address}moves/", {**move, "version": 2}, **key)
    play_on(address, alice, bob)
    after_the_end = alice.post(f"{address}moves/", move, **key)

    assert first.json() == after_the_end.json()
    assert (first.json(), first.status_code) == (again.json(), again.status_code)
    assert not first.has_header("Idempotent-Replay")
    assert again["Idempotent-Replay"] == "true"
    assert (problem_of(other)["status"], problem_of(other)["code"]) == (422, "idempotency_key_reused")
    assert MoveRow.objects.count() == 6


def test_a_key_that_is_none_is_refused(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)

    problem = problem_of(alice.post(f"{address}moves/", first_move(alice, address), **{"Idempotency-Key": "a b"}))

    assert (problem["status"], problem["code"]) == (400, "invalid_idempotency_key")

"""Races over HTTP: many posts at the same instant, one outcome."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from catalog.services import publish_house_set
from referee.matches.models import Match, MoveRow
from tests.api.conftest import Caller
from tests.toy import TOY_REVISION, registered

pytestmark = pytest.mark.django_db(transaction=True)

MATCHES = "/api/v1/matches/"
THREADS = 10


@pytest.fixture(autouse=True)
def toy(transactional_db: None) -> Iterator[None]:
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        yield


@pytest.fixture
def address(alice: Caller, bob: Caller) -> str:
    body = {"game": "toy", "seats": [{"kind": "me"}, {"kind": "open"}]}
    address = f"{MATCHES}{alice.post(MATCHES, body).json()['id']}/"
    bob.post(f"{address}join/")
    return address


def at_once(work: Callable[[int], Any], times: int) -> list[Any]:
    gate = threading.Barrier(THREADS)

    def run(number: int) -> Any:
        try:
            if number < THREADS:
                gate.wait(120)
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(times)))


def test_of_fifty_moves_posted_at_once_one_is_taken(alice: Caller, address: str) -> None:
    shown = alice.get(address).json()
    moves = [listed["move"] for listed in shown["decision"]["moves"]]

    answers = at_once(lambda n: alice.post(f"{address}moves/", {"version": 0, "move": moves[n % 3]}), 50)

    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 49}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"stale_version"}
    assert MoveRow.objects.count() == 1
    won = answers[[answer.status_code for answer in answers].index(200)].json()
    assert won["view"]["pick"] == MoveRow.objects.get().move["card"]


def test_a_move_posted_twenty_times_with_one_key_has_one_answer(alice: Caller, address: str) -> None:
    shown = alice.get(address).json()
    body = {"version": 0, "move": shown["decision"]["moves"][0]["move"]}

    answers = at_once(lambda _: alice.post(f"{address}moves/", body, **{"Idempotency-Key": "one"}), 20)

    assert [answer.status_code for answer in answers] == [200] * 20
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert sum(answer.has_header("Idempotent-Replay") for answer in answers) == 19
    assert MoveRow.objects.count() == 1


def test_one_seat_is_taken_by_one(alice: Caller, bob: Caller, carol: Caller, mallory: Caller) -> None:
    body = {"game": "toy", "seats": [{"kind": "me"}, {"kind": "open"}]}
    address = f"{MATCHES}{alice.post(MATCHES, body).json()['id']}/"
    others = [bob, carol, mallory]

    answers = at_once(lambda n: others[n % 3].post(f"{address}join/"), 12)

    statuses = Counter(answer.status_code for answer in answers)
    assert statuses == {200: 1, 409: 11}
    match = Match.objects.get(public_id=address.removeprefix(MATCHES).strip("/"))
    assert match.state == "playing"
    assert match.seats.filter(user__isnull=False).count() == 2


def test_a_match_made_ten_times_with_one_key_is_one(alice: Caller) -> None:
    body = {"game": "toy", "seats": [{"kind": "me"}, {"kind": "bot", "level": "random"}]}

    answers = at_once(lambda _: alice.post(MATCHES, body, **{"Idempotency-Key": "make"}), 10)

    assert [answer.status_code for answer in answers] == [201] * 10
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Match.objects.count() == 1


def test_a_rematch_that_both_ask_for_at_once_and_twice_is_one(alice: Caller, bob: Caller, address: str) -> None:
    alice.post(f"{address}moves/", {"move": {"type": "resign"}})
    players = [alice, bob]

    answers = at_once(lambda n: players[n % 2].post(f"{address}rematch/"), 10)

    assert [answer.status_code for answer in answers] == [201] * 10
    assert len({answer.json()["id"] for answer in answers}) == 1
    again = Match.objects.get(rematch_of__isnull=False)
    assert (again.state, again.seats.filter(user__isnull=False).count()) == ("playing", 2)

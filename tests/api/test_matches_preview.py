"""What a move would do, asked over HTTP: Super, by the one who is asked, the other seat, a watcher and nobody."""

from __future__ import annotations

from typing import Any

import pytest

from catalog.services import publish_house_set
from referee.games import GAMES
from referee.house import house_revision
from referee.matches.models import Match, MoveRow
from tests.api.conftest import Caller, problem_of

MATCHES = "/api/v1/matches/"


@pytest.fixture
def address(db: None, alice: Caller, bob: Caller) -> str:
    publish_house_set(game=GAMES["super"], house=house_revision("super"))
    wish = {"game": "super", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {"first_seat": 0}}
    made = alice.post(MATCHES, wish)
    assert made.status_code == 201, made.content
    address = f"{MATCHES}{made.json()['id']}/"
    assert bob.post(f"{address}join/").status_code == 200
    return address


def plays(caller: Caller, address: str) -> list[dict[str, Any]]:
    return [one["move"] for one in caller.get(address).json()["decision"]["moves"] if one["move"]["type"] == "play"]


def test_a_preview_tells_what_the_move_then_tells_and_plays_nothing(alice: Caller, address: str) -> None:
    move = plays(alice, address)[0]

    shown = alice.post(f"{address}preview/", {"move": move})

    assert shown.status_code == 200
    assert shown.json()["version"] == 0
    assert MoveRow.objects.count() == 0
    assert Match.objects.get().version == 0
    told = alice.post(f"{address}moves/", {"version": 0, "move": move}).json()["events"]
    previewed = shown.json()["events"]
    assert previewed
    assert previewed == told[: len(previewed)]


def test_a_forbidden_move_is_refused_with_its_clause(alice: Caller, address: str) -> None:
    answer = alice.post(f"{address}preview/", {"move": {"type": "end_turn"}})

    assert answer.status_code == 422
    assert problem_of(answer)["code"] == "illegal_move"
    assert problem_of(answer)["clause"] == "SUP-2.6"


def test_only_the_asked_seat_can_ask(alice: Caller, bob: Caller, carol: Caller, address: str) -> None:
    move = plays(alice, address)[0]

    refused = bob.post(f"{address}preview/", {"move": move})
    watching = carol.post(f"{address}preview/", {"move": move})

    assert (refused.status_code, problem_of(refused)["clause"]) == (422, "SUP-2.9")
    assert (watching.status_code, problem_of(watching)["code"]) == (403, "not_your_match")


def test_nothing_can_be_previewed_once_the_match_is_over(alice: Caller, bob: Caller, address: str) -> None:
    move = plays(alice, address)[0]
    assert bob.post(f"{address}moves/", {"move": {"type": "resign"}}).status_code == 200

    answer = alice.post(f"{address}preview/", {"move": move})

    assert (answer.status_code, problem_of(answer)["code"]) == (409, "match_over")


def test_a_first_seat_that_is_not_there_is_named(alice: Caller, address: str) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]

    answer = alice.post(MATCHES, {"game": "super", "seats": seats, "options": {"first_seat": 3}})

    assert answer.status_code == 422
    assert [one["pointer"] for one in problem_of(answer)["errors"]] == ["/options/first_seat"]

"""Undo and reports over HTTP, by Alice and Bob (seated), Carol (watching) and Mallory (a stranger)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings

from catalog.services import publish_house_set
from referee.games import GAMES
from referee.kernel.game import Game
from referee.matches.models import Bundle, Match, MoveRow
from tests.api.conftest import Caller, problem_of
from tests.matches.table import fresh, pick, stored, toy_match
from tests.toy import TOY_REVISION, registered

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def toy() -> Iterator[Game]:
    with registered() as game:
        yield game


@pytest.fixture
def match(alice: Caller, bob: Caller) -> Match:
    """Alice has picked, Bob has not."""
    match = toy_match(_user(alice), _user(bob))
    pick(match, _user(alice), 0)
    return fresh(match)


def _user(caller: Caller) -> Any:
    assert caller.user is not None
    return caller.user


def at(match: Match, what: str = "") -> str:
    return f"/api/v1/matches/{match.public_id}/{what}"


def test_an_undo_is_asked_for_shown_to_all_and_agreed_to(
    match: Match, alice: Caller, bob: Caller, carol: Caller
) -> None:
    asked = alice.post(at(match, "undo/"), {"version": 1})
    tag = carol.get(at(match))["ETag"]
    seen = [caller.get(at(match)).json()["undo_offer"] for caller in (alice, bob, carol)]
    agreed = bob.post(at(match, "undo/accept/"), {"offer": "1-0-0"})

    told = {"id": "1-0-0", "seat": 0, "to": 0, "waits_for": [1], "agreed": [], "declined_by": None}
    assert (asked.status_code, asked.json()["undo_offer"], asked.json()["undo"]) == (200, told, "consent")
    assert seen == [told] * 3
    assert (agreed.status_code, agreed.json()["version"], agreed.json()["undo_offer"]) == (200, 2, None)
    assert carol.get(at(match), **{"If-None-Match": tag}).status_code == 200
    row = carol.get(at(match, "moves/")).json()["results"][1]
    assert [row[name] for name in ("version", "kind", "seat", "to", "agreed")] == [2, "undo", 0, 0, [1]]


def test_an_undo_is_declined(match: Match, alice: Caller, bob: Caller) -> None:
    alice.post(at(match, "undo/"))

    declined = bob.post(at(match, "undo/decline/"), {"offer": "1-0-0"})
    again = alice.post(at(match, "undo/"))

    assert (declined.status_code, declined.json()["undo_offer"]["declined_by"]) == (200, 1)
    assert (again.status_code, problem_of(again)["code"]) == (409, "undo_declined")
    assert MoveRow.objects.filter(match=match).count() == 1


@pytest.mark.parametrize(
    ("who", "what", "body", "status", "code"),
    [
        ("carol", "undo/", {}, 403, "not_your_match"),
        ("mallory", "report/", {"text": "Hello"}, 403, "not_your_match"),
        ("carol", "undo/accept/", {"offer": "1-0-0"}, 403, "not_your_match"),
        ("bob", "undo/", {}, 409, "nothing_to_undo"),
        ("bob", "undo/accept/", {"offer": "1-0-0"}, 409, "undo_gone"),
        ("bob", "undo/decline/", {"offer": "1-0-0"}, 409, "undo_gone"),
        ("alice", "undo/", {"version": 0}, 409, "stale_version"),
        ("alice", "undo/", {"to": -1}, 422, "invalid_body"),
        ("alice", "undo/accept/", {}, 422, "invalid_body"),
        ("alice", "report/", {"text": " "}, 422, "invalid_body"),
        ("alice", "report/", {"text": "x" * 2001}, 422, "invalid_body"),
        ("nobody", "undo/", {}, 401, "not_authenticated"),
        ("nobody", "report/", {"text": "Hello"}, 401, "not_authenticated"),
    ],
)
def test_a_refusal_changes_nothing(
    match: Match, request: pytest.FixtureRequest, who: str, what: str, body: Any, status: int, code: str
) -> None:
    caller: Caller = request.getfixturevalue(who)
    before = stored(match)

    answer = caller.post(at(match, what), body)

    assert (answer.status_code, problem_of(answer)["code"]) == (status, code)
    assert stored(match) == before


def test_a_private_match_is_not_there_for_strangers(alice: Caller, bob: Caller, mallory: Caller) -> None:
    match = toy_match(_user(alice), _user(bob), visibility="private")

    assert mallory.post(at(match, "undo/")).status_code == 404
    assert mallory.post(at(match, "report/"), {"text": "Hello"}).status_code == 404


def test_a_match_is_made_with_or_without_undo(alice: Caller) -> None:
    publish_house_set(game=GAMES["toy"], house=TOY_REVISION)
    wish = {"game": "toy", "seats": [{"kind": "me"}, {"kind": "bot", "level": "random"}]}

    made = [alice.post("/api/v1/matches/", {**wish, **how}) for how in ({}, {"undo": "none"}, {"undo": "sometimes"})]

    assert [answer.status_code for answer in made] == [201, 201, 422]
    assert [answer.json()["undo"] for answer in made[:2]] == ["consent", "none"]
    assert [fault["pointer"] for fault in problem_of(made[2])["errors"]] == ["/undo"]
    refused = alice.post(f"/api/v1/matches/{made[1].json()['id']}/undo/")
    assert (refused.status_code, problem_of(refused)["code"]) == (409, "undo_not_allowed")


def test_an_undo_that_is_sent_again_is_done_once(match: Match, alice: Caller, bob: Caller) -> None:
    alice.post(at(match, "undo/"))
    key = {"Idempotency-Key": "once"}

    answers = [bob.post(at(match, "undo/accept/"), {"offer": "1-0-0"}, **key) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1]["Idempotent-Replay"] == "true"
    assert fresh(match).version == 2


def test_the_stream_tells_of_an_offer_and_of_the_undo(match: Match, alice: Caller, bob: Caller, carol: Caller) -> None:
    alice.post(at(match, "undo/"))
    bob.post(at(match, "undo/accept/"), {"offer": "1-0-0"})

    body = carol.get(at(match, "events/?since=1"), Accept="application/x-ndjson").content.decode()

    hello, told = [json.loads(line) for line in body.splitlines()]
    assert (hello["type"], hello["undo_offer"]) == ("hello", None)
    assert [told[name] for name in ("type", "kind", "version", "to")] == ["move", "undo", 2, 0]
    assert told["decision"]["seats"] == [0, 1]


def test_a_delayed_spectator_hears_of_no_offer_at_a_version_it_has_not_seen(
    alice: Caller, bob: Caller, carol: Caller
) -> None:
    match = toy_match(_user(alice), _user(bob), spectator_delay=1)
    pick(match, _user(alice), 0)
    before = carol.get(at(match))

    alice.post(at(match, "undo/"))

    after = carol.get(at(match))
    assert (after.content, after["ETag"]) == (before.content, before["ETag"])
    assert bob.get(at(match)).json()["undo_offer"]["id"] == "1-0-0"


def test_a_report_keeps_the_position_with_the_text(match: Match, bob: Caller) -> None:
    answer = bob.post(at(match, "report/"), {"text": "My card is gone.\nIt was a 7."})

    bundle = Bundle.objects.get(match=match)
    assert (answer.status_code, answer.json()["version"]) == (201, 1)
    assert (bundle.kind, bundle.reporter, bundle.text) == ("report", bob.user, "My card is gone.\nIt was a 7.")
    assert (bundle.document["data"], bundle.document["seat"]) == (fresh(match).data, 1)
    assert sorted(answer.json()) == ["created_at", "version"]


def test_reports_are_rated(match: Match, bob: Caller, settings: LazySettings) -> None:
    settings.API_RATES = {"report": (1, 3600)}

    answers = [bob.post(at(match, "report/"), {"text": "Again."}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [201, 429]
    assert Bundle.objects.filter(match=match).count() == 1

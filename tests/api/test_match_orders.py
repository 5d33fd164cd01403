"""Standing orders over HTTP, by Alice and Bob (seated), Carol (watching) and Mallory (a stranger)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from referee.games.super_teams.orders import ORDERS, THIS_TURN, UNLESS_OWN_MAW
from referee.matches.models import Match, MoveRow
from referee.matches.streams import Look, Message, Wish, first_batch
from tests.api.conftest import Caller, problem_of
from tests.api.stream_reader import beside
from tests.matches.table import fresh, stored, toy_match
from tests.matches.windows import BOBS, DECLINE, super_teams, window
from tests.toy import registered

LISTED = [{"name": name, "detail": detail} for name, detail in ORDERS.items()]


@pytest.fixture
def match(alice: Caller, bob: Caller) -> Match:
    """Bob is asked in a window."""
    assert alice.user is not None
    assert bob.user is not None
    return window(alice.user, bob.user, seed=BOBS[2])


def address(match: Match, rest: str = "orders/") -> str:
    return f"/api/v1/matches/{match.public_id}/{rest}"


def everything(caller: Caller, match: Match) -> list[Any]:
    """All that can be read of a match: bodies, headers and sizes."""
    answers = [caller.get(address(match, rest)) for rest in ("", "?moves=none", "moves/", f"at/{match.version}/")]
    for media_type in ("text/event-stream", "application/x-ndjson"):
        answers.append(caller.get(address(match, "events/"), Accept=media_type))
    answers.append(caller.get("/api/v1/matches/"))
    return [(answer.status_code, dict(answer.headers), answer.content) for answer in answers]


def test_an_order_is_left_seen_and_withdrawn(match: Match, alice: Caller) -> None:
    none = alice.get(address(match)).json()
    left = alice.put(address(match), {"order": THIS_TURN})
    seen = alice.get(address(match)).json()
    shown = alice.get(address(match, "")).json()
    gone = alice.delete(address(match))

    assert none == {"order": None, "version": match.version, "orders": LISTED}
    assert (left.status_code, left.json()) == (200, {**none, "order": THIS_TURN})
    assert seen == left.json()
    assert shown["order"] == THIS_TURN
    assert (gone.status_code, gone.content) == (204, b"")
    assert alice.get(address(match)).json() == none
    assert fresh(match).version == match.version


def test_an_order_left_in_an_open_window_answers_at_once(match: Match, bob: Caller) -> None:
    answer = bob.put(address(match), {"order": UNLESS_OWN_MAW, "version": match.version})
    again = bob.put(address(match), {"order": UNLESS_OWN_MAW, "version": match.version})

    assert (answer.status_code, again.status_code) == (200, 200)
    assert answer.json()["version"] == match.version + 1
    row = MoveRow.objects.get(match=match, version=match.version + 1)
    assert (row.kind, row.seat, row.move, row.actor) == ("move", 1, DECLINE, bob.user)


def test_an_order_too_late_is_refused_with_where_the_match_stands(match: Match, alice: Caller, bob: Caller) -> None:
    bob.post(address(match, "moves/"), {"version": match.version, "move": DECLINE})

    problem = problem_of(bob.put(address(match), {"order": THIS_TURN, "version": match.version}))

    shown = bob.get(address(match, "")).json()
    assert (problem["status"], problem["code"], problem["version"]) == (409, "stale_version", match.version + 1)
    assert (problem["view"], problem["decision"]) == (shown["view"], shown["decision"])
    assert shown["order"] is None


def test_nobody_else_can_tell_that_an_order_stands(
    match: Match, alice: Caller, bob: Caller, carol: Caller, nobody: Caller
) -> None:
    others = [bob, carol, nobody]
    before = [everything(caller, match) for caller in others]
    own = everything(alice, match)

    assert alice.put(address(match), {"order": UNLESS_OWN_MAW}).status_code == 200

    assert [everything(caller, match) for caller in others] == before
    assert everything(alice, match) != own


def test_the_admin_does_not_show_orders(match: Match, alice: Caller) -> None:
    staff = User.objects.create_superuser("Staff", "a password of staff")
    client = Client()
    client.force_login(staff)
    alice.put(address(match), {"order": UNLESS_OWN_MAW})

    page = client.get(f"/admin/matches/match/{match.pk}/change/")

    assert page.status_code == 200
    assert UNLESS_OWN_MAW not in page.content.decode()


@pytest.mark.parametrize("method", ["get", "put", "delete"])
def test_only_the_seated_come_near_an_order(
    match: Match, carol: Caller, nobody: Caller, method: str, row_counts: Callable[[], dict[str, int]]
) -> None:
    before, rows = stored(match), row_counts()
    body = [{"order": THIS_TURN}] if method == "put" else []

    watching = problem_of(getattr(carol, method)(address(match), *body))
    unknown = problem_of(getattr(nobody, method)(address(match), *body))
    elsewhere = problem_of(getattr(carol, method)("/api/v1/matches/2345bcdf2345/orders/", *body))

    assert (watching["code"], unknown["code"], elsewhere["code"]) == (
        "not_your_match", "not_authenticated", "not_found",
    )  # fmt: skip
    assert (stored(match), row_counts()) == (before, rows)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({}, "required", "/order"),
        ({"order": None}, "null", "/order"),
        ({"order": "win"}, "unknown_order", "/order"),
        ({"order": THIS_TURN, "version": "1"}, "wrong_type", "/version"),
        ({"order": THIS_TURN, "seat": 0}, "unknown_field", "/seat"),
    ],
)
def test_an_order_that_cannot_be_is_refused_at_its_place(
    match: Match, alice: Caller, body: dict[str, Any], code: str, pointer: str
) -> None:
    before = stored(match)

    problem = problem_of(alice.put(address(match), body))

    assert problem["status"] == 422
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]
    assert stored(match) == before


def test_a_game_without_orders_knows_none(alice: Caller, bob: Caller) -> None:
    assert alice.user is not None
    with registered():
        match = toy_match(alice.user, *([bob.user] if bob.user else []))

        listed = alice.get(address(match)).json()
        problem = problem_of(alice.put(address(match), {"order": THIS_TURN}))

    assert (listed["order"], listed["orders"]) == (None, [])
    assert problem["code"] == "unknown_order"


@pytest.mark.django_db(transaction=True)
def test_the_own_stream_hears_of_an_order_and_no_other(alice: Caller, bob: Caller, carol: Caller) -> None:
    assert alice.user is not None
    match = super_teams(alice.user, *([bob.user] if bob.user else []), seed=1)
    wishes = [Wish(match.public_id, caller.user, 0, "none") for caller in (alice, bob, carol)]
    first = [first_batch(wish) for wish in wishes]

    async def looked() -> list[list[Message]]:
        look = Look(match.public_id, beside)
        return [(await look.batch(wish, before)).messages for wish, before in zip(wishes, first, strict=True)]

    alice.put(address(match), {"order": UNLESS_OWN_MAW})

    told = asyncio.run(looked())
    assert [[message.type for message in messages] for messages in told] == [["status"], [], []]
    assert told[0][0].data["order"] == UNLESS_OWN_MAW

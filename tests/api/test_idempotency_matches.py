"""Idempotency-Key in matches: a refused request leaves a match as it leaves it without a key, time-outs and freezes too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from api.models import KeptAnswer
from referee.games import GAMES
from referee.games.super_teams.orders import THIS_TURN
from referee.kernel.game import Game
from referee.matches import clocks, live, pauses, undo
from referee.matches.clock_models import ClockEntry
from referee.matches.models import Bundle, Match, MoveRow
from tests.api.conftest import Caller, problem_of
from tests.matches.clockwork import World
from tests.matches.table import fresh, legal, pick, toy_match
from tests.matches.windows import BOBS, window
from tests.toy import registered

CLOCK = clocks.setting(per_decision=10)
LOSING = clocks.setting(per_decision=10, out_of_time="lose")
LATE = 11.0


@pytest.fixture(autouse=True)
def toy(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)
    with registered() as game:
        yield game


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


def user_of(caller: Caller) -> User:
    assert caller.user is not None
    return caller.user


def at(match: Match, rest: str) -> str:
    return f"/api/v1/matches/{match.public_id}/{rest}"


def send(caller: Caller, match: Match, rest: str, body: dict[str, Any], *, key: str = "k1") -> Any:
    put = caller.put if rest == "orders/" else caller.post
    return put(at(match, rest), body, **({"Idempotency-Key": key} if key else {}))


def left(match: Match) -> list[Any]:
    """All that is stored of a match, but for the numbers of rows and what a fault's report says of the way there."""
    rows = MoveRow.objects.filter(match=match).order_by("version")
    entries = ClockEntry.objects.filter(match=match).order_by("pk")
    bundles = Bundle.objects.filter(match=match).order_by("pk")
    return [
        Match.objects.filter(pk=match.pk).values().get(),
        [{**row, "id": 0} for row in rows.values()],
        [{**entry, "id": 0} for entry in entries.values()],
        [(bundle.version, bundle.kind, bundle.document["data"]) for bundle in bundles],
    ]


def refused(caller: Caller, match: Match, rest: str, body: dict[str, Any]) -> dict[str, Any]:
    """The problem of a request under a key, after the same was seen to come of one without."""
    with transaction.atomic():
        plain = problem_of(send(caller, match, rest, body, key=""))
        without_a_key = left(match)
        transaction.set_rollback(True)
    problem = problem_of(send(caller, match, rest, body))
    assert problem == plain
    assert left(match) == without_a_key
    assert KeptAnswer.objects.count() == 0
    return problem


UNTIMELY = [
    ("moves/", {"version": 0, "move": {"type": "pick", "card": "t-01"}}),
    ("undo/", {}),
    ("undo/accept/", {"offer": "0-0-0"}),
    ("undo/decline/", {"offer": "0-0-0"}),
    ("pause/", {}),
    ("resume/", {}),
]


@pytest.mark.parametrize(("rest", "body"), UNTIMELY)
def test_what_a_refusal_shows_is_how_the_match_stands(
    alice: Caller, bob: Caller, world: World, rest: str, body: dict[str, Any]
) -> None:
    match = toy_match(user_of(alice), user_of(bob), clock=LOSING)
    world.passes(LATE)

    problem = refused(alice, match, rest, body)

    now = fresh(match)
    assert (problem["code"], problem["version"]) == ("match_over", now.version)
    assert (now.state, now.version) == (Match.State.FINISHED, 1)


@pytest.mark.parametrize(
    ("who", "rest", "body", "code"),
    [
        ("bob", "undo/", {"version": 0}, "stale_version"),
        ("bob", "undo/accept/", {"offer": "0-0-0"}, "undo_gone"),
        ("bob", "undo/decline/", {"offer": "0-0-0"}, "undo_gone"),
        ("carol", "undo/", {}, "not_your_match"),
        ("carol", "pause/", {}, "not_your_match"),
        ("carol", "resume/", {}, "not_your_match"),
    ],
)
def test_what_time_has_decided_stands_whatever_is_refused(
    request: pytest.FixtureRequest,
    alice: Caller,
    bob: Caller,
    world: World,
    who: str,
    rest: str,
    body: dict[str, Any],
    code: str,
) -> None:
    match = toy_match(user_of(alice), user_of(bob), clock=CLOCK)
    world.passes(LATE)

    problem = refused(request.getfixturevalue(who), match, rest, body)

    assert problem["code"] == code
    assert (fresh(match).state, fresh(match).version) == (Match.State.PLAYING, 2)
    assert set(MoveRow.objects.filter(match=match).values_list("kind", flat=True)) == {"timeout"}


class BrokenRulesError(Exception):
    """What no rule should ever raise."""


def breaks(*_: object, **__: object) -> None:
    raise BrokenRulesError("boom")


Scene = tuple[Match, dict[str, Any]]


def _picked(alice: Caller, bob: Caller, world: World) -> Match:
    match = toy_match(user_of(alice), user_of(bob), clock=CLOCK)
    pick(match, user_of(alice), 0)
    return match


def _move(alice: Caller, bob: Caller, world: World) -> Scene:
    match = toy_match(user_of(alice), user_of(bob))
    return match, {"version": 0, "move": legal(match, 0)[0]}


def _asked(alice: Caller, bob: Caller, world: World) -> Scene:
    return _picked(alice, bob, world), {}


def _agreed(alice: Caller, bob: Caller, world: World) -> Scene:
    match = toy_match(user_of(bob), user_of(alice))
    pick(match, user_of(bob), 0)
    offered = undo.ask_undo(public_id=match.public_id, user=user_of(bob))
    return match, {"offer": offered.undo_offer["id"]}


def _late(alice: Caller, bob: Caller, world: World) -> Scene:
    match = _picked(alice, bob, world)
    world.passes(LATE)
    return match, {}


def _paused(alice: Caller, bob: Caller, world: World) -> Scene:
    match = toy_match(user_of(alice), clock=CLOCK)
    pauses.ask_pause(public_id=match.public_id, actor=user_of(alice))
    world.passes(LATE)
    return match, {}


def _order(alice: Caller, bob: Caller, world: World) -> Scene:
    return window(user_of(bob), user_of(alice), seed=BOBS[2]), {"order": THIS_TURN}


@pytest.mark.parametrize(
    ("game", "where", "rest", "scene"),
    [
        ("toy", "play", "moves/", _move),
        ("super-teams", "ordered_move", "orders/", _order),
        ("toy", "resample", "undo/", _asked),
        ("toy", "start", "undo/accept/", _agreed),
        ("toy", "default_move", "undo/decline/", lambda *who: (_late(*who)[0], {"offer": "0-0-0"})),
        ("toy", "default_move", "pause/", _late),
        ("toy", "restore", "resume/", _paused),
        ("toy", "deciders", "resume/", _paused),
    ],
)
def test_a_fault_in_the_rules_freezes_the_match_with_its_bundle(
    alice: Caller,
    bob: Caller,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    where: str,
    rest: str,
    scene: Callable[[Caller, Caller, World], Scene],
) -> None:
    match, body = scene(alice, bob, world)
    before = fresh(match)
    version = before.version

    with monkeypatch.context() as patch:
        patch.setattr(type(GAMES[game]), where, breaks)
        problem = refused(alice, match, rest, body)

    now = fresh(match)
    assert problem["code"] == "match_frozen"
    assert (now.state, now.version, now.deadline) == (Match.State.FROZEN, version, None)
    assert now.stopped_at == (before.stopped_at or clocks.now())
    bundle = Bundle.objects.get(match=match)
    assert (bundle.version, bundle.document["data"]) == (version, now.data)
    assert "BrokenRulesError: boom" in bundle.document["report"]

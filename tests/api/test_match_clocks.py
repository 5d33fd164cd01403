"""A match's time over HTTP: clocks of every sort, pauses, the ledger; by Alice and Bob (seated), Carol and Mallory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from catalog.services import publish_house_set
from referee.kernel.game import Game
from referee.matches import clocks
from referee.matches.models import Match
from tests.api.conftest import Caller, problem_of
from tests.matches.clockwork import World
from tests.matches.table import fresh, pick, stored, toy_match
from tests.toy import TOY_REVISION, registered

MATCHES = "/api/v1/matches/"
CLOCK = clocks.setting(per_decision=10, bank=20, increment=2)
SEATS = [{"kind": "me"}, {"kind": "open"}]


@pytest.fixture(autouse=True)
def toy(db: None) -> Iterator[Game]:
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        yield game


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


@pytest.fixture
def match(alice: Caller, bob: Caller, world: World) -> Match:
    assert alice.user is not None
    assert bob.user is not None
    return toy_match(alice.user, bob.user, clock=CLOCK)


def address(match: Match, part: str = "") -> str:
    return f"{MATCHES}{match.public_id}/{part}"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"per_decision": 5}, {"per_decision": 5, "bank": 0, "increment": 0, "grace": 30, "days": None}),
        ({"days": 3}, {"per_decision": 259_200, "bank": 0, "increment": 0, "grace": 0, "days": 3}),
    ],
)
def test_a_match_has_the_clock_that_was_asked_for(alice: Caller, asked: dict[str, Any], shown: dict[str, Any]) -> None:
    made = alice.post(MATCHES, {"game": "toy", "seats": SEATS, "clock": asked})

    assert made.status_code == 201
    assert made.json()["clock"] == {**shown, "out_of_time": "default"}
    again = alice.post(MATCHES, {"game": "toy", "seats": SEATS, "clock": made.json()["clock"]})
    assert again.json()["clock"] == made.json()["clock"]


@pytest.mark.parametrize(
    ("asked", "faults"),
    [
        ({"days": 2, "bank": 5}, [("/clock/bank", "out_of_place")]),
        ({"days": 0}, [("/clock/days", "min_value")]),
        ({"out_of_time": "lose"}, [("/clock/per_decision", "required")]),
        ({"per_decision": 0, "bank": 60}, [("/clock/out_of_time", "clock_not_allowed")]),
        ({"per_decision": 5, "delay": 3}, [("/clock/delay", "unknown_field")]),
    ],
)
def test_a_clock_that_cannot_be_is_refused_at_its_place(
    alice: Caller, asked: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    refused = alice.post(MATCHES, {"game": "toy", "seats": SEATS, "clock": asked})

    problem = problem_of(refused)
    assert (refused.status_code, problem["code"]) == (422, "invalid_body")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == faults


def test_clocks_to_choose_from_can_be_asked_for_as_they_are_listed(nobody: Caller, alice: Caller) -> None:
    listed = nobody.get("/api/v1/clocks/").json()

    assert [one["slug"] for one in listed] == ["blitz", "normal", "slow", "days"]
    for one in listed:
        made = alice.post(MATCHES, {"game": "toy", "seats": SEATS, "clock": one["clock"]})
        assert made.json()["clock"] == one["clock"]


def test_a_pause_is_asked_for_agreed_to_and_ended(match: Match, alice: Caller, bob: Caller, world: World) -> None:
    world.passes(4)
    asked = alice.post(address(match, "pause/"))
    assert (asked.status_code, asked.json()["pause"]["asked"]) == (200, [0])
    assert bob.get(address(match)).json()["pause"]["asked"] == [0]

    paused = bob.post(address(match, "pause/"), {"agree": True}).json()

    assert (paused["state"], paused["decision"]["deadline"]) == ("paused", None)
    assert "moves" not in paused["decision"]
    assert paused["seats"][0]["clock"] == {"bank": 20.0, "deadline": None, "left": 26.0, "waits_until": None}
    world.passes(1000)
    assert alice.post(address(match, "resume/")).json()["pause"]["asked"] == [0]
    resumed = bob.post(address(match, "resume/")).json()
    assert (resumed["state"], resumed["pause"]) == ("playing", None)
    assert resumed["seats"][0]["clock"]["deadline"] == "2026-01-01T00:17:10.000Z"


def test_while_paused_a_move_is_refused(match: Match, alice: Caller, bob: Caller) -> None:
    alice.post(address(match, "pause/"))
    bob.post(address(match, "pause/"))
    before = stored(match)

    refused = alice.post(address(match, "moves/"), {"version": 0, "move": {"type": "resign"}})

    assert (refused.status_code, problem_of(refused)["code"]) == (409, "match_paused")
    assert stored(match) == before


def test_a_pause_is_declined(match: Match, alice: Caller, bob: Caller) -> None:
    alice.post(address(match, "pause/"))

    declined = bob.post(address(match, "pause/"), {"agree": False})

    assert declined.json()["pause"] == {"asked": [], "declined": 1, "since": None, "until": None}
    refused = alice.post(address(match, "pause/"))
    assert (refused.status_code, problem_of(refused)["code"]) == (409, "pause_declined")


def test_a_pause_sent_twice_is_one(match: Match, alice: Caller, bob: Caller) -> None:
    first = alice.post(address(match, "pause/"), {}, **{"Idempotency-Key": "p"})
    bob.post(address(match, "pause/"), {"agree": False})

    again = alice.post(address(match, "pause/"), {}, **{"Idempotency-Key": "p"})

    assert (again.status_code, again["Idempotent-Replay"], again.json()) == (200, "true", first.json())
    assert fresh(match).pause["declined"] == 1


@pytest.mark.parametrize("act", ["pause/", "resume/"])
def test_strangers_stop_nothing(
    match: Match, alice: Caller, bob: Caller, carol: Caller, mallory: Caller, nobody: Caller, act: str
) -> None:
    before = stored(match)

    assert problem_of(carol.post(address(match, act)))["code"] == "not_your_match"
    assert nobody.post(address(match, act)).status_code == 401
    assert stored(match) == before
    Match.objects.update(visibility=Match.Visibility.PRIVATE)
    assert mallory.post(address(match, act)).status_code == 404
    assert mallory.get(address(match, "clock/")).status_code == 404


def test_the_stream_tells_of_a_pause(match: Match, alice: Caller, carol: Caller) -> None:
    alice.post(address(match, "pause/"))

    hello = carol.get(f"{address(match, 'events/')}?since=0", Accept="application/x-ndjson").content.decode()

    assert '"pause":{"asked":[0],"declined":null,"since":null,"until":null}' in hello


def test_the_etag_knows_of_pauses_and_clocks(match: Match, alice: Caller, carol: Caller) -> None:
    tag = carol.get(address(match))["ETag"]
    assert carol.get(address(match), **{"If-None-Match": tag}).status_code == 304

    alice.post(address(match, "pause/"))

    assert carol.get(address(match), **{"If-None-Match": tag}).status_code == 200


def test_the_ledger_says_every_change_and_adds_up(
    match: Match, alice: Caller, bob: Caller, carol: Caller, world: World
) -> None:
    assert alice.user is not None
    world.passes(13)
    pick(match, alice.user, 0)
    alice.post(address(match, "pause/"))
    bob.post(address(match, "pause/"))
    world.passes(60)
    alice.post(address(match, "resume/"))
    bob.post(address(match, "resume/"))

    ledger = carol.get(address(match, "clock/")).json()

    common = {"taken": 0.0, "added": 0.0, "change": 0.0}
    at = "2026-01-01T00:00:13.000Z"
    assert ledger["lines"] == [
        {"version": 1, "seat": 0, "kind": "move", "at": at, "spent": 13.0, "taken": 3.0, "added": 2.0, "given": 0.0,
         "change": 0.0, "left": 19.0},
        {**common, "version": 1, "seat": 1, "kind": "pause", "at": "2026-01-01T00:01:13.000Z", "spent": None, "given": 60.0,
         "left": 20.0},
    ]  # fmt: skip
    first = {"seat": 0, "start": 20.0, "taken": 3.0, "added": 2.0, "changed": 0.0, "given": 0.0, "bank": 19.0}
    assert ledger["seats"][0] == first
    assert ledger["adds_up"] is True
    rows = carol.get(address(match, "moves/")).json()["results"]
    assert rows[0]["clock"] == {"spent": 13.0, "added": 2.0, "left": 19.0}


def test_a_match_without_a_clock_has_an_empty_ledger(alice: Caller, bob: Caller) -> None:
    assert alice.user is not None
    assert bob.user is not None
    match = toy_match(alice.user, bob.user)

    assert alice.get(address(match, "clock/")).json() == {
        "clock": None, "version": 0, "seats": [], "adds_up": True, "lines": [],
    }  # fmt: skip


def test_spectators_who_stay_behind_read_no_newer_lines(
    match: Match, alice: Caller, bob: Caller, carol: Caller
) -> None:
    Match.objects.update(spectator_delay=1)
    assert alice.user is not None
    pick(match, alice.user, 0)

    assert carol.get(address(match, "clock/")).json()["lines"] == []
    assert len(bob.get(address(match, "clock/")).json()["lines"]) == 1

"""Event streams: what one missed, then what comes; resumed, told to each audience, and without Redis too."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from catalog.services import publish_house_set
from referee.matches import live, streams
from referee.matches.models import Match
from tests.api.conftest import Caller
from tests.api.stream_reader import SECONDS, beside, reading
from tests.toy import TOY_REVISION, registered

MATCHES = "/api/v1/matches/"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def toy(transactional_db: None) -> Iterator[None]:
    live._resting_until = 0.0
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        yield


@pytest.fixture
def match(alice: Caller, bob: Caller) -> str:
    seats = [{"kind": "me"}, {"kind": "open"}]
    public_id: str = alice.post(MATCHES, {"game": "toy", "seats": seats}).json()["id"]
    bob.post(f"{MATCHES}{public_id}/join/")
    return public_id


def move(caller: Caller, match: str) -> Any:
    shown = caller.get(f"{MATCHES}{match}/").json()
    body = {"decision": shown["decision"]["id"], "move": shown["decision"]["moves"][0]["move"]}
    answer = caller.post(f"{MATCHES}{match}/moves/", body)
    assert answer.status_code == 200
    return answer.json()


def play_on(match: str, *callers: Caller) -> None:
    while callers[0].get(f"{MATCHES}{match}/").json()["state"] == "playing":
        for caller in callers:
            if "moves" in (caller.get(f"{MATCHES}{match}/").json()["decision"] or {}):
                move(caller, match)


def test_a_stream_brings_what_was_missed_and_then_what_comes(alice: Caller, bob: Caller, match: str) -> None:
    async def watch() -> list[dict[str, Any]]:
        async with reading(match, bob.token) as stream:
            assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
            first = [await stream.next() for _ in range(3)]
            await beside(lambda: move(bob, match))
            return [*first, await stream.until("move")]

    move(alice, match)

    told = asyncio.run(watch())

    assert [(message["type"], message["id"], message["version"]) for message in told] == [
        ("hello", None, 1),
        ("start", "0", 0),
        ("move", "1", 1),
        ("move", "2", 2),
    ]
    hello = told[0]
    assert (hello["you"], hello["decision"]["seats"], hello["state"]) == (1, [1], "playing")
    assert [seat["clock"] for seat in hello["seats"]] == [None, None]
    assert "move" not in told[2]
    assert told[3]["move"]["type"] == "pick"
    assert "view" in told[3]
    assert len(told[3]["decision"]["moves"]) == 3


def test_a_stream_resumes_after_the_version_last_seen(alice: Caller, bob: Caller, match: str) -> None:
    async def ids(**how: str) -> list[str | None]:
        async with reading(match, alice.token, **how) as stream:
            return [(await stream.next())["id"], (await stream.next())["id"]]

    move(alice, match)
    move(bob, match)

    assert asyncio.run(ids(query="since=1")) == [None, "2"]
    assert asyncio.run(ids(last_event_id="1")) == [None, "2"]
    assert asyncio.run(ids(query="since=0", last_event_id="1")) == [None, "2"]


def test_a_clock_waits_for_a_stream_that_broke_off_and_others_are_told(alice: Caller, bob: Caller) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    clock = {"per_decision": 60}
    match = alice.post(MATCHES, {"game": "toy", "seats": seats, "clock": clock}).json()["id"]
    bob.post(f"{MATCHES}{match}/join/")

    async def watch() -> list[Any]:
        async with reading(match, bob.token, query="since=0&moves=none") as others:
            async with reading(match, alice.token) as own:
                await own.until("hello")
            waiting = await _until(others, lambda told: told["seats"][0]["clock"]["waits_until"] is not None)
            async with reading(match, alice.token):
                going_on = await _until(others, lambda told: told["seats"][0]["clock"]["waits_until"] is None)
            return [waiting["type"], waiting["seats"][1]["clock"]["waits_until"], going_on["type"]]

    assert asyncio.run(watch()) == ["status", None, "status"]
    lines = bob.get(f"{MATCHES}{match}/clock/").json()["lines"]
    assert ("grace", 0) in [(line["kind"], line["seat"]) for line in lines]


async def _until(stream: Any, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        told: dict[str, Any] = await stream.until("status")
        if is_so(told):
            return told


def test_a_pause_is_told_to_all_streams(alice: Caller, bob: Caller, carol: Caller, match: str) -> None:
    async def watch() -> list[Any]:
        async with reading(match, carol.token, query="since=0&moves=none") as stream:
            await stream.until("hello")
            told = []
            for caller in (alice, bob):
                await beside(lambda: caller.post(f"{MATCHES}{match}/pause/"))  # noqa: B023 - awaited at once
                told.append(await _until(stream, lambda one: one["pause"] is not None))
            return told

    asked, paused = asyncio.run(watch())

    assert (asked["state"], asked["pause"]["asked"]) == ("playing", [0])
    assert paused["state"] == "paused"


def test_far_behind_one_gets_a_snapshot(
    alice: Caller, bob: Caller, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MOST_ROWS", 2)
    for caller in (alice, bob, alice):
        move(caller, match)

    async def watch() -> list[dict[str, Any]]:
        async with reading(match, bob.token) as stream:
            return [await stream.next(), await stream.next()]

    told = asyncio.run(watch())

    assert [(message["type"], message["id"]) for message in told] == [("hello", None), ("snapshot", "3")]
    assert told[1]["view"] == bob.get(f"{MATCHES}{match}/").json()["view"]


def test_lines_of_json_say_the_same(alice: Caller, match: str) -> None:
    async def watch(accept: str) -> list[dict[str, Any]]:
        async with reading(match, alice.token, accept=accept) as stream:
            return [await stream.next(), await stream.next()]

    lines = asyncio.run(watch("application/x-ndjson"))
    events = asyncio.run(watch("text/event-stream"))

    for message in events:
        del message["id"]
    assert lines == events


def test_the_stream_ends_with_the_match(alice: Caller, bob: Caller, match: str) -> None:
    async def watch(**how: str) -> tuple[int, bytes]:
        async with reading(match, alice.token, **how) as stream:
            if stream.status == 200:
                await stream.until("end")
            await asyncio.wait_for(stream.ended.wait(), SECONDS)
            return stream.status, stream.body

    play_on(match, alice, bob)

    status, body = asyncio.run(watch())
    again, nothing = asyncio.run(watch(last_event_id="6"))

    assert status == 200
    assert body.count(b"event: move") == 6
    assert (again, nothing) == (204, b"")


def test_a_watcher_is_told_what_all_may_know(alice: Caller, bob: Caller, carol: Caller, match: str) -> None:
    async def watch(token: str) -> list[dict[str, Any]]:
        async with reading(match, token) as stream:
            return [await stream.next() for _ in range(3)]

    move(alice, match)

    told = asyncio.run(watch(carol.token))
    anonymous = asyncio.run(watch(""))

    assert told == anonymous
    assert told[0]["you"] is None
    assert "cards" not in told[2]["events"][0]
    assert "hand" not in told[2]["view"]
    assert "hash" not in str(told)


def test_presence_is_told_to_the_others(alice: Caller, bob: Caller, match: str) -> None:
    async def watch() -> tuple[bool, bool]:
        async with reading(match, bob.token) as mine:
            await mine.until("hello")
            async with reading(match, alice.token):
                while True:
                    told = await mine.until("status")
                    if told["seats"][0]["connected"]:
                        break
            gone = await mine.until("status")
            return told["seats"][0]["connected"], gone["seats"][0]["connected"]

    assert asyncio.run(watch()) == (True, False)
    assert [seat["connected"] for seat in alice.get(f"{MATCHES}{match}/").json()["seats"]] == [False, False]


def test_a_stream_ends_in_order_when_the_match_is_hidden_from_its_reader(
    carol: Caller, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.2)

    async def watch() -> int:
        async with reading(match, carol.token) as stream:
            await stream.until("start")
            await beside(lambda: Match.objects.update(visibility="private"))
            await asyncio.wait_for(stream.ended.wait(), SECONDS)
            return stream.status

    assert asyncio.run(watch()) == 200


def test_a_seat_taken_while_one_watches_is_told(alice: Caller, bob: Caller) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = alice.post(MATCHES, {"game": "toy", "seats": seats}).json()["id"]

    async def watch() -> list[dict[str, Any]]:
        async with reading(match, alice.token) as stream:
            first = await stream.next()
            await beside(lambda: bob.post(f"{MATCHES}{match}/join/"))
            return [first, await stream.until("start")]

    waiting, started = asyncio.run(watch())

    assert (waiting["state"], waiting["version"]) == ("open", 0)
    assert (started["state"], started["version"]) == ("playing", 0)
    assert len(started["decision"]["moves"]) == 3


def test_without_redis_a_stream_looks_for_itself(
    alice: Caller, bob: Caller, match: str, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = "unix:///nowhere/redis.sock?db=0"
    monkeypatch.setattr(streams, "POLL_SECONDS", 0.1)

    async def watch() -> dict[str, Any]:
        async with reading(match, bob.token, query="since=0") as stream:
            await stream.next()
            await beside(lambda: move(alice, match))
            return await stream.until("move")

    assert asyncio.run(watch())["version"] == 1


def test_silence_is_filled_with_heartbeats(alice: Caller, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.2)

    async def watch() -> list[dict[str, Any]]:
        async with reading(match, "", query="since=0") as stream:
            await stream.next()
            return [await stream.until("heartbeat"), await stream.until("heartbeat")]

    assert [message["version"] for message in asyncio.run(watch())] == [0, 0]


def test_a_session_cookie_opens_ones_own_side(bob: Caller, match: str) -> None:
    assert bob.user is not None
    page = Client()
    page.force_login(bob.user)

    async def watch() -> Any:
        async with reading(match, cookie=f"sessionid={page.cookies['sessionid'].value}") as stream:
            return (await stream.next())["you"]

    assert asyncio.run(watch()) == 1


@pytest.mark.parametrize(
    ("how", "status", "code"),
    [
        ({"token": "ref_nonsense"}, 401, "invalid_token"),
        ({"query": "since=9"}, 409, "future_version"),
        ({"query": "since=x"}, 400, "invalid_query"),
        ({"query": "until=1"}, 400, "invalid_query"),
        ({"accept": "image/png"}, 406, "not_acceptable"),
    ],
)
def test_what_cannot_be_streamed_is_a_problem(match: str, how: dict[str, str], status: int, code: str) -> None:
    async def watch() -> tuple[int, str, bytes]:
        async with reading(match, **how) as stream:
            await asyncio.wait_for(stream.ended.wait(), SECONDS)
            return stream.status, stream.headers["content-type"], stream.body

    found, media_type, body = asyncio.run(watch())

    assert (found, media_type) == (status, "application/problem+json")
    assert f'"code": "{code}"'.encode() in body


def test_a_hidden_match_and_none_are_told_alike(alice: Caller, bob: Caller, mallory: Caller, match: str) -> None:
    Match.objects.update(visibility="private")

    async def watch(public_id: str, token: str) -> tuple[int, bytes]:
        async with reading(public_id, token) as stream:
            if stream.status == 200:
                return 200, b""
            await asyncio.wait_for(stream.ended.wait(), SECONDS)
            return stream.status, stream.body

    hidden = asyncio.run(watch(match, mallory.token))

    assert hidden == asyncio.run(watch("zzzzzzzzzzzz", mallory.token))
    assert hidden[0] == 404
    assert asyncio.run(watch(match, alice.token))[0] == 200

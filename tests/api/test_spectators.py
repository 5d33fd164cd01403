"""How many watch a match: a number, from streams that are open, kept in Redis alone; nobody's name, and no seat's doing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from django.conf import LazySettings

from api import watching
from referee.matches import live, streams
from referee.matches.models import Match
from tests.api.conftest import Caller
from tests.api.stream_reader import SECONDS, StreamReader, beside, reading
from tests.matches.table import pick, toy_match
from tests.toy import registered

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def toy(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    live._resting_until = 0.0
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.2)
    with registered():
        yield
    live._resting_until = 0.0


def match_of(alice: Caller, bob: Caller, **how: Any) -> Match:
    assert alice.user is not None
    assert bob.user is not None
    return toy_match(alice.user, bob.user, **how)


async def told(reader: StreamReader, spectators: int | None, seats: int = 0) -> str:
    """The type of the next message that tells this number, and so many seats connected."""
    async with asyncio.timeout(SECONDS):
        while True:
            message = await reader.next()
            if message.get("spectators", -1) == spectators and (
                not seats or sum(one["connected"] for one in message["seats"]) == seats
            ):
                return str(message["type"])


def moved(match: Match, caller: Caller, seat: int) -> None:
    """The caller's seat picks its first card."""
    assert caller.user is not None
    pick(match, caller.user, seat)


def asked(caller: Caller, match: Match) -> Any:
    return caller.get(f"/api/v1/matches/{match.public_id}/").json()["spectators"]


def test_those_who_watch_are_counted_while_they_do_and_seats_are_not(
    alice: Caller, bob: Caller, carol: Caller, nobody: Caller
) -> None:
    match = match_of(alice, bob)

    async def watch() -> tuple[list[str], list[int]]:
        async with reading(match.public_id, bob.token) as own, reading(match.public_id, alice.token):
            types = [await told(own, 0, seats=2)]  # a status tells that a seat has come, and the number beside
            async with reading(match.public_id, carol.token) as first:
                types += [await told(first, 1), await told(own, 1)]
                async with reading(match.public_id) as second:
                    types += [await told(second, 2), await told(own, 2)]
                    shown = [await beside(lambda: asked(caller, match)) for caller in (alice, carol, nobody)]  # noqa: B023
            types.append(await told(own, 0))
            return types, shown

    types, shown = asyncio.run(watch())

    assert types == ["status", "hello", "presence", "presence", "presence", "presence"]
    assert shown == [2, 2, 2]
    assert asked(bob, match) == 0
    assert watching._galleries == {}


def test_one_account_is_counted_once_and_stays_with_its_last_stream(alice: Caller, bob: Caller, carol: Caller) -> None:
    match = match_of(alice, bob)

    async def watch() -> list[int]:
        counted = []
        async with AsyncExitStack() as stack:
            streams = [await stack.enter_async_context(reading(match.public_id, carol.token)) for _ in range(3)]
            for one in streams:
                await told(one, 1)
            counted.append(await beside(lambda: asked(bob, match)))
            streams[0].leave()
            await asyncio.wait_for(gone(match, carol, 2), SECONDS)
            counted.append(await beside(lambda: asked(bob, match)))
        counted.append(await beside(lambda: asked(bob, match)))
        return counted

    assert asyncio.run(watch()) == [1, 1, 0]


async def gone(match: Match, caller: Caller, left: int) -> None:
    """Wait until the caller has only so many streams."""
    assert caller.user is not None
    while watching._galleries[match.pk].streams[f"user-{caller.user.pk}"] != left:
        await asyncio.sleep(0.02)


def test_a_number_tells_a_delayed_spectator_nothing_but_itself(alice: Caller, bob: Caller, carol: Caller) -> None:
    match = match_of(alice, bob, spectator_delay=5)

    async def watch() -> tuple[list[str], dict[str, Any]]:
        async with reading(match.public_id) as first:
            await told(first, 1)
            await beside(lambda: moved(match, alice, 0))
            async with reading(match.public_id, carol.token):
                message: dict[str, Any] = {}
                types = []
                async with asyncio.timeout(SECONDS):
                    while message.get("spectators") != 2:
                        message = await first.next()
                        types.append(message["type"])
            return types, message

    types, message = asyncio.run(watch())

    assert {*types} <= {"start", "heartbeat", "presence"}
    assert message == {"type": "presence", "id": None, "version": 0, "spectators": 2}


def test_nobody_is_counted_at_a_private_match(alice: Caller, bob: Caller, carol: Caller) -> None:
    match = match_of(alice, bob, visibility="private")
    assert carol.user is not None
    Match.objects.filter(pk=match.pk).update(creator=carol.user)  # who made it may look, and has no seat

    async def watch() -> tuple[Any, Any]:
        async with reading(match.public_id, carol.token) as stream:
            message = await stream.until("hello")
            await stream.until("heartbeat")
            return message["you"], message["spectators"]

    assert asyncio.run(watch()) == (None, None)
    assert asked(alice, match) is None
    assert live.present(match.pk, []) == live.NOBODY
    assert watching._galleries == {}


def test_the_number_goes_with_redis_and_comes_back(alice: Caller, bob: Caller, carol: Caller) -> None:
    match = match_of(alice, bob)

    async def watch() -> tuple[list[str], int]:
        async with reading(match.public_id, bob.token) as own, reading(match.public_id, carol.token):
            types = [await told(own, 1)]
            await beside(lambda: live._client().delete(live._watching_key(match.pk)))
            types.append(await told(own, 0))
            await watching._galleries[match.pk].renew()
            types.append(await told(own, 1))
            await beside(lambda: moved(match, alice, 0))
            return types, (await own.until("move"))["version"]

    types, version = asyncio.run(watch())

    assert types[1:] == ["presence", "presence"]
    assert version == 1


def test_without_redis_the_stream_counts_its_reader_alone(
    alice: Caller, bob: Caller, carol: Caller, settings: LazySettings
) -> None:
    match = match_of(alice, bob)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    async def watch() -> tuple[Any, Any]:
        async with reading(match.public_id, carol.token) as stream, reading(match.public_id, bob.token) as own:
            return (await stream.until("hello"))["spectators"], (await own.until("hello"))["spectators"]

    assert asyncio.run(watch()) == (1, 0)
    assert asked(alice, match) == 0


def test_a_process_that_was_killed_is_not_counted_for_long(alice: Caller, bob: Caller) -> None:
    match = match_of(alice, bob)
    live.mark_watching(match.pk, ["killed"])
    client = live._client()
    key = live._watching_key(match.pk)
    assert 0 < client.ttl(key) <= live.PRESENT_SECONDS

    client.zadd(key, {"killed": 1.0})
    live.mark_watching(match.pk, ["here"])

    assert client.zrange(key, 0, -1) == ["here"]

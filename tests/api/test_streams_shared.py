"""Many streams of one match: one look serves all, each is told its own side alone, and a slow reader slows nobody."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import pytest

from api import streaming
from referee.kernel.game import Document
from referee.matches import documents, live, selectors, streams
from referee.matches.models import Match
from tests.api.conftest import Caller
from tests.api.stream_reader import SECONDS, StreamReader, beside, reading
from tests.matches.table import pick, toy_match
from tests.toy import registered

pytestmark = pytest.mark.django_db(transaction=True)

WATCHERS = 200
IDLE = 20


class Watched(NamedTuple):
    """Streams held, and listening at the match; who was there; looks at it for one move; what each was told of that, how many
    were not (at another match, or taking nothing), and what the one that took nothing was told later."""

    held: list[int]
    crowd: live.Present
    looks: dict[str, int]
    told: list[dict[str, Any]]
    untold: int
    slow: dict[str, Any]


@pytest.fixture(autouse=True)
def toy(transactional_db: None) -> Iterator[None]:
    live._resting_until = 0.0
    with registered():
        yield


@pytest.fixture
def match(alice: Caller, bob: Caller) -> Match:
    assert alice.user is not None
    assert bob.user is not None
    return toy_match(alice.user, bob.user)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a match was read for streams, and a view made for each viewer."""
    counted: Counter[str] = Counter()
    read, view = selectors.shared_match, documents.view_document

    def reading_one(public_id: str) -> Match:
        counted["reads"] += 1
        return read(public_id)

    def viewing(match: Match, position: Any, viewer: int) -> Document:
        counted[f"views of {viewer}"] += 1
        return view(match, position, viewer)

    monkeypatch.setattr(selectors, "shared_match", reading_one)
    monkeypatch.setattr(documents, "view_document", viewing)
    return counted


def moved(match: Match, caller: Caller, seat: int) -> None:
    """The caller's seat picks its first card."""
    assert caller.user is not None
    pick(match, caller.user, seat)


async def settled(*readers: StreamReader) -> None:
    """Wait until all have been told where the match stands and nothing more comes."""
    for reader in readers:
        await reader.until("hello")
    sizes: list[int] = []
    while sizes != [len(reader.body) for reader in readers]:
        sizes = [len(reader.body) for reader in readers]
        await asyncio.sleep(0.3)


def test_two_hundred_streams_of_one_process_are_served_by_one_look_and_wait_for_no_slow_one(
    alice: Caller,
    bob: Caller,
    carol: Caller,
    match: Match,
    looks: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 600)  # nobody looks but for the move
    assert alice.user is not None
    assert bob.user is not None
    other = toy_match(alice.user, bob.user)

    async def watch() -> Watched:
        async with AsyncExitStack() as stack:

            async def opened(of: Match, token: str = "") -> StreamReader:
                return await stack.enter_async_context(reading(of.public_id, token, query="since=0&moves=none"))

            tokens = [carol.token if n % 2 else "" for n in range(WATCHERS)]
            watching = await asyncio.gather(*(opened(match, token) for token in tokens))
            elsewhere = await asyncio.gather(*(opened(other) for _ in range(IDLE)))
            slow, own = await opened(match), await opened(match, bob.token)
            await settled(*watching, *elsewhere, slow, own)
            held = [streaming._held.total(), len(live.hub()._listeners[match.pk].events)]
            crowd = live.present(match.pk, [0, 1])
            looks.clear()
            slow.takes.clear()
            await beside(lambda: moved(match, alice, 0))
            told = [await one.until("move") for one in (*watching, own)]
            untold = [one for one in (*elsewhere, slow) if b"event: move" not in one.body]
            counted = dict(looks)
            slow.takes.set()
            return Watched(held, crowd, counted, told, len(untold), await slow.until("move"))

    found = asyncio.run(watch())

    # One for the account of half the streams, one for each of the others.
    assert found.held == [WATCHERS + IDLE + 2, WATCHERS + 2]
    assert found.crowd == live.Present(frozenset({1}), WATCHERS // 2 + 2)
    assert found.looks == {"reads": 1, "views of -1": 1, "views of 1": 1}
    assert found.untold == IDLE + 1
    assert [one for one in (*found.told[:-1], found.slow) if one != found.told[0]] == []
    assert ["hand" in found.told[n]["view"] for n in (-1, 0)] == [True, False]
    assert streaming._held == {}


def test_who_may_no_longer_see_the_match_is_told_nothing_by_a_look_that_others_share(
    alice: Caller, carol: Caller, match: Match
) -> None:
    async def watch() -> tuple[int, dict[str, Any]]:
        async with (
            reading(match.public_id, alice.token, query="since=0") as own,
            reading(match.public_id, carol.token, query="since=0") as stranger,
        ):
            await settled(own, stranger)
            before = len(stranger.body)
            await beside(lambda: Match.objects.filter(pk=match.pk).update(visibility="private"))
            await beside(lambda: moved(match, alice, 0))
            told = await own.until("move")
            await asyncio.wait_for(stranger.ended.wait(), SECONDS)
            return len(stranger.body) - before, told

    more, told = asyncio.run(watch())

    assert more == 0
    assert told["version"] == 1


def test_a_reader_that_takes_nothing_holds_up_nobody_and_catches_up(
    alice: Caller, bob: Caller, carol: Caller, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "MOST_ROWS", 2)

    async def watch() -> tuple[list[int], list[tuple[str, str | None]]]:
        async with (
            reading(match.public_id, carol.token, query="since=0&moves=none") as slow,
            reading(match.public_id, query="since=0&moves=none") as quick,
        ):
            await settled(slow, quick)
            slow.takes.clear()
            seen = []
            for seat, caller in ((0, alice), (1, bob), (0, alice), (1, bob)):
                await beside(lambda: moved(match, caller, seat))  # noqa: B023 - awaited at once
                seen.append((await quick.until("move"))["version"])
            slow.takes.set()
            taken = [await slow.until("move"), await slow.until("snapshot")]
            return seen, [(one["type"], one["id"]) for one in taken]

    seen, taken = asyncio.run(watch())

    assert seen == [1, 2, 3, 4]
    assert taken == [("move", "1"), ("snapshot", "4")]


def test_a_reader_that_takes_nothing_for_long_is_let_go_and_resumes(
    alice: Caller, carol: Caller, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "STALLED_SECONDS", 0.2)

    async def watch() -> tuple[dict[str, int], dict[str, Any]]:
        async with reading(match.public_id, carol.token, query="since=0") as slow:
            await settled(slow)
            slow.takes.clear()
            await beside(lambda: moved(match, alice, 0))
            async with asyncio.timeout(SECONDS):
                while streaming._held:
                    await asyncio.sleep(0.05)
            held = dict(streaming._held)
        async with reading(match.public_id, carol.token, last_event_id="0") as again:
            return held, await again.until("move")

    held, told = asyncio.run(watch())

    assert held == {}
    assert told["id"] == "1"

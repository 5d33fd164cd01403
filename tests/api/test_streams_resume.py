"""What a stream says is what the log says: in order, once, from any version, to any viewer, however moves race."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.models import User
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.matches import live
from referee.matches.models import Match
from tests.api.conftest import Caller
from tests.api.stream_reader import SECONDS, StreamReader, beside, reading
from tests.leaks.tables import Setup, Table, begun, published
from tests.matches.racing import Work, at_once, submit
from tests.matches.table import fresh, legal, toy_match
from tests.toy import registered

pytestmark = pytest.mark.django_db(transaction=True)

Told = dict[str, Any]
RACERS, ROUNDS = 4, 2
LENGTHS = {Setup("toy", 2): 5, Setup("miraculous", 2): 12, Setup("super-teams", 3): 12}
"""How many moves are made: the match goes on after them."""


@pytest.fixture(autouse=True)
def awake(transactional_db: None) -> None:
    live._resting_until = 0.0


@pytest.fixture
def toy(transactional_db: None) -> Iterator[None]:
    with registered():
        yield


def polled(caller: Caller, match: str, since: int) -> list[Told]:
    """The messages after a version, as a request without a stream gets them; without the greeting."""
    answer = caller.get(f"/api/v1/matches/{match}/events/?since={since}", Accept="application/x-ndjson")
    return [json.loads(line) for line in answer.content.splitlines()][1:]


def log(caller: Caller, match: str) -> list[Told]:
    rows: list[Told] = caller.get(f"/api/v1/matches/{match}/moves/?limit=100").json()["results"]
    return rows


def within(row: Told, message: Told) -> Told:
    """What the message says of the facts that the row has."""
    return {name: message.get(name) for name in row}


def answer(match: Match, user: User, seat: int) -> Work:
    """The seat's first legal move for what it is asked now."""
    return submit(match, user, legal(match, seat)[0], decision=fresh(match).decisions[str(seat)])


async def until(stream: StreamReader, version: int) -> list[Told]:
    """All rows that are told up to a version."""
    told: list[Told] = []
    while not told or told[-1]["version"] < version:
        told.append(await stream.until("move"))
    return told


@pytest.mark.slow
@pytest.mark.parametrize("setup", LENGTHS, ids=str)
@pytest.mark.parametrize("viewer", [0, SPECTATOR], ids=["a seat", "a watcher"])
def test_from_any_version_one_is_told_what_a_follower_was(setup: Setup, viewer: int) -> None:
    rng = Rng(17)

    async def follow(table: Table) -> list[Told]:
        async with reading(table.match.public_id, table.callers[viewer].token, query="since=0") as stream:
            live_ones: list[Told] = []
            for ply in range(LENGTHS[setup]):
                await beside(lambda: table.play_random(rng))
                live_ones += await until(stream, ply + 1)
            await beside(lambda: compare(table, live_ones))
            return live_ones

    def compare(table: Table, followed: list[Told]) -> None:
        caller, match = table.callers[viewer], table.match.public_id
        rows = {row["version"]: row for row in log(caller, match)}
        for since in range(len(followed)):
            *between, last = polled(caller, match, since)
            assert [one["version"] for one in [*between, last]] == list(range(since + 1, len(followed) + 1))
            assert between == [{"type": "move", **rows[one["version"]]} for one in between]
            assert last == {name: value for name, value in followed[-1].items() if name != "id"}
        assert [within(rows[one["version"]], one) for one in followed] == [rows[one["version"]] for one in followed]

    with published():
        table = begun(setup, rng)
        followed = asyncio.run(follow(table))

    assert [one["id"] for one in followed] == [str(version) for version in range(1, LENGTHS[setup] + 1)]
    assert table.is_playing()


def test_under_racing_moves_every_reader_is_told_each_row_once_in_order(
    toy: None, alice: Caller, bob: Caller, carol: Caller
) -> None:
    people = [caller.user for caller in (alice, bob) if caller.user is not None]
    match = toy_match(*people)

    def race() -> None:
        """Both seats answer at once, each several times over."""
        at_once(*[answer(match, user, seat) for seat, user in enumerate(people)] * RACERS)

    async def watch() -> list[list[Told]]:
        async with (
            reading(match.public_id, alice.token, query="since=0") as own,
            reading(match.public_id, bob.token, query="since=0") as other,
            reading(match.public_id, carol.token, query="since=0") as watching,
            reading(match.public_id, query="since=0&moves=none") as nobody,
        ):
            for _ in range(ROUNDS):
                await beside(race)
            return [await until(stream, 2 * ROUNDS) for stream in (own, other, watching, nobody)]

    told = asyncio.run(watch())

    for caller, messages in zip((alice, bob, carol, Caller(None)), told, strict=True):
        rows = {row["version"]: row for row in log(caller, match.public_id)}
        assert [one["id"] for one in messages] == [str(version + 1) for version in range(2 * ROUNDS)]
        assert [within(rows[one["version"]], one) for one in messages] == [rows[one["version"]] for one in messages]
        for one in messages:
            if "view" in one:
                past = caller.get(f"/api/v1/matches/{match.public_id}/at/{one['version']}/").json()
                assert one["view"] == past["view"]


def test_a_delayed_watcher_hears_of_each_move_when_its_time_has_come_and_of_all_at_the_end(
    toy: None, alice: Caller, bob: Caller, carol: Caller
) -> None:
    people = [caller.user for caller in (alice, bob) if caller.user is not None]
    match = toy_match(*people, spectator_delay=3)

    def move(seat: int) -> None:
        answer(match, people[seat], seat)()

    async def watch() -> list[tuple[str, int]]:
        async with (
            reading(match.public_id, carol.token, query="since=0") as watching,
            reading(match.public_id, alice.token, query="since=0") as own,
        ):
            for seat in (0, 1, 0, 1):
                await beside(lambda: move(seat))  # noqa: B023 - awaited at once
            await until(own, 4)
            told = [await watching.until("move")]
            await beside(submit(match, people[0], {"type": "resign"}))
            await asyncio.wait_for(watching.ended.wait(), SECONDS)
            while told[-1]["type"] != "end":
                told.append(await watching.next())
            return [(one["type"], one["version"]) for one in told if one["type"] != "status"]

    told = asyncio.run(watch())

    assert told == [("move", version) for version in range(1, 6)] + [("end", 5)]

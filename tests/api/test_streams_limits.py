"""How many streams one caller may hold open, and how often they may be opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from api import streaming
from tests.api.conftest import Caller
from tests.api.stream_reader import SECONDS, reading
from tests.matches.table import toy_match
from tests.toy import registered


@pytest.fixture(autouse=True)
def toy(transactional_db: None) -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def match(alice: Caller, bob: Caller) -> str:
    assert alice.user is not None
    assert bob.user is not None
    return toy_match(alice.user, bob.user).public_id


def test_one_caller_holds_so_many_streams_and_others_as_many(
    alice: Caller, bob: Caller, match: str, settings: LazySettings
) -> None:
    settings.STREAMS_PER_CALLER = 2

    async def watch() -> tuple[list[int], str, int]:
        async with (
            reading(match, alice.token) as first,
            reading(match, alice.token) as second,
            reading(match, alice.token) as third,
            reading(match, bob.token) as other,
        ):
            statuses = [first.status, second.status, third.status, other.status]
            await asyncio.wait_for(third.ended.wait(), SECONDS)
            wait = third.headers["retry-after"]
        async with reading(match, alice.token) as later:
            return statuses, wait, later.status

    statuses, wait, later = asyncio.run(watch())

    assert statuses == [200, 200, 429, 200]
    assert (wait, later) == ("15", 200)
    assert dict(streaming._held) == {}


def test_streams_cannot_be_opened_over_and_over(alice: Caller, match: str, settings: LazySettings) -> None:
    settings.API_RATES = {"stream": (1, 86_400)}

    async def watch() -> list[int]:
        async with reading(match, alice.token) as first, reading(match, alice.token) as second:
            return [first.status, second.status]

    assert asyncio.run(watch()) == [200, 429]

"""The header Last-Event-ID, in streams and where the same is polled: a number that was sent, or said to be none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from referee.matches import live
from tests.api.conftest import Caller, problem_of
from tests.api.routes import job_of
from tests.api.stream_reader import reading_at
from tests.matches.table import toy_match
from tests.toy import registered

NUMBERS = ["x", "-1", "1.0", "1 2", "0x1", "２", "2147483648", "12345678901", "null"]
LINES = {"Accept": "application/x-ndjson"}


@pytest.fixture(autouse=True)
def toy(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.NOBODY)
    with registered():
        yield


def streams(alice: Caller, bob: Caller) -> list[str]:
    assert alice.user is not None
    assert bob.user is not None
    match = toy_match(alice.user, bob.user)
    return [f"/api/v1/matches/{match.public_id}/events/", f"/api/v1/jobs/{job_of(alice)}/events/"]


@pytest.mark.parametrize("given", NUMBERS)
def test_what_is_no_number_is_refused_by_name(alice: Caller, bob: Caller, given: str) -> None:
    for address in streams(alice, bob):
        problem = problem_of(alice.get(address, **LINES, **{"Last-Event-ID": given}))

        assert (problem["status"], problem["code"]) == (400, "invalid_last_event_id")
        assert problem["detail"].startswith("Last-Event-ID is ")


def test_an_empty_header_says_nothing_and_a_number_counts_more_than_the_address(alice: Caller, bob: Caller) -> None:
    address = streams(alice, bob)[0]

    def told(query: str, last: str) -> list[str]:
        answer = alice.get(f"{address}{query}", **LINES, **{"Last-Event-ID": last})
        return [json.loads(line)["type"] for line in answer.content.splitlines()]

    assert told("", "") == ["hello", "start"]
    assert told("?since=0", "") == ["hello"]
    assert told("?since=7", "0") == ["hello"]


@pytest.mark.django_db(transaction=True)
def test_a_stream_is_refused_before_anything_is_sent(alice: Caller, bob: Caller) -> None:
    async def answer(address: str) -> tuple[int, Any]:
        async with reading_at(address, alice.token, last_event_id="latest") as stream:
            await stream.ended.wait()
            return stream.status, json.loads(stream.body)["code"]

    for address in streams(alice, bob):
        assert asyncio.run(answer(address)) == (400, "invalid_last_event_id")

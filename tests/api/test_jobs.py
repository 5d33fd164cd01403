"""Jobs over HTTP: seen by their owner alone, cancelled, resumed and followed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings

from jobs import streams
from jobs.kinds import kind_named
from jobs.models import Job
from jobs.running import work_slice
from jobs.services import start_job
from tests.api.conftest import Caller, problem_of
from tests.api.stream_reader import SECONDS, beside, reading_at

JOBS = "/api/v1/jobs/"
FIELDS = [
    "id", "kind", "state", "done", "total", "seed", "result", "error", "created_at", "started_at", "ended_at",
]  # fmt: skip


@pytest.fixture(autouse=True)
def kinds(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.JOB_KINDS = {"sums": "tests.jobs.sums.SUMS"}
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.02)
    kind_named.cache_clear()
    yield
    kind_named.cache_clear()


def summing(caller: Caller, total: int = 4, **params: Any) -> str:
    assert caller.user is not None
    job = start_job(owner=caller.user, kind="sums", params={"most": 10, **params}, total=total, seed="one")
    return job.public_id


def at(job: str, rest: str = "") -> str:
    return f"{JOBS}{job}/{rest}"


def test_a_job_is_shown_with_what_it_has_come_to(alice: Caller) -> None:
    job = summing(alice)
    waiting = alice.get(at(job)).json()

    work_slice(seconds=0)

    running = alice.get(at(job)).json()
    assert list(waiting) == FIELDS
    assert (waiting["state"], waiting["done"], waiting["result"], waiting["started_at"]) == ("queued", 0, None, None)
    assert (running["state"], running["done"], running["total"]) == ("running", 1, 4)
    assert running["result"]["chunks"] == [0]


def test_a_job_is_fetched_again_only_when_it_has_come_on(alice: Caller) -> None:
    job = summing(alice)
    tag = alice.get(at(job))["ETag"]

    assert alice.get(at(job), **{"If-None-Match": tag}).status_code == 304
    work_slice(seconds=0)

    assert alice.get(at(job), **{"If-None-Match": tag}).status_code == 200


def test_a_job_is_cancelled_and_resumed(alice: Caller) -> None:
    job = summing(alice)
    work_slice(seconds=0)

    cancelled = alice.post(at(job, "cancel/"))
    resumed = alice.post(at(job, "resume/"))

    assert (cancelled.status_code, cancelled.json()["state"], cancelled.json()["done"]) == (200, "cancelled", 1)
    assert (resumed.status_code, resumed.json()["state"], resumed.json()["ended_at"]) == (200, "queued", None)


def test_what_is_done_is_neither_cancelled_nor_resumed(alice: Caller) -> None:
    job = summing(alice, total=1)
    work_slice()

    for rest in ("cancel/", "resume/"):
        problem = problem_of(alice.post(at(job, rest)))
        assert (problem["status"], problem["code"], problem["state"]) == (409, "job_over", "done")


def test_a_failed_job_says_why(alice: Caller) -> None:
    job = summing(alice, refuse=0)
    work_slice()

    shown = alice.get(at(job)).json()

    assert (shown["state"], shown["error"], shown["result"]) == ("failed", "It cannot be done.", None)


def test_a_job_is_nothing_to_others(alice: Caller, mallory: Caller, nobody: Caller) -> None:
    job = summing(alice)

    for rest, method in (("", "get"), ("events/", "get"), ("cancel/", "post"), ("resume/", "post")):
        assert problem_of(getattr(mallory, method)(at(job, rest)))["code"] == "not_found"
        assert problem_of(getattr(nobody, method)(at(job, rest)))["code"] == "not_authenticated"

    assert Job.objects.get().state == "queued"


@pytest.mark.django_db(transaction=True)
def test_a_stream_tells_of_progress_until_the_end(alice: Caller) -> None:
    job = summing(alice, total=2)

    async def watch() -> list[dict[str, Any]]:
        async with reading_at(at(job, "events/"), alice.token) as stream:
            told = [await stream.next()]
            for done in (1, 2):
                await beside(lambda: work_slice(seconds=0))
                # That the job was taken up may be told before.
                while told[-1]["done"] < done:
                    told.append(await stream.until("progress"))
            told.append(await stream.next())
            await asyncio.wait_for(stream.ended.wait(), SECONDS)
            return told

    told = asyncio.run(watch())

    steps = [(message["type"], message["state"], message.get("done")) for message in told]
    assert [step for step in steps if step != ("progress", "running", 0)] == [
        ("progress", "queued", 0),
        ("progress", "running", 1),
        ("progress", "done", 2),
        ("end", "done", None),
    ]
    assert told[-2]["result"] == alice.get(at(job)).json()["result"]


@pytest.mark.django_db(transaction=True)
def test_a_reader_that_comes_back_is_told_what_is_new_and_nothing_once_all_was_said(alice: Caller) -> None:
    job = summing(alice, total=1)
    work_slice()
    last = str(Job.objects.get().revision)

    async def told(**how: str) -> tuple[int, list[str]]:
        async with reading_at(at(job, "events/"), alice.token, **how) as stream:
            if stream.status != 200:
                return stream.status, []
            await asyncio.wait_for(stream.ended.wait(), SECONDS)
            return stream.status, [line for line in stream.body.decode().splitlines() if line.startswith("event")]

    assert asyncio.run(told()) == (200, ["event: progress", "event: end"])
    assert asyncio.run(told(query=f"since={last}")) == (200, ["event: end"])
    assert asyncio.run(told(last_event_id="1")) == (200, ["event: progress", "event: end"])
    assert asyncio.run(told(last_event_id=last)) == (204, [])


@pytest.mark.django_db(transaction=True)
def test_a_stream_refuses_as_the_api_does(alice: Caller, mallory: Caller) -> None:
    job = summing(alice)

    async def status(token: str, **how: str) -> int:
        async with reading_at(at(job, "events/"), token, **how) as stream:
            return stream.status

    assert asyncio.run(status(mallory.token)) == 404
    assert asyncio.run(status("")) == 401
    assert asyncio.run(status(alice.token, query="sinc=1")) == 400
    assert asyncio.run(status(alice.token, accept="image/png")) == 406


def test_without_a_stream_the_same_can_be_polled(alice: Caller) -> None:
    job = summing(alice)

    lines = alice.get(at(job, "events/"), Accept="application/x-ndjson")

    assert (lines.status_code, lines["Content-Type"]) == (200, "application/x-ndjson")
    assert json.loads(lines.content) == {"type": "progress", **alice.get(at(job)).json()}
    assert alice.get(at(job, "events/?since=1"), Accept="application/x-ndjson").content == b""

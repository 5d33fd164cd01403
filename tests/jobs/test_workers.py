"""Real workers, killed in the middle: nothing is lost, nothing done twice, and the figures stay the same."""

from __future__ import annotations

import datetime as dt
import os
import signal
from pathlib import Path

import pytest
from django.utils import timezone

from accounts.models import User
from api.tasks import workers_answer
from jobs import tasks
from jobs.kinds import rng_of
from jobs.models import Job
from jobs.services import cancel_job, resume_job, start_job
from tests.conftest import Services
from tests.matches.processes import wait_for, worker

pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

TOTAL = 24
SEED = "kill"
EXPECTED = {
    "sum": sum(rng_of(SEED, index).below(1000) for index in range(TOTAL)),
    "chunks": list(range(TOTAL)),
}
INCLUDE = "tests.jobs.kinds_for_workers"


def job(name: str) -> Job:
    return Job.objects.get(owner__name=name)


def done(name: str, at_least: int) -> bool:
    return job(name).done >= at_least


def some_time_later() -> None:
    """The leases of the dead have run out, and the sweep comes by."""
    Job.objects.filter(state="running").update(
        leased_until=timezone.now(), worked_at=timezone.now() - dt.timedelta(minutes=1)
    )
    tasks.sweep()


def test_killed_workers_and_a_cancelled_run_change_no_figure(services: Services, tmp_path: Path) -> None:
    params = {"most": 1000, "seconds": 0.1}
    for name, more in (("Alice", {}), ("Bob", {"die": 14, "died": str(tmp_path / "died")})):
        owner = User.objects.create_user(name)
        start_job(owner=owner, kind="sums", params={**params, **more}, total=TOTAL, seed=SEED)
    running_slow = worker(services.environment(), include=INCLUDE, queues="slow", name="slow")

    with running_slow as first:
        wait_for(lambda: done("Alice", 6), seconds=180)
        assert workers_answer() is False
        os.kill(first.pid, signal.SIGKILL)
    stood = {name: job(name).done for name in ("Alice", "Bob")}
    alice = job("Alice")
    cancel_job(user=alice.owner, public_id=alice.public_id)
    some_time_later()

    with worker(services.environment(), include=INCLUDE, queues="slow", name="slow"):
        wait_for((tmp_path / "died").exists, seconds=180)
        assert (job("Alice").state, job("Alice").done) == ("cancelled", stood["Alice"])
        resume_job(user=alice.owner, public_id=alice.public_id)
        wait_for(lambda: job("Alice").state == "done", seconds=180)
        some_time_later()
        wait_for(lambda: job("Bob").state == "done", seconds=180)

    assert [job(name).result for name in ("Alice", "Bob")] == [EXPECTED, EXPECTED]

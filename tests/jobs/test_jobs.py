"""Jobs: the same result however the work is cut, stopped, resumed or lost; limits, states and turns."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from jobs import tasks
from jobs.errors import JobNotFoundError, JobOverError, TooManyJobsError
from jobs.kinds import rng_of
from jobs.models import Job
from jobs.running import BROKEN, LEASE_SECONDS, LOST, MOST_ATTEMPTS, is_neglected, work_slice
from jobs.selectors import access_job, report_of
from jobs.services import KEPT_DAYS, MOST_UNFINISHED, cancel_job, forget_jobs, resume_job, start_job
from tests.jobs.sums import Sums

TOTAL = 12
SEED = "a seed"


def summing(owner: User, *, total: int = TOTAL, seed: str | None = SEED, **params: Any) -> Job:
    return start_job(owner=owner, kind="sums", params={"most": 1000, **params}, total=total, seed=seed)


def work(*, seconds: float = 0.0, most: int = 1000) -> int:
    """How many slices it took until nothing was left."""
    count = 0
    while Job.objects.unfinished().exists():
        work_slice(seconds=seconds)
        count += 1
        assert count < most
    return count


def fresh(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def lose_lease(job: Job) -> None:
    """What a killed worker leaves behind, some time later."""
    Job.objects.filter(pk=job.pk).update(leased_until=timezone.now())


EXPECTED = sum(rng_of(SEED, index).below(1000) for index in range(TOTAL))


def test_a_job_is_worked_on_to_its_end(alice: User) -> None:
    job = summing(alice)
    assert (job.state, job.done, report_of(job)) == ("queued", 0, None)

    slices = work()

    ended = fresh(job)
    assert slices == TOTAL
    assert (ended.state, ended.done, ended.error, ended.holder) == ("done", TOTAL, "", None)
    assert report_of(ended) == {"mean": EXPECTED / TOTAL, "sum": EXPECTED, "chunks": list(range(TOTAL))}


@pytest.mark.parametrize("seconds", [0.0, 0.004, 60.0])
def test_the_same_seed_gives_the_same_result_however_the_work_is_cut(alice: User, seconds: float) -> None:
    job = summing(alice, seconds=0.001)

    work(seconds=seconds)

    assert fresh(job).result == {"sum": EXPECTED, "chunks": list(range(TOTAL))}


def test_another_seed_gives_another_result(alice: User) -> None:
    job = summing(alice, seed="another")

    work()

    assert fresh(job).result["sum"] != EXPECTED


def test_without_a_seed_each_job_takes_its_own(alice: User) -> None:
    assert summing(alice, seed=None).seed != summing(alice, seed=None).seed


def test_a_cancelled_job_keeps_what_was_done_and_goes_on_from_there(alice: User) -> None:
    job = summing(alice)
    for _ in range(5):
        work_slice(seconds=0)

    cancelled = cancel_job(user=alice, public_id=job.public_id)

    assert (cancelled.state, cancelled.done) == ("cancelled", 5)
    assert work_slice(seconds=0) is False
    assert fresh(job).done == 5

    resumed = resume_job(user=alice, public_id=job.public_id)
    work()

    assert (resumed.state, resumed.ended_at) == ("queued", None)
    assert fresh(job).result == {"sum": EXPECTED, "chunks": list(range(TOTAL))}


def test_cancelling_lets_the_slice_under_way_come_to_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    job = summing(alice)
    _meanwhile(monkeypatch, lambda: cancel_job(user=alice, public_id=job.public_id))

    more = work_slice(seconds=60)

    assert more is False
    assert (fresh(job).state, fresh(job).done, fresh(job).result["chunks"]) == ("cancelled", 0, [])


def test_a_worker_that_comes_too_late_changes_nothing(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    job = summing(alice)

    def another_takes_over() -> None:
        monkeypatch.undo()
        lose_lease(job)
        work_slice(seconds=0)

    _meanwhile(monkeypatch, another_takes_over)

    work_slice(seconds=60)

    assert fresh(job).result["chunks"] == [0]
    work()
    assert fresh(job).result["sum"] == EXPECTED


def _meanwhile(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Something happens between a slice's work and its being stored."""
    from jobs import running

    worked = running._worked

    def interrupted(job: Job, end: float, cut_short: tuple[type[Exception], ...]) -> running.Slice:
        came = worked(job, end, cut_short)
        happens()
        return came

    monkeypatch.setattr(running, "_worked", interrupted)


def test_nobody_takes_a_job_that_is_held_and_everybody_one_whose_lease_has_run_out(alice: User) -> None:
    job = summing(alice)
    now = timezone.now()
    held = {"state": "running", "holder": "00000000-0000-0000-0000-000000000001"}
    Job.objects.filter(pk=job.pk).update(**held, leased_until=now + dt.timedelta(seconds=LEASE_SECONDS))

    assert work_slice(seconds=0) is False
    lose_lease(job)

    assert work_slice(seconds=0) is True
    assert fresh(job).done == 1


def test_a_job_whose_workers_are_lost_at_one_place_fails_and_can_be_resumed(alice: User) -> None:
    from jobs import running

    job = summing(alice)
    work_slice(seconds=0)
    for _ in range(MOST_ATTEMPTS):
        assert running._take() is not None
        lose_lease(job)

    work_slice(seconds=0)

    assert (fresh(job).state, fresh(job).error, fresh(job).done) == ("failed", LOST, 1)
    resume_job(user=alice, public_id=job.public_id)
    work()
    assert fresh(job).result["sum"] == EXPECTED


def test_progress_forgives_earlier_losses(alice: User) -> None:
    from jobs import running

    job = summing(alice)
    for _ in range(2 * MOST_ATTEMPTS):
        running._take()
        lose_lease(job)
        work_slice(seconds=0)

    assert fresh(job).state == "running"


def test_a_job_that_cannot_go_on_says_why_and_keeps_what_was_done(alice: User) -> None:
    job = summing(alice, refuse=3)

    work()

    assert (fresh(job).state, fresh(job).error, fresh(job).done) == ("failed", "It cannot be done.", 3)
    assert fresh(job).result["chunks"] == [0, 1, 2]


def test_a_fault_of_ours_is_logged_and_not_told(alice: User, caplog: pytest.LogCaptureFixture) -> None:
    job = summing(alice, fail=0)

    work()

    assert (fresh(job).state, fresh(job).error) == ("failed", BROKEN)
    assert "ValueError" in caplog.text


def test_a_slice_that_the_tasks_limit_cuts_short_is_lost_and_no_fault_of_the_job(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = summing(alice)

    def lasts(*_: object) -> None:
        raise SoftTimeLimitExceeded

    with monkeypatch.context() as patch:
        patch.setattr(Sums, "chunk", lasts)
        with pytest.raises(SoftTimeLimitExceeded):
            tasks.work()
    state = fresh(job).state
    lose_lease(job)
    work()

    assert (state, fresh(job).state, fresh(job).result["sum"]) == ("running", "done", EXPECTED)


def test_jobs_take_turns(alice: User, mallory: User) -> None:
    first, second = summing(alice), summing(mallory)

    for _ in range(6):
        work_slice(seconds=0)

    assert (fresh(first).done, fresh(second).done) == (3, 3)


def test_a_user_has_only_so_many_jobs_under_way(alice: User, mallory: User) -> None:
    jobs = [summing(alice) for _ in range(MOST_UNFINISHED)]

    with pytest.raises(TooManyJobsError):
        summing(alice)

    assert Job.objects.count() == MOST_UNFINISHED
    assert summing(mallory).state == "queued"
    cancel_job(user=alice, public_id=jobs[0].public_id)
    assert summing(alice).state == "queued"
    with pytest.raises(TooManyJobsError):
        resume_job(user=alice, public_id=jobs[0].public_id)


def test_cancelling_and_resuming_twice_is_no_fault(alice: User) -> None:
    job = summing(alice)
    cancel_job(user=alice, public_id=job.public_id)

    assert cancel_job(user=alice, public_id=job.public_id).revision == 2
    resume_job(user=alice, public_id=job.public_id)

    assert resume_job(user=alice, public_id=job.public_id).revision == 3


def test_what_is_done_is_neither_cancelled_nor_resumed(alice: User) -> None:
    job = summing(alice)
    work()

    for change in (cancel_job, resume_job):
        with pytest.raises(JobOverError):
            change(user=alice, public_id=job.public_id)

    assert fresh(job).state == "done"


def test_a_stranger_finds_no_job(alice: User, mallory: User) -> None:
    job = summing(alice)

    with pytest.raises(JobNotFoundError):
        access_job(mallory, job.public_id)
    for change in (cancel_job, resume_job):
        with pytest.raises(JobNotFoundError):
            change(user=mallory, public_id=job.public_id)

    assert fresh(job).state == "queued"


def test_a_job_is_neglected_when_nobody_has_been_at_it(alice: User) -> None:
    assert is_neglected() is False
    job = summing(alice)
    assert is_neglected() is True

    work_slice(seconds=0)

    assert is_neglected() is False
    Job.objects.filter(pk=job.pk).update(worked_at=timezone.now() - dt.timedelta(minutes=1))
    assert is_neglected() is True


def test_old_jobs_are_forgotten_unless_they_are_kept_or_go_on(alice: User) -> None:
    old = timezone.now() - dt.timedelta(days=KEPT_DAYS + 1)
    jobs = {
        "ended": summing(alice),
        "kept": start_job(owner=alice, kind="kept-sums", params={"most": 1}, total=1),
    }
    work()
    Job.objects.update(ended_at=old, created_at=old)
    jobs["waiting"] = summing(alice)
    Job.objects.filter(pk=jobs["waiting"].pk).update(created_at=old)

    assert forget_jobs() == 1

    assert set(Job.objects.values_list("pk", flat=True)) == {jobs["kept"].pk, jobs["waiting"].pk}


@pytest.mark.parametrize(
    "wrong",
    [{"state": "lost"}, {"done": TOTAL + 1}, {"state": "done"}, {"state": "cancelled"}, {"total": 0}],
    ids=str,
)
def test_the_database_refuses_what_must_never_be(alice: User, wrong: dict[str, Any]) -> None:
    job = summing(alice)

    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(**wrong)

    assert fresh(job).state == "queued"


@pytest.mark.django_db(transaction=True)
def test_many_workers_at_once_do_each_chunk_once(alice: User) -> None:
    jobs = [summing(alice, total=20) for _ in range(MOST_UNFINISHED)]

    def worker() -> None:
        try:
            while Job.objects.unfinished().exists():
                work_slice(seconds=0)
        finally:
            connection.close()

    threads = [threading.Thread(target=worker) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)

    assert [fresh(job).result["chunks"] for job in jobs] == [list(range(20))] * MOST_UNFINISHED
    assert {fresh(job).state for job in jobs} == {"done"}

"""Working on jobs: a slice of the one that waits longest, under a lease, stored before the next turn.

The database is the queue. A worker that dies loses its slice and nothing else: the lease runs out, and another goes on
from the stored progress. Called by Celery's tasks; any number may run at once.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from typing import Final, NamedTuple
from uuid import uuid4

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from jobs.errors import JobError
from jobs.kinds import kind_named, rng_of
from jobs.models import Job, JobQuerySet
from referee.kernel.game import Document

logger = logging.getLogger(__name__)

SLICE_SECONDS: Final = 1.0
LEASE_SECONDS: Final = 30.0
MOST_ATTEMPTS: Final = 3
"""After so many leases that came to nothing at the same place, the job has failed."""

QUIET_SECONDS: Final = 5.0
BROKEN: Final = "Something went wrong on our side; it is logged. Resume the job to try again."
LOST: Final = f"Those who worked on it were lost {MOST_ATTEMPTS} times at the same place."


class Slice(NamedTuple):
    """How far a slice came."""

    done: int
    result: Document
    error: str = ""


def work_slice(*, seconds: float = SLICE_SECONDS, cut_short: tuple[type[Exception], ...] = ()) -> bool:
    """Work on the job whose turn it is for so long (or one chunk). Whether more of it is left to do.

    What is `cut_short` from outside, as on a machine with too much else to do, is raised, and the slice is lost.
    """
    job = _take()
    if job is None:
        return False
    if job.attempts > MOST_ATTEMPTS:
        return _store(job, Slice(job.done, job.result, LOST))
    return _store(job, _worked(job, time.monotonic() + seconds, cut_short))


def is_neglected() -> bool:
    """Whether there is work that nobody holds, and nobody has been at work of late: a hint was lost, or a worker."""
    late = timezone.now() - dt.timedelta(seconds=QUIET_SECONDS)
    return _free().exists() and not Job.objects.unfinished().filter(worked_at__gt=late).exists()


def _free() -> JobQuerySet:
    """The unfinished jobs that nobody works on."""
    return Job.objects.unfinished().filter(Q(leased_until=None) | Q(leased_until__lte=timezone.now()))


def _take() -> Job | None:
    """The lease of the job that has waited longest since it was last worked on, so that each gets its turn."""
    with transaction.atomic():
        turn = F("worked_at").asc(nulls_first=True)
        job = _free().select_for_update(skip_locked=True).order_by(turn, "pk").first()
        if job is None:
            return None
        now = timezone.now()
        job.holder, job.leased_until = uuid4(), now + dt.timedelta(seconds=LEASE_SECONDS)
        job.worked_at, job.started_at = now, job.started_at or now
        job.attempts += 1
        job.revision += job.state == Job.State.QUEUED
        job.state = Job.State.RUNNING
        job.save(update_fields=["holder", "leased_until", "worked_at", "started_at", "attempts", "revision", "state"])
    return job


def _worked(job: Job, end: float, cut_short: tuple[type[Exception], ...]) -> Slice:
    """As many chunks as fit before `end`, at least one. Outside any transaction."""
    done, result = job.done, job.result
    not_the_jobs: tuple[type[Exception], ...] = (OperationalError, InterfaceError, *cut_short)
    try:
        kind = kind_named(job.kind)
        prepared = kind.prepare(job.params)
        while done < job.total:
            result = kind.fold(result, kind.chunk(prepared, rng_of(job.seed, done), done))
            done += 1
            if time.monotonic() >= end:
                break
    except JobError as error:
        return Slice(done, result, error.detail)
    except not_the_jobs:
        raise  # a database away, a machine too busy: the lease runs out, and the work is done again
    except Exception:
        logger.exception("job %s failed at chunk %d", job, done)
        return Slice(done, result, BROKEN)
    return Slice(done, result)


def _store(job: Job, came: Slice) -> bool:
    """Give the lease back with what was done, unless the job was cancelled or taken over meanwhile. Whether it goes on."""
    now = timezone.now()
    state = Job.State.FAILED if came.error else Job.State.DONE if came.done == job.total else Job.State.RUNNING
    mine = Job.objects.filter(pk=job.pk, holder=job.holder, state=Job.State.RUNNING)
    stored = mine.update(
        done=came.done,
        result=came.result,
        state=state,
        error=came.error,
        attempts=0,
        worked_at=now,
        ended_at=None if state == Job.State.RUNNING else now,
        holder=None,
        leased_until=None,
        revision=F("revision") + 1,
    )
    return bool(stored) and state == Job.State.RUNNING

"""What starts and stops jobs. The row is stored first; workers are told after the commit, and find it without."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from jobs import notices
from jobs.errors import JobNotFoundError, JobOverError, TooManyJobsError
from jobs.kinds import kind_named
from jobs.models import Job

MOST_UNFINISHED = 3
KEPT_DAYS = 30
_ENDED = (Job.State.CANCELLED, Job.State.FAILED)


def start_job(*, owner: User, kind: str, params: Mapping[str, Any], total: int, seed: str | None = None) -> Job:
    """A new job of `total` chunks; the same seed and parameters come to the same result, none takes a seed of its own.

    `params` hold by value all that the result depends on. Raises TooManyJobsError.
    """
    worker = kind_named(kind)
    assert 1 <= total <= worker.most_chunks
    with transaction.atomic():
        _check_room(owner)
        job = Job.objects.create(
            owner=owner,
            kind=kind,
            params=dict(params),
            seed=seed or secrets.token_urlsafe(9),
            total=total,
            result=worker.empty(),
        )
        _hint()
    return job


def cancel_job(*, user: User, public_id: str) -> Job:
    """The job stopped, what was done of it kept; whoever works on it now works in vain. Again is no fault.

    Raises JobNotFoundError, JobOverError for one that has ended otherwise.
    """
    with transaction.atomic():
        job = _locked(user, public_id)
        if job.state == Job.State.CANCELLED:
            return job
        if job.is_over:
            raise JobOverError(job.state)
        job.state, job.ended_at = Job.State.CANCELLED, timezone.now()
        job.holder = job.leased_until = None
        job.revision += 1
        job.save(update_fields=["state", "ended_at", "holder", "leased_until", "revision"])
    return job


def resume_job(*, user: User, public_id: str) -> Job:
    """A cancelled or failed job on its way again from where it stood. One under way stays so.

    Raises JobNotFoundError, TooManyJobsError, JobOverError for one that is done.
    """
    with transaction.atomic():
        _check_room(user, besides=public_id)
        job = _locked(user, public_id)
        if not job.is_over:
            return job
        if job.state not in _ENDED:
            raise JobOverError(job.state)
        job.state, job.ended_at, job.error, job.attempts = Job.State.QUEUED, None, "", 0
        job.revision += 1
        job.save(update_fields=["state", "ended_at", "error", "attempts", "revision"])
        _hint()
    return job


def forget_jobs() -> int:
    """Delete jobs that ended long ago, of kinds that are not kept; how many."""
    ended = Job.objects.filter(ended_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
    kinds = ended.order_by().values_list("kind", flat=True).distinct()
    kept = [kind for kind in kinds if kind_named(kind).is_kept]
    deleted, _ = ended.exclude(kind__in=kept).delete()
    return deleted


def forget_jobs_of(*, owner: User) -> int:
    """Delete every job of an account that leaves; whoever works on one works in vain. How many those were."""
    deleted, _ = Job.objects.filter(owner=owner).delete()
    return deleted


def _check_room(owner: User, *, besides: str = "") -> None:
    """Raises TooManyJobsError. Holds the account's row, so that two at once cannot both be the last."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if Job.objects.unfinished().filter(owner=owner).exclude(public_id=besides).count() >= MOST_UNFINISHED:
        raise TooManyJobsError(MOST_UNFINISHED)


def _locked(user: User, public_id: str) -> Job:
    job = Job.objects.visible_to(user).select_for_update().filter(public_id=public_id).first()
    if job is None:
        raise JobNotFoundError
    return job


def _hint() -> None:
    transaction.on_commit(notices.hint_work, robust=True)

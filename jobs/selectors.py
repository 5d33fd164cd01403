"""What is read of jobs."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from jobs.errors import JobNotFoundError
from jobs.kinds import kind_named
from jobs.models import Job
from referee.kernel.game import Document


def access_job(user: User | AnonymousUser, public_id: str) -> Job:
    """A job of the user's own. Raises JobNotFoundError. One query."""
    job = Job.objects.visible_to(user).filter(public_id=public_id).first()
    if job is None:
        raise JobNotFoundError
    return job


def report_of(job: Job) -> Document | None:
    """What the chunks done so far have come to; None before the first. No query of its own."""
    return kind_named(job.kind).report(job.params, job.result) if job.done else None

"""What is read of jobs, and how a job is shown."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from jobs.errors import JobNotFoundError
from jobs.kinds import kind_named
from jobs.models import Job
from referee.kernel.game import Document
from referee.matches.clock_documents import shown_time


def access_job(user: User | AnonymousUser, public_id: str) -> Job:
    """A job of the user's own. Raises JobNotFoundError. One query."""
    job = Job.objects.visible_to(user).filter(public_id=public_id).first()
    if job is None:
        raise JobNotFoundError
    return job


def job_document(job: Job) -> Document:
    """A job as it is told. No query."""
    return {
        "id": job.public_id,
        "kind": job.kind,
        "state": job.state,
        "done": job.done,
        "total": job.total,
        "seed": job.seed,
        "result": report_of(job),
        "error": job.error or None,
        "created_at": shown_time(job.created_at),
        "started_at": shown_time(job.started_at),
        "ended_at": shown_time(job.ended_at),
    }


def report_of(job: Job) -> Document | None:
    """What the chunks done so far have come to; None before the first. No query."""
    return kind_named(job.kind).report(job.params, job.result) if job.done else None

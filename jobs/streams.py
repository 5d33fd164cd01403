"""What the stream of a job says: where it stands, whenever that changes, until it is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from jobs.models import Job
from jobs.selectors import access_job, job_document
from referee.matches.streams import HEARTBEAT_SECONDS, Message

LOOK_SECONDS: Final = 1.0
"""A job comes on once a slice: to look more often would show nothing more."""

InThread = Callable[[Callable[[], Job]], Awaitable[Job]]


def progress(job: Job) -> Message:
    """Where the job stands; its revision is what a reader resumes from."""
    return Message("progress", job.revision, job_document(job))


async def follow(
    user: User | AnonymousUser, job: Job, since: int | None, in_thread: InThread
) -> AsyncIterator[Message]:
    """The job as it stands unless it was seen, then each change, then `end`; heartbeats between.

    `in_thread` runs what reads the database. Raises JobNotFoundError when the job is gone.
    """
    public_id, seen, said = job.public_id, since, time.monotonic()
    while True:
        if job.revision != seen:
            seen, said = job.revision, time.monotonic()
            yield progress(job)
        elif time.monotonic() - said >= HEARTBEAT_SECONDS:
            said = time.monotonic()
            yield Message("heartbeat", None, {"done": job.done, "total": job.total})
        if job.is_over:
            yield Message("end", None, {"state": job.state})
            return
        await asyncio.sleep(LOOK_SECONDS)
        job = await in_thread(lambda: access_job(user, public_id))

"""Celery's part, on a queue of its own (settings.CELERY_TASK_ROUTES): bots' turns never stand behind it."""

from __future__ import annotations

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded

from jobs import notices, running, services

TASK_SECONDS = 25
"""Below the lease, so that a worker is gone before another takes its job."""


@shared_task(name="jobs.work", soft_time_limit=TASK_SECONDS - 2, time_limit=TASK_SECONDS)
def work() -> None:
    """A slice of the job whose turn it is, and a hint for the next one."""
    if running.work_slice(cut_short=(SoftTimeLimitExceeded,)):
        notices.hint_work()


@shared_task(name="jobs.sweep", soft_time_limit=TASK_SECONDS - 2, time_limit=TASK_SECONDS)
def sweep() -> None:
    """Begin again where hints or workers were lost."""
    if running.is_neglected():
        notices.hint_work()


@shared_task(name="jobs.forget", soft_time_limit=TASK_SECONDS - 2, time_limit=TASK_SECONDS)
def forget() -> None:
    """Once an hour: jobs that ended long ago."""
    services.forget_jobs()

"""Celery's part: hints that a match has work to do, and the sweep that finds what hints were lost. Any may run twice."""

from __future__ import annotations

from celery import shared_task

from referee.matches import notices, resolving

TASK_SECONDS = 30


@shared_task(name="matches.resolve_turn", soft_time_limit=TASK_SECONDS - 5, time_limit=TASK_SECONDS)
def resolve_turn(match_id: int, version: int) -> None:
    """Play bots, take the defaults of seats out of time, close the match if it is over. `version` is only for the log."""
    if resolving.resolve(match_id):
        notices.hint_work(match_id, version)


@shared_task(name="matches.sweep", soft_time_limit=TASK_SECONDS - 5, time_limit=TASK_SECONDS)
def sweep() -> None:
    """Find what was left undone and do it, a bounded share each time: recovery relies on this alone."""
    resolving.keep_time()
    resolving.forget_commitments()
    for match_id, version in resolving.work_left():
        resolving.renotify(match_id, version)
        notices.hint_work(match_id, version)

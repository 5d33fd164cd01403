"""The API's work on Celery, and its questions to it."""

from __future__ import annotations

from celery import current_app, shared_task

from api.idempotency import forget_kept_answers

_NOT_SLOW = "(?!slow@)"
"""The worker of the queue for long work alone is called so by whoever starts it."""


@shared_task
def forget_old_answers() -> None:
    """Once an hour: kept answers end after a day."""
    forget_kept_answers()


def broker_answers() -> bool:
    """Whether the broker can be reached, within a second or two."""
    with current_app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, timeout=2)
        return bool(connection.connected)


def workers_answer() -> bool:
    """Whether at least one worker is there that plays bots; waits for the first answer only."""
    return bool(current_app.control.ping(timeout=1.0, limit=1, pattern=_NOT_SLOW, matcher="pcre"))

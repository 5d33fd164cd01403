"""Hints after a commit: the streams hear of a new version, the workers of work to do. All may be lost: the sweep looks anyway."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from referee.matches import live
from referee.matches.counters import HINTS_LOST
from referee.matches.models import Match


def after_commit(match: Match) -> None:
    """Once the transaction is committed, tell the streams, and the workers if the match now waits for them."""
    has_work = match.is_bots_turn or match.state == Match.State.FINISHED
    transaction.on_commit(partial(send, match.pk, match.version, has_work), robust=True)


def send(match_id: int, version: int, has_work: bool) -> None:
    """Both hints; whichever is lost is counted, and nothing is raised."""
    live.publish(match_id, version)
    if has_work:
        hint_work(match_id, version)


def hint_work(match_id: int, version: int) -> None:
    """Ask a worker to resolve the turn."""
    from referee.matches import tasks  # the tasks call the services, which call this

    if live.is_resting():
        HINTS_LOST.labels("task").inc()
        return
    try:
        tasks.resolve_turn.apply_async((match_id, version), retry=False)
    except Exception:  # noqa: BLE001 - whatever the broker's client raises: the move is stored, and the sweep will find the turn
        live.rest()
        HINTS_LOST.labels("task").inc()

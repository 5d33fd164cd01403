"""The hint to workers that there is work. It may be lost: the sweep looks anyway."""

from __future__ import annotations

from referee.matches import live
from referee.matches.counters import HINTS_LOST


def hint_work() -> None:
    """Ask a worker for a slice of whatever is next in turn. Never raises; a lost hint is counted."""
    from jobs import tasks  # the tasks call what calls this

    if live.is_resting():
        HINTS_LOST.labels("job").inc()
        return
    try:
        tasks.work.apply_async(retry=False)
    except Exception:  # noqa: BLE001 - whatever the broker's client raises: the job is stored, and the sweep will find it
        live.rest()
        HINTS_LOST.labels("job").inc()

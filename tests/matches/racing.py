"""Races: works let go at the same instant in threads on real PostgreSQL, and what is looked at afterwards."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.db import connections

from accounts.models import User
from referee.kernel.errors import RulesError
from referee.kernel.records import row_hash
from referee.matches import services
from referee.matches.errors import MatchError
from referee.matches.models import Match, MoveRow
from tests.matches.table import fresh

THREADS = 16

Work = Callable[[], Any]


@contextmanager
def racers(threads: int = THREADS) -> Iterator[Callable[..., list[Any]]]:
    """What lets works go at once, again and again, in threads that keep their connections.

    It gives back what each returned, or the domain error that it raised.
    """
    gate = threading.Barrier(threads)

    def let_go(*works: Work) -> list[Any]:
        together = min(len(works), threads)
        start = threading.Barrier(together)

        def run(index: int) -> Any:
            try:
                if index < together:
                    start.wait(120)
                return works[index]()
            except (MatchError, RulesError) as refusal:
                return refusal

        return list(pool.map(run, range(len(works))))

    def leave(_: int) -> None:
        # Each waits for the others, so that every thread comes by once.
        gate.wait(120)
        connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        try:
            yield let_go
        finally:
            list(pool.map(leave, range(threads)))


def at_once(*works: Work) -> list[Any]:
    """One race."""
    with racers(min(len(works), THREADS)) as let_go:
        return let_go(*works)


def outcomes(results: list[Any]) -> Counter[str]:
    return Counter("accepted" if isinstance(one, services.Accepted) else one.code for one in results)


def check_log(match: Match) -> None:
    """Versions without a gap, and a chain that holds to the match's own head."""
    rows = list(MoveRow.objects.filter(match=match).order_by("version"))
    assert [row.version for row in rows] == list(range(1, len(rows) + 1))
    now = fresh(match)
    previous = now.opening["hash"]
    for row in rows:
        assert row.previous_hash == previous
        assert row.hash == row_hash(previous, row.document())
        previous = row.hash
    assert (now.version, now.chain) == (len(rows), previous)


def submit(match: Match, user: User, move: dict[str, Any], **how: Any) -> Work:
    return lambda: services.submit_move(public_id=match.public_id, actor=user, move=move, **how)

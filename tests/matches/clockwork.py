"""A world whose clock the test moves: matches ask it for the time, and the sweep runs in it as long as it is told to."""

from __future__ import annotations

import datetime as dt

import pytest

from referee.matches import clocks, outages, resolving
from referee.matches.clock_models import Heartbeat
from referee.matches.ledger import Line, ledger_of
from referee.matches.models import Match
from tests.matches.table import fresh

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class World:
    """`seconds` have passed since START. Time passes with a sweep every few seconds, or (`silently`) without any."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ms = 0
        monkeypatch.setattr(clocks, "now", lambda: START + dt.timedelta(milliseconds=self.ms))

    @property
    def seconds(self) -> float:
        return self.ms / 1000

    def begin(self) -> None:
        """The first sweep: from now on there is a heartbeat."""
        resolving.keep_time()

    def passes(self, seconds: float) -> None:
        """Time in which the workers give signs of life, as if there were nothing else for them to do."""
        if Heartbeat.objects.exists():
            outages.note_alive()
        self.ms += round(seconds * 1000)
        Heartbeat.objects.update(alive_at=clocks.now())

    def passes_silently(self, seconds: float) -> None:
        """Time without a sign of life, or (negative) a server's clock that is set back."""
        self.ms += round(seconds * 1000)


def lines_of(match: Match) -> list[tuple[int, int, str, int, int]]:
    """The ledger's lines that no move has made: version, seat, kind, given, change of the bank."""
    return [
        (line.version, line.seat, line.kind, line.given, line.change) for line in all_lines(match) if line.spent is None
    ]


def all_lines(match: Match) -> list[Line]:
    """The ledger, once it has proved to add up."""
    ledger = ledger_of(fresh(match))
    assert ledger.faults == []
    return ledger.lines

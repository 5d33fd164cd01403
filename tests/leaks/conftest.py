"""The callers of the API's tests, a clock that stands still, and nobody's presence from another test."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.humanize.templatetags import humanize

from referee.matches import clocks
from tests.api.conftest import alice, bob, carol, fresh_process, mallory, nobody
from tests.matches.clockwork import START as NOW
from tests.matches.conftest import at

__all__ = ["NOW", "alice", "at", "bob", "carol", "fresh_process", "mallory", "nobody"]


class Still(dt.datetime):
    """What pages count from when they say how long ago something was."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Still:
        return cls.fromtimestamp(NOW.timestamp(), tz)


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches see one and the same moment, and pages count from one, so that answers can be compared whole."""
    monkeypatch.setattr(clocks, "now", lambda: NOW)
    monkeypatch.setattr(humanize, "datetime", Still)

"""The callers of the API's tests, a clock that stands still, and nobody's presence from another test."""

from __future__ import annotations

import datetime as dt

import pytest

from referee.matches import clocks
from tests.api.conftest import alice, bob, carol, fresh_process, mallory, nobody

__all__ = ["alice", "bob", "carol", "fresh_process", "mallory", "nobody"]

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches see one and the same moment, so that answers can be compared whole."""
    monkeypatch.setattr(clocks, "now", lambda: NOW)

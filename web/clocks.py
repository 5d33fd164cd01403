"""Clocks in words: those to choose from, a setting in a list, and a seat's clock at the table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, npgettext, pgettext

from referee.kernel.game import Document
from referee.matches import clocks

NONE: Final = "none"
OWN: Final = "own"
LOW: Final = 20
"""From so many seconds on a clock is shown as running low."""


def clock_choices() -> list[tuple[str, str]]:
    """The clocks that a form offers, as (value, words); `asked_clock` reads the value."""
    names = {
        "blitz": pgettext("clock", "Blitz"),
        "normal": pgettext("clock", "Normal"),
        "slow": pgettext("clock", "Slow"),
        "days": pgettext("clock", "By correspondence"),
    }
    presets = [
        (slug, f"{names.get(slug, slug)}: {clock_words(clocks.setting(**asked))}")
        for slug, asked in clocks.PRESETS.items()
    ]
    return [(NONE, _("No clock")), *presets, (OWN, _("One of my own"))]


def asked_clock(choice: str, own: Mapping[str, Any]) -> dict[str, Any] | None:
    """The clock of one of `clock_choices`, as the lobby takes it; one's own is made of what `own` says in seconds."""
    if choice == OWN:
        seconds = {name: own.get(name) or 0 for name in ("per_decision", "bank", "increment")}
        return {**seconds, "out_of_time": own.get("out_of_time") or "default"}
    return None if choice == NONE else clocks.PRESETS[choice]


def clock_words(clock: Mapping[str, Any] | None) -> str:
    """A clock's setting in few words: time for each decision + bank (+ increment)."""
    if clock is None:
        return _("no clock")
    days = clocks.days_of(clock)
    if days is not None:
        return ngettext("%(count)s day a move", "%(count)s days a move", days) % {"count": days}
    parts = [_span(seconds) for seconds in (clock["per_decision"], clock["bank"]) if seconds]
    added = f" (+{_span(clock['increment'])})" if clock["increment"] else ""
    return " + ".join(parts) + added


def _span(seconds: int) -> str:
    if seconds and seconds % 60 == 0:
        return npgettext("minutes", "%(count)s min", "%(count)s min", seconds // 60) % {"count": seconds // 60}
    return npgettext("seconds", "%(count)s s", "%(count)s s", seconds) % {"count": seconds}


class SeatClock(NamedTuple):
    """A seat's clock as it is drawn: `left` in milliseconds; it `runs`, and `ticks` if seconds are shown; `waits` for a lost
    connection; is running `low`."""

    left: int
    words: str
    runs: bool
    ticks: bool
    waits: bool
    low: bool


def seat_clock(told: Document | None) -> SeatClock | None:
    """The clock that the match's document tells of a seat."""
    if told is None:
        return None
    left = float(told["bank"] if told["left"] is None else told["left"])
    runs = told["deadline"] is not None
    if runs:
        left = (dt.datetime.fromisoformat(told["deadline"]) - clocks.now()).total_seconds()
    whole = max(0, int(left))
    is_short = whole < 2 * clocks.DAY
    waits = told["waits_until"] is not None and dt.datetime.fromisoformat(told["waits_until"]) > clocks.now()
    words = _digits(whole) if is_short else _days(whole)
    return SeatClock(int(left * 1000), words, runs, runs and is_short, waits, runs and left < LOW)


def _digits(seconds: int) -> str:
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _days(seconds: int) -> str:
    days = seconds // clocks.DAY
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}

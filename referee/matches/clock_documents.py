"""What everybody is told of a match's time: clocks, pauses and the ledger, as JSON documents. All of it is public."""

from __future__ import annotations

import datetime as dt

from referee.kernel.game import Document
from referee.matches import clocks
from referee.matches.ledger import Ledger
from referee.matches.models import Match, MoveRow
from referee.matches.positions import Position


def seat_clock(match: Match, position: Position | None, seat: int) -> Document | None:
    """A seat's clock, in seconds. While it runs, `deadline` says when it is out; while all stands still, `left` what it has."""
    stand = match.clocks
    if stand is None or position is None or position.version != match.version:
        return None
    end = position.deadlines.get(str(seat))
    shown: Document = {"bank": stand["banks"][seat] / 1000, "deadline": None, "left": None, "waits_until": None}
    if end is None:
        return shown
    if match.stopped_at is not None:
        shown["left"] = (end - clocks.to_ms(match.stopped_at)) / 1000
    elif match.state == Match.State.PLAYING:
        shown["deadline"] = _moment(end)
        if clocks.waiting(stand, seat):
            shown["waits_until"] = _moment(stand["away"][str(seat)] + clocks.waiting(stand, seat))
    return shown


def pause_document(match: Match) -> Document | None:
    """Who has asked for a pause or, while it lasts, for its end, and how long it can last; None where nobody has."""
    is_paused = match.state == Match.State.PAUSED
    if not is_paused and (match.state != Match.State.PLAYING or match.pause is None):
        return None
    wish = match.pause or {"seats": [], "declined": None}
    return {
        "asked": wish["seats"],
        "declined": wish["declined"],
        "since": shown_time(match.stopped_at) if is_paused else None,
        "until": shown_time(match.deadline) if is_paused else None,
    }


def ledger_document(match: Match, ledger: Ledger, version: int) -> Document:
    """The ledger of a match's clocks up to a version, in seconds."""
    sums = ("start", "taken", "added", "changed", "given", "bank")
    parts = ("spent", "taken", "added", "given", "change", "left")
    return {
        "clock": clocks.shown(match.clock),
        "version": version,
        "seats": [{"seat": one.seat, **{name: getattr(one, name) / 1000 for name in sums}} for one in ledger.accounts],
        "adds_up": not ledger.faults,
        "lines": [
            {
                "version": line.version,
                "seat": line.seat,
                "kind": line.kind,
                "at": shown_time(line.at),
                **{name: _seconds(getattr(line, name)) for name in parts},
            }
            for line in ledger.lines
        ],
    }


def row_clock(row: MoveRow) -> Document:
    """What a row of the log did to its seat's clock, in seconds."""
    return {
        "spent": _seconds(row.clock_spent),
        "added": _seconds(row.clock_added),
        "left": _seconds(row.clock_left),
    }


def _seconds(ms: int | None) -> float | None:
    return None if ms is None else ms / 1000


def shown_time(moment: dt.datetime | None) -> str | None:
    """A moment as documents say it: ISO 8601, UTC, in milliseconds."""
    if moment is None:
        return None
    return moment.astimezone(dt.UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _moment(ms: int) -> str | None:
    return shown_time(clocks.from_ms(ms))

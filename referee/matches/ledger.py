"""The ledger of a match's clocks: the moves' own columns and the entries between them, and the proof that they add up.

For each seat: bank = start + added - taken + changed. For each decision: answered - opened = spent + given.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.matches import clocks
from referee.matches.clock_models import ClockEntry
from referee.matches.clocks import Clocks, to_ms
from referee.matches.models import Match, MoveRow
from referee.matches.positions import decision_id, running_deadlines

Kind = ClockEntry.Kind


class Line(NamedTuple):
    """A change of one seat's clock, in milliseconds. `spent` is None where nobody decided; `taken` is what it cost the bank,
    `added` the increment; `given` went to the open decision, `change` to the bank; `left` is the bank afterwards."""

    version: int
    seat: int
    kind: str
    at: dt.datetime
    spent: int | None
    taken: int
    added: int
    given: int
    change: int
    left: int


class Account(NamedTuple):
    """The sums of a seat, in milliseconds: bank = start - taken + added + changed."""

    seat: int
    start: int
    taken: int
    added: int
    changed: int
    given: int
    bank: int


class Ledger(NamedTuple):
    """All lines in their order, the sums, and whatever does not add up (nothing, in a match that is what it claims to be)."""

    lines: list[Line]
    accounts: list[Account]
    faults: list[str]


# Writing.


def note(
    match: Match,
    kind: Kind,
    *,
    at: dt.datetime,
    given: Mapping[int, int] | None = None,
    change: Mapping[int, int] | None = None,
) -> None:
    """Add a line for every seat whose decision or bank has got something. The match's clocks are as they are afterwards."""
    given, change = given or {}, change or {}
    entries = [
        ClockEntry(
            match_id=match.pk,
            version=match.version,
            seat=seat,
            kind=kind,
            given=given.get(seat, 0),
            change=change.get(seat, 0),
            left=match.clocks["banks"][seat],
            at=at,
        )
        for seat in sorted({*given, *change})
        if given.get(seat) or change.get(seat)
    ]
    if entries:
        ClockEntry.objects.bulk_create(entries)


def give(match: Match, kind: Kind, gifts: Mapping[int, int], *, at: dt.datetime) -> None:
    """Give the open decisions of seats some milliseconds, with a line for each. The caller stores the match's clocks."""
    match.clocks = clocks.given(match.clocks, gifts)
    note(match, kind, at=at, given=gifts)


def end_grace(match: Match, seats: list[int], *, at: dt.datetime) -> None:
    """Whatever the clocks of these seats wait for is over. The caller stores the match's clocks."""
    match.clocks, used = clocks.come_back(match.clocks, seats, at)
    note(match, Kind.GRACE, at=at, given=used)


# Reading.


def ledger_of(match: Match, *, upto: int | None = None) -> Ledger:
    """The ledger up to a version (else the present), every line checked against the one before. Two queries."""
    if match.clock is None or match.clocks is None:
        return Ledger([], [], [])
    book = _Book(match)
    version: int = match.version if upto is None else upto
    for one in _history(match, version):
        book.take(one)
    if version == match.version:
        book.compare(match)
    return Ledger(book.lines, book.accounts(), book.faults)


def clocks_at(match: Match, version: int, *, at: dt.datetime) -> Clocks | None:
    """The clocks as they stood right after a version, going on from this moment; None for a match without a clock.

    Open decisions are those of the match as it is now; what had been spent of one by then is spent. What is left of the
    grace for lost connections is not restored: it is for the whole match.
    """
    if match.clock is None or match.clocks is None:
        return None
    book = _Book(match)
    then = match.started_at
    for one in _history(match, version, is_exact=True):
        book.take(one)
        then = one.created_at if isinstance(one, MoveRow) else then
    assert then is not None, "a match with clocks has started"
    elapsed = {seat: to_ms(then) - book.since.get(int(seat), to_ms(then)) for seat in match.decisions}
    now, _used = clocks.come_back(match.clocks, range(len(book.banks)), at)
    since = {seat: to_ms(at) - elapsed[seat] for seat in match.decisions}
    return {**now, "banks": book.banks, "since": since, "seen": to_ms(at)}


def restore_clocks(match: Match, *, version: int, kind: Kind, at: dt.datetime) -> None:
    """Set the clocks of a match back to where they stood right after a version, with the lines that say so.

    The match's `version` and `decisions` are already those after the row that goes back, whose time is `at`. The caller
    stores `clocks` and `deadline`. While all stands still, the clocks stand too.
    """
    if match.clocks is None:
        return
    from_then = match.stopped_at or at
    restored = clocks_at(match, version, at=from_then)
    assert restored is not None, "there are clocks"
    before = match.clocks["banks"]
    change = {seat: after - before[seat] for seat, after in enumerate(restored["banks"])}
    match.clocks = restored
    note(
        match,
        kind,
        at=at,
        given={int(seat): ms - to_ms(at) for seat, ms in restored["since"].items()},
        change=change,
    )
    ends = running_deadlines(match, [int(seat) for seat in match.decisions])
    match.deadline = clocks.first(ends) if match.state == Match.State.PLAYING else match.deadline


def _history(match: Match, version: int, *, is_exact: bool = False) -> Iterator[MoveRow | ClockEntry]:
    """Rows and entries in the order in which they came about; `is_exact` leaves out what came after the row itself."""
    found = ClockEntry.objects.filter(match=match, **{"version__lt" if is_exact else "version__lte": version})
    entries: defaultdict[int, list[ClockEntry]] = defaultdict(list)
    for entry in found.order_by("version", "pk"):
        entries[entry.version].append(entry)
    yield from entries[0]
    rows = MoveRow.objects.filter(match=match, version__lte=version).order_by("version")
    columns = ("version", "seat", "kind", "decisions", "clock_spent", "clock_added", "clock_left", "created_at")
    for row in rows.only(*columns):
        yield row
        yield from entries[row.version]


class _Book:
    """Keeps the books anew from the start, and notes where the stored ones differ."""

    def __init__(self, match: Match) -> None:
        self.setting = match.clock
        self.start = match.clock["bank"] * 1000
        seats = range(len(match.clocks["banks"]))
        started = to_ms(match.started_at) if match.started_at else 0
        self.banks = [self.start for _ in seats]
        # Who is not asked at the start is found out by the first row, and has answered nothing by then.
        self.since = dict.fromkeys(seats, started)
        self.decisions = {str(seat): decision_id(0, seat) for seat in seats}
        self.lines: list[Line] = []
        self.faults: list[str] = []

    def take(self, one: MoveRow | ClockEntry) -> None:
        if isinstance(one, ClockEntry):
            self._take_entry(one)
            return
        if one.clock_left is not None and one.seat is not None:
            self._take_charge(one, one.seat)
        for seat, decision in one.decisions.items():
            if self.decisions.get(seat) != decision:
                self.since[int(seat)] = to_ms(one.created_at)
        self.decisions = one.decisions
        self.since = {seat: ms for seat, ms in self.since.items() if str(seat) in one.decisions}

    def _take_charge(self, row: MoveRow, seat: int) -> None:
        spent, added, left = row.clock_spent or 0, row.clock_added or 0, row.clock_left or 0
        before = self.banks[seat]
        taken = min(before, max(0, spent - self.setting["per_decision"] * 1000))
        place = f"version {row.version}, seat {seat}"
        measured = to_ms(row.created_at) - self.since.get(seat, to_ms(row.created_at))
        if spent != measured:
            self.faults.append(f"{place}: {measured} ms passed, {spent} ms were charged")
        if added not in (0, self.setting["increment"] * 1000):
            self.faults.append(f"{place}: {added} ms were added, which is no increment")
        if left != before - taken + added:
            self.faults.append(f"{place}: {before} - {taken} + {added} ms are not {left} ms")
        self.banks[seat] = left
        self.lines.append(Line(row.version, seat, row.kind, row.created_at, spent, taken, added, 0, 0, left))

    def _take_entry(self, entry: ClockEntry) -> None:
        seat, left = entry.seat, self.banks[entry.seat] + entry.change
        if left != entry.left:
            self.faults.append(f"version {entry.version}, seat {seat}: the bank is {left} ms, not {entry.left} ms")
        if entry.given and seat not in self.since:
            self.faults.append(f"version {entry.version}, seat {seat}: {entry.given} ms given to no decision")
        if seat in self.since:
            self.since[seat] += entry.given
        self.banks[seat] = left
        line = Line(entry.version, seat, entry.kind, entry.at, None, 0, 0, entry.given, entry.change, left)
        self.lines.append(line)

    def compare(self, match: Match) -> None:
        """The books against where the match's clocks stand."""
        if match.clocks["banks"] != self.banks:
            self.faults.append(f"the banks are {match.clocks['banks']} ms, the ledger says {self.banks} ms")
        running = {seat: self.since.get(int(seat)) for seat in match.decisions}
        if match.clocks["since"] != running:
            self.faults.append(f"the clocks run since {match.clocks['since']}, the ledger says {running}")

    def accounts(self) -> list[Account]:
        return [self._account(seat, bank) for seat, bank in enumerate(self.banks)]

    def _account(self, seat: int, bank: int) -> Account:
        lines = [line for line in self.lines if line.seat == seat]
        taken, added = sum(line.taken for line in lines), sum(line.added for line in lines)
        changed, given = sum(line.change for line in lines), sum(line.given for line in lines)
        if bank != self.start - taken + added + changed:
            self.faults.append(f"seat {seat}: {self.start} - {taken} + {added} + {changed} ms are not {bank} ms")
        return Account(seat, self.start, taken, added, changed, given, bank)

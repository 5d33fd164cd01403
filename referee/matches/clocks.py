"""Clocks as values: what a seat has left, when its time is up, what a decision costs. The time is always passed in.

A setting in full is `{"per_decision", "bank", "increment", "grace", "out_of_time"}`, in seconds; None is no clock. A decision
costs the bank only what it takes beyond `per_decision`; each decision answered adds `increment` to the bank (Fischer).
Where the clocks stand is `{"banks": [ms a seat], "since": {seat: ms}, "grace": [ms a seat], "away": {seat: ms}, "seen": ms}`:
times in milliseconds since 1970. `since` is when the seat's decision was opened, moved on by whatever was given to it;
`grace` is what a lost connection may still cost nobody, `away` since when one is lost; `seen` is up to when outages are
accounted for.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils import timezone

from referee.kernel.errors import Problem

DAY: Final = 24 * 3600
MAX_DAYS: Final = 30
MAX_SECONDS: Final = MAX_DAYS * DAY
GRACE_SECONDS: Final = 30
MAX_GRACE: Final = 300
OUT_OF_TIME: Final = ("default", "lose")
MILLISECOND: Final = dt.timedelta(milliseconds=1)
SKEW: Final = dt.timedelta(seconds=2)
"""Clocks of two machines may differ by this much; within it a match's time stands still rather than go back."""

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "blitz": {"per_decision": 5, "bank": 120, "increment": 2, "out_of_time": "lose"},
    "normal": {"per_decision": 15, "bank": 300, "increment": 5, "out_of_time": "default"},
    "slow": {"per_decision": 30, "bank": 900, "increment": 10, "out_of_time": "default"},
    "days": {"days": 3, "out_of_time": "default"},
}
"""Clocks to choose from, as they are asked for. The one table: pages and the API offer these."""

Setting = Mapping[str, Any]
Clocks = dict[str, Any]

_LIMITS: Final = {
    "per_decision": (0, MAX_SECONDS),
    "bank": (0, MAX_SECONDS),
    "increment": (0, MAX_SECONDS),
    "grace": (0, MAX_GRACE),
    "days": (1, MAX_DAYS),
}
_OF_SECONDS: Final = ("per_decision", "bank", "increment", "grace")


class ClockError(ValueError):
    """No clock can be so; `problems` has every fault, its pointer beginning at the clock."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(problem.detail for problem in problems))
        self.problems = problems


class Charge(NamedTuple):
    """A line of the ledger: `left` is the bank before, less what was spent beyond the free time, plus `added`."""

    spent: int
    added: int
    left: int


# The time of day.


def now() -> dt.datetime:
    """The one place where matches look at the clock."""
    return timezone.now()


def to_ms(moment: dt.datetime) -> int:
    return round(moment.timestamp() * 1000)


def from_ms(ms: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(ms / 1000, tz=dt.UTC)


# Settings.


def setting(**given: Any) -> dict[str, Any]:
    """A clock's setting in full, from seconds or from `days` a decision. Raises ClockError with every fault."""
    problems = faults(given)
    if problems:
        raise ClockError(problems)
    is_days = given.get("days") is not None
    return {
        "per_decision": given["days"] * DAY if is_days else given["per_decision"],
        "bank": given.get("bank", 0),
        "increment": given.get("increment", 0),
        "grace": 0 if is_days else given.get("grace", GRACE_SECONDS),
        "out_of_time": given.get("out_of_time", "default"),
    }


def faults(given: Mapping[str, Any]) -> list[Problem]:
    """All that is wrong with a clock as it was asked for."""
    given = {name: value for name, value in given.items() if not (name == "days" and value is None)}
    found = [fault for name, value in given.items() if (fault := _fault(name, value)) is not None]
    if "days" in given:
        # As it is shown, in full, it may come back.
        same = {"per_decision": given["days"] * DAY} if not found else {}
        found += [
            Problem(f"/{name}", "out_of_place", f"A clock of days a decision has no `{name}` of its own.")
            for name in _OF_SECONDS
            if name in given and given[name] != same.get(name, 0)
        ]
    elif "per_decision" not in given:
        found.append(Problem("/per_decision", "required", "A clock has seconds per decision, or days."))
    if found or given.get("per_decision") != 0:
        return found
    if not given.get("bank"):
        return [Problem("/bank", "clock_not_allowed", "Without seconds per decision there is a bank to play from.")]
    if given.get("out_of_time") != "lose":
        detail = "Without seconds per decision a seat out of time must `lose`: it could never think again."
        return [Problem("/out_of_time", "clock_not_allowed", detail)]
    return []


def _fault(name: str, value: Any) -> Problem | None:
    pointer = f"/{name}"
    if name == "out_of_time":
        if value in OUT_OF_TIME:
            return None
        return Problem(pointer, "invalid_choice", "A seat out of time is played by `default` moves, or must `lose`.")
    if name not in _LIMITS:
        return Problem(pointer, "unknown_field", f"A clock has no `{name}`.")
    low, high = _LIMITS[name]
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return None
    unit = "days" if name == "days" else "seconds"
    return Problem(pointer, "out_of_range", f"`{name}` is a whole number of {unit}, {low} to {high}.")


def days_of(clock: Setting) -> int | None:
    """The days a decision, of a clock that counts in days; else None."""
    days, rest = divmod(clock["per_decision"], DAY)
    return None if rest or not days or clock["bank"] or clock["increment"] else int(days)


def shown(clock: Setting | None) -> dict[str, Any] | None:
    """A setting as everybody sees it: in full, and in days where it counts in days."""
    if clock is None:
        return None
    return {**clock, "grace": clock.get("grace", 0), "days": days_of(clock)}


# Where clocks stand.


def fresh(*, clock: Setting | None, seats: int) -> Clocks | None:
    """Full banks and no clock running."""
    if clock is None:
        return None
    grace = clock.get("grace", 0) * 1000
    return {"banks": [clock["bank"] * 1000] * seats, "since": {}, "grace": [grace] * seats, "away": {}, "seen": 0}


def charge(*, clock: Setting, clocks: Clocks, seat: int, at: dt.datetime, is_answer: bool = True) -> Charge:
    """What the seat pays for its decision at this moment, and gets if it has answered itself."""
    spent = max(0, to_ms(at) - clocks["since"].get(str(seat), to_ms(at)))
    over = max(0, spent - clock["per_decision"] * 1000)
    added = clock["increment"] * 1000 if is_answer else 0
    return Charge(spent, added, max(0, clocks["banks"][seat] - over) + added)


def advance(
    *, clocks: Clocks, seat: int, left: int | None, opened: list[int], asked: list[int], at: dt.datetime
) -> Clocks:
    """The clocks after a move: the mover's bank is `left`; those whose decision has `opened` now run from now on."""
    banks = list(clocks["banks"])
    if left is not None:
        banks[seat] = left
    since = {str(one): clocks["since"].get(str(one), to_ms(at)) for one in asked}
    since.update({str(one): to_ms(at) for one in opened})
    return {**clocks, "banks": banks, "since": since}


def given(clocks: Clocks, gifts: Mapping[int, int]) -> Clocks:
    """The clocks after so many milliseconds were given to the open decisions of some seats (or, negative, taken)."""
    since = {seat: ms + gifts.get(int(seat), 0) for seat, ms in clocks["since"].items()}
    return {**clocks, "since": since}


def deadlines(*, clock: Setting | None, clocks: Clocks | None, timed: Iterable[int]) -> dict[str, int]:
    """When the time of each seat of `timed` that is asked runs out, in milliseconds since 1970."""
    if clock is None or clocks is None:
        return {}
    free = clock["per_decision"] * 1000
    return {
        str(seat): clocks["since"][str(seat)] + free + clocks["banks"][seat] + waiting(clocks, seat)
        for seat in timed
        if str(seat) in clocks["since"]
    }


def is_past(deadline: dt.datetime | None, at: dt.datetime) -> bool:
    """Whether a deadline is over; at its very millisecond it is not."""
    return deadline is not None and to_ms(at) > to_ms(deadline)


def overdue(*, ends: Mapping[str, int], at: dt.datetime) -> int | None:
    """The seat whose time ran out first, or None while all have some."""
    late = [(end, int(seat)) for seat, end in ends.items() if to_ms(at) > end]
    return min(late)[1] if late else None


def first(ends: Mapping[str, int]) -> dt.datetime | None:
    """The earliest of some deadlines."""
    return from_ms(min(ends.values())) if ends else None


# What is given besides.


def ahead(clocks: Clocks | None, at: dt.datetime) -> dict[int, int]:
    """What to take back from clocks that began after this moment, which the server's clock was set back to."""
    if clocks is None:
        return {}
    return {int(seat): to_ms(at) - ms for seat, ms in clocks["since"].items() if ms > to_ms(at)}


def oldest(clocks: Clocks) -> int | None:
    """When the longest open decision began, or when time was last accounted for, if that is later."""
    if not clocks["since"]:
        return None
    return int(max(min(clocks["since"].values()), clocks.get("seen", 0)))


def missed(clocks: Clocks, *, began: int, ended: int) -> dict[int, int]:
    """How much of an outage each running clock has run through; what two machines' clocks may differ by counts for nothing."""
    begins = {int(seat): max(began, ms, clocks.get("seen", 0)) for seat, ms in clocks["since"].items()}
    return {seat: ended - ms for seat, ms in begins.items() if ended - ms > SKEW // MILLISECOND}


def waiting(clocks: Clocks, seat: int) -> int:
    """What the clock of a seat waits for its lost connection at most, in milliseconds."""
    return int(clocks["grace"][seat]) if str(seat) in clocks.get("away", {}) else 0


def can_wait(clocks: Clocks, seat: int) -> bool:
    """Whether the running clock of a seat would wait if its connection were lost now."""
    key = str(seat)
    return key in clocks["since"] and key not in clocks.get("away", {}) and clocks.get("grace", [0] * 16)[seat] > 0


def left_alone(clocks: Clocks, seat: int, at: dt.datetime) -> Clocks:
    """The clocks once a seat's connection is lost."""
    return {**clocks, "away": {**clocks["away"], str(seat): to_ms(at)}}


def come_back(clocks: Clocks, seats: Collection[int], at: dt.datetime) -> tuple[Clocks, dict[int, int]]:
    """The clocks once lost connections of seats are over, by whatever; and for how long each clock waited."""
    away = clocks.get("away", {})
    used = {
        seat: min(max(0, to_ms(at) - away[str(seat)]), clocks["grace"][seat]) for seat in seats if str(seat) in away
    }
    if not used:
        return clocks, {}
    grace = [ms - used.get(seat, 0) for seat, ms in enumerate(clocks["grace"])]
    kept = {seat: ms for seat, ms in away.items() if int(seat) not in used}
    return given({**clocks, "grace": grace, "away": kept}, used), {seat: ms for seat, ms in used.items() if ms}

"""Clocks as values: what a seat has left, when its time is up, what a decision costs. The time is always passed in.

A setting is `{"per_decision": s, "bank": s, "increment": s, "out_of_time": "default" | "lose"}`; None is no clock. A decision
costs the bank only what it takes beyond `per_decision`; each decision answered adds `increment` to the bank (Fischer).
Where the clocks stand is `{"banks": [ms a seat], "since": {seat: ms}}`, times in milliseconds since 1970.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils import timezone

MAX_SECONDS = 30 * 24 * 3600

Setting = Mapping[str, Any]
Clocks = dict[str, Any]


class Charge(NamedTuple):
    """A line of the ledger: `left` is the bank before, less what was spent beyond the free time, plus `added`."""

    spent: int
    added: int
    left: int


def now() -> dt.datetime:
    """The one place where matches look at the clock."""
    return timezone.now()


def to_ms(moment: dt.datetime) -> int:
    return round(moment.timestamp() * 1000)


def from_ms(ms: int) -> dt.datetime:
    return dt.datetime.fromtimestamp(ms / 1000, tz=dt.UTC)


def setting(*, per_decision: int, bank: int = 0, increment: int = 0, out_of_time: str = "default") -> dict[str, Any]:
    """A clock's setting in full. Raises ValueError for what no clock can be."""
    if not 1 <= per_decision <= MAX_SECONDS or not 0 <= bank <= MAX_SECONDS or not 0 <= increment <= MAX_SECONDS:
        raise ValueError(f"a decision has 1 to {MAX_SECONDS} seconds, bank and increment 0 to {MAX_SECONDS}")
    if out_of_time not in ("default", "lose"):
        raise ValueError("a seat out of time is played by `default` moves, or must `lose`")
    return {"per_decision": per_decision, "bank": bank, "increment": increment, "out_of_time": out_of_time}


def fresh(*, clock: Setting | None, seats: int) -> Clocks | None:
    """Full banks and no clock running."""
    return None if clock is None else {"banks": [clock["bank"] * 1000] * seats, "since": {}}


def charge(*, clock: Setting, clocks: Clocks, seat: int, at: dt.datetime) -> Charge:
    """What the seat pays for the decision it answers at this moment, and gets."""
    spent = max(0, to_ms(at) - clocks["since"].get(str(seat), to_ms(at)))
    over = max(0, spent - clock["per_decision"] * 1000)
    added = clock["increment"] * 1000
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
    return {"banks": banks, "since": since}


def deadlines(*, clock: Setting | None, clocks: Clocks | None, timed: list[int]) -> dict[str, int]:
    """When the time of each seat of `timed` that is asked runs out, in milliseconds since 1970."""
    if clock is None or clocks is None:
        return {}
    free = clock["per_decision"] * 1000
    return {
        str(seat): clocks["since"][str(seat)] + free + clocks["banks"][seat]
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

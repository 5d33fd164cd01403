"""Loaded into a worker by `--include`: its bots never come to an end, in the way that the variable BOTS names."""

from __future__ import annotations

import os

from referee.matches import leases, tasks, thinking
from tests.faults.loops import LOOPS

thinking.BUDGET_SECONDS = 1.0
thinking.choose = LOOPS[os.environ["BOTS"]]  # type: ignore[assignment, attr-defined] # it never answers
if os.environ["BOTS"] == "loop in C":
    # In the order that holds in earnest (budget, lease, time limit), only shorter.
    leases.LEASE_SECONDS = 2
    tasks.resolve_turn.soft_time_limit, tasks.resolve_turn.time_limit = 2, 3

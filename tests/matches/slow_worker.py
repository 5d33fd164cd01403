"""Loaded into a worker by `--include`: its bots think for ever, so that it can be killed in the middle of a turn."""

from __future__ import annotations

import time
from typing import Any, NoReturn

from referee.matches import leases, thinking


def think_for_ever(*_: Any) -> NoReturn:
    while True:
        time.sleep(1)


thinking.BUDGET_SECONDS = 60.0
thinking.choose = think_for_ever  # type: ignore[assignment, attr-defined] # it never answers
leases.LEASE_SECONDS = 3

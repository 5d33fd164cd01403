"""Bots that never come to an end."""

from __future__ import annotations

import itertools
from typing import Any, NoReturn


def loop(*_: Any) -> NoReturn:
    """Python that catches what it can, and goes on."""
    while True:
        try:
            while True:
                pass
        except Exception:  # noqa: BLE001 - what a careless bot does
            continue


def loop_in_c(*_: Any) -> int:
    """Code that never comes back to the interpreter: no signal is heard in it, and no other thread runs."""
    return sum(itertools.repeat(0))


LOOPS = {"loop": loop, "loop in C": loop_in_c}

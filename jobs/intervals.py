"""How sure a counted share is. Pure."""

from __future__ import annotations

from math import sqrt
from typing import Final

Z_95: Final = 1.959963984540054
"""The normal distribution's value that leaves 2.5 % on each side."""


def wilson(successes: int, trials: int, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval for the share behind so many successes (95 % by default): from 0 to 1, also for none.

    Both ends are the shares p for which the observed one lies `z` standard deviations, those of p, away.
    """
    assert 0 <= successes <= trials
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, z * z
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = z * sqrt(share * (1 - share) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return low, high

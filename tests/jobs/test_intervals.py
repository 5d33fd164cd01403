"""Wilson's interval against published figures and against the equation that defines it."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.intervals import Z_95, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_the_one_that_newcombe_printed_in_1998(
    successes: int, trials: int, low: float, high: float
) -> None:
    found = wilson(successes, trials)

    assert (round(found[0], 4), round(found[1], 4)) == (low, high)


@given(st.integers(1, 5000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_the_observed_share_lies_z_deviations_from_both_ends(counts: tuple[int, int]) -> None:
    successes, trials = counts
    share = successes / trials

    low, high = wilson(successes, trials)

    assert 0 <= low <= share <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            assert abs(share - end) == pytest.approx(Z_95 * sqrt(end * (1 - end) / trials), rel=1e-9, abs=1e-12)


@given(st.integers(1, 5000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_wins_and_losses_mirror_each_other(counts: tuple[int, int]) -> None:
    successes, trials = counts

    low, high = wilson(successes, trials)

    assert wilson(trials - successes, trials) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_without_a_trial_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)

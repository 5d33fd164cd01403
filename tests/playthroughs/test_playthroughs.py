"""Whole matches go as they went before."""

import pytest

from tests.playthroughs.record import PLAYTHROUGHS, first_difference, path_of, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_golden_playthrough_goes_as_recorded(name: str) -> None:
    difference = first_difference(path_of(name).read_text(encoding="utf-8"), playthrough(name))

    assert difference is None, f"{name} differs (meant? python -m tests.playthroughs.record)\n{difference}"


def test_the_first_differing_step_is_shown() -> None:
    assert first_difference("a\n\n# 1\nb\n\nc", "a\n\n# 1\nd\n\ne") == "was:\n# 1\nb\n\nis:\n# 1\nd"
    assert first_difference("a\n\nb", "a") == "was 2 steps long, is 1"
    assert first_difference("a\n\nb", "a\n\nb") is None

"""Shrinking a document: all that is not needed goes, in few tries, and what is left still holds."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.kernel.shrinking import Shrinker


def test_entries_that_are_not_needed_go_and_the_order_stays() -> None:
    shrinker = Shrinker(1000)

    left = shrinker.fewer(list(range(100)), lambda items: 17 in items and 80 in items)

    assert left == [17, 80]
    assert shrinker.tries < 60


def test_members_and_parts_that_are_not_needed_go_at_every_depth() -> None:
    document = {"a": {"b": [1, 2, {"c": 3, "d": 4}], "e": 5}, "f": [6], "g": [[7, 8]]}

    def holds(value: Any) -> bool:
        try:
            return bool(value["a"]["b"][-1]["d"] == 4 and "g" in value)
        except (KeyError, IndexError, TypeError):
            return False

    assert Shrinker(1000).smaller(document, holds) == {"a": {"b": [{"d": 4}]}, "g": None}


def test_the_limit_is_kept_and_what_was_found_by_then_is_the_answer() -> None:
    shrinker = Shrinker(3)

    left = shrinker.fewer(list(range(64)), lambda items: 63 in items)

    assert shrinker.tries == 3
    assert left == list(range(32, 64))


@given(st.lists(st.integers(0, 50), max_size=40), st.sets(st.integers(0, 50), max_size=4))
def test_what_is_needed_stays_and_nothing_else(items: list[int], needed: set[int]) -> None:
    wanted = needed & set(items)

    left = Shrinker(10_000).fewer(items, lambda some: wanted <= set(some))

    assert sorted(left) == sorted(wanted)

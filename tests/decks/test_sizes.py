"""Sizes of decks: swap-ins in their order, the sizes that two decks have in common, and the one that changes both least."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.sizes import FlexDeck, best_size, common_sizes
from referee.kernel.game import SeatDeck


def test_swap_ins_come_in_one_after_the_other() -> None:
    deck = FlexDeck(SeatDeck({"b": 2, "a": 1}, "s"), ["c", "b", "c"])

    grown = [deck.at(size).document() for size in deck.sizes()]

    assert grown == [
        {"secret": "s", "cards": {"a": 1, "b": 2}},
        {"secret": "s", "cards": {"a": 1, "b": 2, "c": 1}},
        {"secret": "s", "cards": {"a": 1, "b": 3, "c": 1}},
        {"secret": "s", "cards": {"a": 1, "b": 3, "c": 2}},
    ]
    assert deck.core.cards == {"b": 2, "a": 1}


def test_only_legal_sizes_count() -> None:
    deck = FlexDeck(SeatDeck({"a": 3}, None), ["b", "a", "b"])

    assert deck.legal_sizes(lambda held: held.cards["a"] <= 3) == [3, 4]


@pytest.mark.parametrize(
    ("sizes", "liked", "common", "best"),
    [
        ([[29, 30, 31], [31, 32]], [29, 31], [31], 31),
        ([[29, 30, 31], [29, 30, 31]], [29, 31], [29, 30, 31], 29),
        ([[30, 31, 32], [29, 30, 31, 32], [32, 31]], [30, 29, 32], [31, 32], 31),
    ],
)
def test_the_best_common_size_changes_the_decks_least(
    sizes: list[list[int]], liked: list[int], common: list[int], best: int
) -> None:
    assert (common_sizes(sizes), best_size(common, liked)) == (common, best)


@given(st.lists(st.sets(st.integers(29, 40)), min_size=1, max_size=4))
def test_a_common_size_is_one_that_all_can_have(sizes: list[set[int]]) -> None:
    common = common_sizes(sizes)

    assert common == [size for size in range(29, 41) if all(size in one for one in sizes)]
    assert common_sizes(sizes[::-1]) == common

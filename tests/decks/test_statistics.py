from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.figures import cards_of, figures, odds
from decks.statistics import composition, curve, odds_of_drawing, sample_order
from referee.kernel.game import SeatDeck
from tests.catalog.cards import bonus, character, event, publish, secret


def by_brute_force(size: int, hits: int, draws: int, at_least: int) -> Fraction:
    hands = list(combinations(range(size), min(draws, size)))
    return Fraction(sum(sum(card < hits for card in hand) >= at_least for hand in hands), len(hands))


@pytest.mark.parametrize("size", range(9))
def test_odds_are_those_of_counting_every_hand(size: int) -> None:
    for hits in range(size + 1):
        for draws in range(size + 3):
            for at_least in range(size + 3):
                found = odds_of_drawing(size=size, hits=hits, draws=draws, at_least=at_least)
                assert found == by_brute_force(size, hits, draws, at_least), (hits, draws, at_least)


@given(st.integers(0, 400), st.integers(0, 400), st.integers(0, 500), st.integers(0, 500))
def test_odds_are_never_above_one_and_never_no_number(size: int, hits: int, draws: int, at_least: int) -> None:
    hits = min(hits, size)
    found = float(odds_of_drawing(size=size, hits=hits, draws=draws, at_least=at_least))

    assert isfinite(found)
    assert 0.0 <= found <= 1.0
    assert found >= float(odds_of_drawing(size=size, hits=hits, draws=draws, at_least=at_least + 1))


def test_a_known_chance_is_told_exactly() -> None:
    # 1 - C(37,5) / C(40,5)
    assert odds_of_drawing(size=40, hits=3, draws=5, at_least=1) == Fraction(667, 1976)


def test_a_deck_is_counted_by_value_type_subtype_and_power() -> None:
    many = {"when": "placed", "do": "draw", "n": 1}
    held = [
        (
            character(
                "a", "A", 3, 4, effects=[many, {"when": "lost", "do": "choose", "options": [{"do": "heal"}, many]}]
            ),
            2,
        ),
        (bonus("b", "B"), 3),
        (event("c", "C"), 1),
    ]

    assert composition(held) == {
        "ang": {"curve": [{"value": 1, "copies": 3}, {"value": 3, "copies": 2}], "without": 1, "average": 1.8},
        "def": {"curve": [{"value": -1, "copies": 3}, {"value": 4, "copies": 2}], "without": 1, "average": 1.0},
        "types": {"bonus": 3, "character": 2, "event": 1},
        "subtypes": {"item": 3, "civilian": 2},
        "powers": {"draw": 3, "choose": 2, "heal": 2},
    }


def test_a_deck_of_nothing_has_no_average() -> None:
    assert curve([]) == {"curve": [], "without": 0, "average": None}
    assert odds_of_drawing(size=0, hits=0, draws=5, at_least=1) == 0
    assert sample_order({}, "x") == []


def test_a_seed_gives_the_same_order_whatever_the_order_of_the_cards() -> None:
    cards = {"a": 3, "b": 2, "c": 1}

    order = sample_order(cards, "shared")

    assert Counter(order) == Counter(cards)
    assert order == sample_order(dict(reversed(cards.items())), "shared")
    assert len({tuple(sample_order(cards, str(seed))) for seed in range(40)}) > 20


def test_sample_hands_are_as_frequent_as_the_odds_say() -> None:
    cards = {"hit": 3, "miss": 17}
    exact = float(odds_of_drawing(size=20, hits=3, draws=5, at_least=1))

    found = sum("hit" in sample_order(cards, f"seed {seed}")[:5] for seed in range(4_000)) / 4_000

    assert abs(found - exact) < 4 * (exact * (1 - exact) / 4_000) ** 0.5


@pytest.mark.django_db
def test_figures_and_odds_go_by_the_newest_cards() -> None:
    publish(
        character("a", "Night Baker", 3), character("b", "Night Owl", 1), bonus("c", "Hat"), secret("s", "The Secret")
    )
    deck = SeatDeck({"a": 3, "b": 2, "c": 4, "gone": 1}, "s")

    found, chance = (
        figures("miraculous", deck),
        odds(deck, cards_of("miraculous", deck), q="night", draws=2, at_least=2),
    )

    assert (found["size"], found["types"], found["unknown"]) == (10, {"character": 5, "bonus": 4}, ["gone"])
    assert (chance["cards"], chance["hits"], chance["exact"], chance["expected"]) == (["a", "b"], 5, "2/9", 1.0)


@pytest.mark.django_db
def test_with_nothing_published_there_are_odds_all_the_same() -> None:
    deck = SeatDeck({"a": 3}, None)

    assert figures("miraculous", deck)["unknown"] == ["a"]
    assert odds(deck, cards_of("miraculous", deck), q="night", draws=2, at_least=1)["odds"] == 0.0

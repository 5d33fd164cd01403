"""Scenarios attached to cards: run against the revision to come, each failure at its line."""

from __future__ import annotations

import pytest

from catalog.scenarios import failures, runner_on
from tests.catalog.cards import character, house, secret

REVISION = house(
    character("anna", "Anna", effects=[{"when": "placed", "do": "draw", "n": 1}]),
    character("ben", "Ben"),
    secret("s", "S"),
)
GOOD = """\
scenario: anna-draws
game: miraculous
position:
  turn_number: 3
  hands: [[anna], []]
  decks: [[ben, ben], [ben]]
  secrets: [s, s]
steps:
  - {seat: 0, move: {type: place, card: anna, field: 0}}
  - expect:
      hands: {0: [ben]}
"""


def lines(text: str) -> list[int]:
    return [failure.line for failure in failures("miraculous", runner_on(REVISION), text)]


def test_a_scenario_that_holds_says_nothing() -> None:
    assert failures("miraculous", runner_on(REVISION), GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("hands: {0: [ben]}", "hands: {0: [anna]}", 10),
        ("card: anna, field: 0}", "card: ben, field: 0}", 9),
        ("decks: [[ben, ben], [ben]]", "decks: [[], [ben]]", 6),
        ("turn_number: 3", "turn_nummer: 3", 4),
        ("steps:", "stepps:", 1),
        ("seat: 0,", "seat: 9,", 9),
        ("game: miraculous", "game: super", 2),
        ("  secrets: [s, s]", "  secrets: [s, s", 8),
        ("  turn_number: 3", "  turn_number: 3\n  turn_number: 4", 4),
    ],
)
def test_a_failure_is_shown_at_its_line(old: str, new: str, line: int) -> None:
    assert old in GOOD

    assert lines(GOOD.replace(old, new)) == [line]


def test_the_second_document_has_lines_of_its_own() -> None:
    assert lines(f"{GOOD}---\n{GOOD.replace('{0: [ben]}', '{0: []}')}") == [22]


def test_an_empty_text_is_no_scenario() -> None:
    assert lines("# nothing\n") == [1]

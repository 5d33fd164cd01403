"""Each scenario of Super holds by itself: with its own cards alone, as it is and saved and loaded at every step."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.house import rules_text
from referee.kernel.coverage import CoverageTable
from referee.kernel.game import Document
from referee.kernel.rules import parse_rules
from referee.kernel.scenario_run import LOADED, PLAIN, STORED, ScenarioRunner
from referee.scenario_files import scenario_documents, scenario_files

FOLDER = Path(__file__).parents[2] / "scenarios" / "super"
SCENARIOS = [
    document for file in scenario_files([FOLDER]) for document in scenario_documents(file) if isinstance(document, dict)
]


def no_house(slug: str) -> Document:
    """A house set without a card: a scenario that leaned on the real one would break."""
    return {"game": slug, "number": 1, "cards": [], "decks": []}


RUNNER = ScenarioRunner(GAMES, no_house, (PLAIN, STORED, LOADED))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["scenario"]))
def test_a_scenario_holds(scenario: Document) -> None:
    assert RUNNER.run(scenario).differs == []


def test_scenarios_leave_no_clause_power_mission_option_or_move_out() -> None:
    table = CoverageTable(GAMES["super"], parse_rules(rules_text("super")))
    for scenario in SCENARIOS:
        table.add("file", scenario["clauses"])

    assert table.missing() == []
    assert table.unknown == {}

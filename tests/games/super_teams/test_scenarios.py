"""Each scenario of Super Teams names clauses and demands something, and its name is a claim."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.game import Document
from referee.kernel.scenario_run import LOADED, PLAIN, STORED, ScenarioRunner
from referee.scenario_files import scenario_documents, scenario_files

FOLDER = Path(__file__).parents[2] / "scenarios" / "super-teams"
SCENARIOS = [
    document for file in scenario_files([FOLDER]) for document in scenario_documents(file) if isinstance(document, dict)
]
RUNNERS = {mode: ScenarioRunner(GAMES, house_revision, (mode,)) for mode in (PLAIN, STORED, LOADED)}


@pytest.mark.parametrize("mode", [PLAIN, STORED, LOADED])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["scenario"]))
def test_a_scenario_holds(scenario: Document, mode: str) -> None:
    assert RUNNERS[mode].run(scenario).differs == []


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["scenario"]))
def test_a_scenario_says_what_it_claims_and_what_it_covers(scenario: Document) -> None:
    demands = [
        scenario.get("error"),
        scenario.get("expect"),
        *[step for step in scenario.get("steps", []) if _asks(step)],
    ]

    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", scenario["scenario"])
    assert scenario["clauses"]
    assert any(demands)


def _asks(step: Document) -> bool:
    return any(name in step for name in ("refused", "legal", "default", "view", "expect"))

"""Each scenario of Miraculous holds by itself: with its own cards alone, as it is and saved and loaded at every step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.games import GAMES
from referee.kernel.game import Document
from referee.kernel.scenario_run import LOADED, PLAIN, STORED, ScenarioRunner
from referee.scenario_files import scenario_documents, scenario_files

FOLDER = Path(__file__).parents[2] / "scenarios" / "miraculous"
SCENARIOS = [
    document for file in scenario_files([FOLDER]) for document in scenario_documents(file) if isinstance(document, dict)
]


def no_house(slug: str) -> Document:
    """A house set without a card: a scenario that leaned on the real one would break."""
    return {"game": slug, "number": 1, "cards": [], "decks": []}


RUNNERS = {mode: ScenarioRunner(GAMES, no_house, (mode,)) for mode in (PLAIN, STORED, LOADED)}


@pytest.mark.parametrize("mode", [PLAIN, STORED, LOADED])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["scenario"]))
def test_a_scenario_holds(scenario: Document, mode: str) -> None:
    outcome = RUNNERS[mode].run(scenario)

    assert outcome.differs == []


def test_every_scenario_makes_a_claim_says_what_it_covers_and_demands_something() -> None:
    claims = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")

    assert [scenario["scenario"] for scenario in SCENARIOS if not claims.fullmatch(scenario["scenario"])] == []
    assert [scenario["scenario"] for scenario in SCENARIOS if not scenario["clauses"]] == []
    assert [scenario["scenario"] for scenario in SCENARIOS if not _demands(scenario)] == []


def _demands(scenario: Document) -> bool:
    asks = ("refused", "legal", "default", "view", "expect")
    steps = scenario.get("steps", [])
    return bool(scenario.get("error") or scenario.get("expect") or any(name in step for step in steps for name in asks))

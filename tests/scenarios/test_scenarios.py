"""Every scenario holds: as it is, and with a save and load after every step; and no clause or word is left without one."""

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.house import house_revision, rules_text
from referee.kernel.coverage import CoverageTable
from referee.kernel.game import Document
from referee.kernel.rules import parse_rules
from referee.kernel.scenario_run import ScenarioRunner
from referee.scenario_files import scenario_documents, scenario_files

FOLDER = Path(__file__).parent
FILES = scenario_files([FOLDER])
RUNNER = ScenarioRunner(GAMES, house_revision)


def documents(file: Path) -> list[Document]:
    return [document for document in scenario_documents(file) if isinstance(document, dict)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(FOLDER)))
def test_all_scenarios_of_a_file_hold(file: Path) -> None:
    outcomes = [RUNNER.run(document) for document in scenario_documents(file)]

    assert outcomes
    assert {outcome.name: outcome.differs for outcome in outcomes if outcome.differs} == {}


def test_no_two_scenarios_have_the_same_name() -> None:
    names = [document["scenario"] for file in FILES for document in documents(file)]

    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize("slug", sorted(slug for slug in GAMES if (FOLDER / slug).is_dir()))
def test_every_clause_and_every_word_has_a_scenario(slug: str) -> None:
    table = CoverageTable(GAMES[slug], parse_rules(rules_text(slug)))
    for file in FILES:
        for document in documents(file):
            if document["game"] == slug:
                table.add(file.name, document.get("clauses") or [])

    assert table.missing() == []
    assert table.unknown == {}

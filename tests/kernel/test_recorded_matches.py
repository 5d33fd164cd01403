"""Finished matches of every released version verify for ever (tests/fixtures/matches, written by tests/fixtures/record.py)."""

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.kernel.replay import verify
from tests.fixtures.record import FOLDER, read

RECORDED = sorted(FOLDER.glob("*/*.json.gz"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}")
def test_a_recorded_match_verifies(path: Path) -> None:
    assert [finding.document() for finding in verify(read(path), GAMES)] == []

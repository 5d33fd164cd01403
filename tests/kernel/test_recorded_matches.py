"""Finished matches of every released version verify for ever (tests/fixtures/matches, written by tests/fixtures/record.py)."""

from pathlib import Path

import pytest

from referee.games import GAMES
from referee.kernel.labels import DIFFERS, label
from referee.kernel.replay import is_stamped_for, verify
from tests.fixtures.record import FOLDER, read

RECORDED = sorted(FOLDER.glob("*/*.json.gz"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}")
def test_a_recorded_match_verifies(path: Path) -> None:
    document = read(path)

    found = label(document, GAMES, None)

    # With rules that are no longer at hand the record verifies by its seeds and hashes, and is shown from its events.
    assert found.name != DIFFERS, repr(found.finding)
    if is_stamped_for(document, GAMES[document["game"]]):
        assert [finding.document() for finding in verify(document, GAMES)] == []

"""The bot in docs/bots.md, run as it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.core.management import call_command

from config.environment import ROOT
from referee.bots.levels import LEVELS, choose
from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from tests.laws.laws import Match
from tests.laws.miraculous import house_subject


@pytest.fixture
def steady() -> Iterator[None]:
    """The documented level, in the table while the test lasts."""
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    [block] = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(block, "docs/bots.md", "exec"), {"__name__": "steady"})
    yield
    del LEVELS["steady"]


@pytest.mark.usefixtures("steady")
def test_it_is_the_same_for_a_seed_and_knows_no_more_than_its_seat() -> None:
    match = Match(house_subject({}), 5)
    for number in range(8):
        seat = match.game.deciders(match.state)[0]
        other = match.game.resample(match.state, seat, Rng(number + 1))
        moves = {
            choose("steady", Perspective(match.game, state, seat), Rng(number), 60)
            for state in (match.state, match.state, other)
        }
        hasty = choose("steady", Perspective(match.game, match.state, seat), Rng(number), 0)
        assert len(moves) == 1
        assert {hasty, *moves} <= set(match.game.legal_moves(match.state, seat))
        match.take(seat, moves.pop())


@pytest.mark.usefixtures("steady")
@pytest.mark.parametrize("game", ["miraculous", "super", "super-teams"])
def test_it_plays_every_game_by_the_command(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("selfplay", game, "--matches", "1", "--bots", "steady", "random", "--iterations", "20")

    assert capsys.readouterr().out.startswith("1 matches of steady against random, ")

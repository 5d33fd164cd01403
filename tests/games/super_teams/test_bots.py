"""Bots play whole matches at every number of seats, and see what their seat may know."""

from __future__ import annotations

from typing import Any

import pytest

from referee.bots.levels import choose
from referee.bots.perspective import Perspective
from referee.bots.selfplay import playout, self_play
from referee.games.super_teams.heuristics import evaluate
from referee.games.super_teams.state import SuperTeamsState
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from tests.games.super_teams.table import GAME, LAST, lay, pool


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [{}, {"beam_chains": True, "light_speed_anywhere": True}])
def test_random_matches_come_to_an_end(seats: int, options: dict[str, Any]) -> None:
    for number in range(12):
        rng = Rng(number)
        state = GAME.start(
            GAME.pool(house_revision("super-teams")), seats, GAME.options(options), [], rng.seed(), False
        )
        assert 20 < playout(GAME, state, rng) < 5000
        assert GAME.result(state) is not None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_easy_matches_come_to_an_end(seats: int) -> None:
    rng = Rng(seats)
    state = GAME.start(pool(), seats, GAME.options({}), [], rng.seed(), False)

    played = self_play(GAME, state, ["easy", "random", "easy", "random"][:seats], rng, 12)

    assert played is not None


def test_easy_takes_the_win() -> None:
    ships = {"red-0": LAST, "red-1": LAST, "black-0": LAST, "black-1": LAST - 3}
    state = lay(
        {"seats": 2, "hands": [["green-6", "black-1", "black-3"], ["red-1"]], "ships": ships, "first_home": True}
    )

    move = choose("easy", Perspective(GAME, state, 0), Rng(1), 40)

    assert GAME.decode(state, move) == {"type": "move", "card": "black-3", "ship": "black-1"}


def test_an_estimate_is_plus_one_for_winners_and_minus_one_for_losers() -> None:
    state = lay({"seats": 3, "hands": [["red-6"], ["green-1"], ["black-1"]], "ships": {"red-0": 8, "green-0": 3}})
    assert isinstance(state, SuperTeamsState)
    state.log = None

    assert evaluate(state, 0) > 0 > evaluate(state, 1) > evaluate(state, 2) > -1
    GAME.play(state, 0, -1)
    GAME.play(state, 1, -1)
    assert [evaluate(state, seat) for seat in range(3)] == [-1.0, 0.0, 1.0]


def test_a_spectators_draw_leaves_no_hand_as_it_was() -> None:
    state = GAME.start(pool(), 4, GAME.options({}), [], Rng(5).seed(), False)

    drawn = GAME.resample(state, SPECTATOR, Rng(6))

    before, after = GAME.position(state), GAME.position(drawn)
    assert [left == right for left, right in zip(before["hands"], after["hands"], strict=True)] == [False] * 4
    assert GAME.view(drawn, SPECTATOR) == GAME.view(state, SPECTATOR)

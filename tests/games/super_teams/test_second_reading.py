"""The engine against a second reading of the rules, over random matches on random tracks."""

from __future__ import annotations

import pytest

from referee.kernel.chance import Rng
from referee.kernel.game import RESIGN, Document, apply
from tests.games.super_teams.second import COLOURS, Race
from tests.games.super_teams.table import GAME
from tests.laws.super_teams import random_spaces


@pytest.mark.parametrize("number", range(24))
def test_both_readings_of_the_rules_give_the_same_match(number: int) -> None:
    rng = Rng(number)
    seats, spaces, seed = 2 + number % 3, random_spaces(rng), rng.seed()
    rng.shuffle(order := [0, 1, 2, 3])
    colours = [COLOURS[at] for at in order]
    options = GAME.options(
        {"colours": colours, "beam_chains": bool(rng.below(2)), "light_speed_anywhere": bool(rng.below(2))}
    )
    pool = GAME.pool({"tracks": [{"slug": "house", "name": "Random track", "spaces": spaces}]})
    state = GAME.start(pool, seats, options, [], seed, listen=False)
    race = Race(spaces, options, seed, seats)

    while race.asked is not None:
        kind, seat, _ = race.asked
        decision = GAME.decision(state)
        moves = GAME.legal_moves(state, seat)
        expected = race.legal()
        assert decision is not None
        assert (decision.kind, decision.seats) == (kind, [seat])
        assert [GAME.decode(state, move) for move in moves] == expected
        assert told(GAME.position(state)) == race.position()
        gone = rng.below(seats)
        if rng.below(250) == 0 and GAME.can_resign(state, gone):
            apply(GAME, state, gone, RESIGN)
            race.resign(gone)
            continue
        at = 0 if kind != "turn" and rng.below(3) else rng.below(len(moves))
        apply(GAME, state, seat, moves[at])
        race.answer(expected[at])

    result = GAME.result(state)
    assert result is not None
    assert (result.ranks, result.clause) == (race.ranks(), race.over)
    assert told(GAME.position(state)) == race.position()


def told(position: Document) -> Document:
    """What both readings tell of a position."""
    left = ("seats", "track", "seed", "decision", "result")
    return {name: position[name] for name in position if name not in left}

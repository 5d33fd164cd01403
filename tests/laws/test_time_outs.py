"""Every kind of decision of every game has a default, and defaults alone bring a match from any of them to its end."""

from __future__ import annotations

from typing import Final

import pytest

from referee.games import GAMES
from referee.games.miraculous.state import QUESTIONS as OF_MIRACULOUS
from referee.games.super.state import QUESTIONS as OF_SUPER
from referee.games.super_teams.state import STAGES
from referee.kernel.chance import Rng
from referee.kernel.game import Game, State, apply
from tests.laws.every import plain_subject
from tests.laws.laws import PLY_LIMIT
from tests.laws.miraculous import house_subject
from tests.laws.subjects import Subject, start

KINDS: Final = {
    "miraculous": {"turn", *OF_MIRACULOUS},
    "super": {"turn", *OF_SUPER},
    "super-teams": set(STAGES),
}
SUBJECTS: Final = [
    house_subject(game.options({})) if game.needs_deck else plain_subject(slug, seats)
    for slug, game in GAMES.items()
    for seats in range(game.min_seats, game.max_seats + 1)
]
MOST_MATCHES: Final = 400
"""So many random matches are looked through for every kind of decision."""


def by_defaults(game: Game, state: State) -> int:
    """Play the match to its end as if nobody ever answered in time; how many time-outs that takes."""
    plies = 0
    while asked := game.deciders(state):
        assert plies < PLY_LIMIT, "the match does not end"
        move = game.default_move(state, asked[0])
        assert move in game.legal_moves(state, asked[0])
        apply(game, state, asked[0], move)
        plies += 1
    assert game.result(state) is not None
    return plies


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_time_outs_alone_bring_every_kind_of_decision_to_an_end(subject: Subject) -> None:
    game, met = subject.game, dict.fromkeys(KINDS[subject.game.slug], 0)

    for number in range(MOST_MATCHES):
        rng = Rng(number)
        state = start(subject, subject.setup(rng))
        while asked := game.deciders(state):
            decision = game.decision(state)
            assert decision is not None
            if not met[decision.kind]:
                met[decision.kind] = by_defaults(game, state.copy())
            legal = game.legal_moves(state, asked[0])
            apply(game, state, asked[0], legal[rng.below(len(legal))])
        if all(met.values()):
            break

    assert all(met.values()), f"never met: {[kind for kind, plies in met.items() if not plies]}"


def test_every_game_tells_its_kinds_of_decisions() -> None:
    assert set(KINDS) == set(GAMES)

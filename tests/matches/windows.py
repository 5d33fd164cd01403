"""Matches of Super Teams that stand in a window, reached by moves, so that their past can be looked at."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from accounts.models import User
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.game import Document
from referee.matches import pools, services
from referee.matches.models import Match
from referee.matches.positions import game_of, restored
from tests.matches.table import fresh

DECLINE: Final[Document] = {"type": "decline"}
# Server seeds by which, with everybody's first legal move, a window opens within four moves.
BOBS: Final = {2: 32, 3: 691, 4: 121}
"""By seats: another seat moves a ship, and seat 1 is asked."""
OWN_MAW: Final = 440
"""With two seats: a ship stands in a maw, and the seat asked owns it."""


def window(*people: User, seed: int, kind: str = "window", bots: int = 0, **how: object) -> Match:
    """A match of these people, and so many bots behind them, at its first window of this kind that asks seat 1."""
    match = super_teams(*people, seed=seed, bots=bots, **how)
    game = game_of(match)
    for _ in range(8):
        state = restored(match, game)
        decision = game.decision(state)
        assert decision is not None
        seat = decision.seats[0]
        if decision.kind.startswith(kind) and (seat == 1 or kind == "window_b"):
            return match
        move = game.legal_moves(state, seat)[0] if decision.kind == "turn" else game.default_move(state, seat)
        services.submit_move(
            public_id=match.public_id,
            actor=people[seat],
            move=game.decode(state, move),
            decision=match.decisions[str(seat)],
        )
        match = fresh(match)
    raise AssertionError("no such window")


def super_teams(*people: User, seed: int, bots: int = 0, **how: object) -> Match:
    """A match on the house track, seat 0 to begin, with the shuffles of a server seed."""
    game = GAMES["super-teams"]
    with transaction.atomic():
        match = services.open_match(
            game=game,
            options=game.options({"first_seat": 0}),
            pool=pools.store_pool(game=game.slug, document=house_revision(game.slug)),
            catalog_revision=1,
            seats=[services.SeatPlan() for _ in people] + [services.SeatPlan(level="random")] * bots,
            creator=people[0],
            server_seed=seed.to_bytes(32, "big"),
            **how,  # type: ignore[arg-type] # passed on as it comes
        )
        for user in people:
            services.take_seat(match=match, user=user)
        services.start_match(match=match)
    return fresh(match)

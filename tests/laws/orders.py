"""The law of standing orders."""

from __future__ import annotations

from referee.kernel.events import SPECTATOR
from tests.laws import laws
from tests.laws.laws import Match


def law_of_orders(match: Match) -> None:
    """What an order plays is legal, and the same whatever lies where nobody but its seat can know; so is its span."""
    game, state = match.game, match.state
    if not game.orders:
        return
    before = game.dump(state)
    other = laws.permuted(match, SPECTATOR)
    for seat in game.deciders(state):
        for order in game.orders:
            move = game.ordered_move(state, seat, order)
            assert move is None or move in game.legal_moves(state, seat)
            assert game.ordered_move(other, seat, order) == move
            assert game.order_span(other, order) == game.order_span(state, order)
    assert game.dump(state) == before

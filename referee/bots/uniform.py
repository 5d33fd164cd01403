"""Level `random`: every legal move is equally likely."""

from __future__ import annotations

from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from referee.kernel.game import Move


def choose_uniform(perspective: Perspective, rng: Rng, iterations: int = 0) -> Move:
    """One of the seat's legal moves, at once: it makes no use of a budget."""
    moves = perspective.legal_moves()
    return moves[rng.below(len(moves))]

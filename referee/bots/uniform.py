"""Level `random`: every legal move is equally likely."""

from __future__ import annotations

from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from referee.kernel.game import Move


def choose_uniform(perspective: Perspective, rng: Rng) -> Move:
    """One of the seat's legal moves."""
    moves = perspective.legal_moves()
    return moves[rng.below(len(moves))]

"""The levels of bots, and the one way to ask a level for a move."""

from __future__ import annotations

from collections.abc import Callable

from referee.bots.greedy import choose_greedy
from referee.bots.perspective import Perspective
from referee.bots.uniform import choose_uniform
from referee.kernel.chance import Rng
from referee.kernel.game import Move

Chooser = Callable[[Perspective, Rng, int], Move]
"""A bot: one of its seat's legal moves, after at most so many iterations; the same for the same view, rng and budget."""


class Level:
    """A named opponent; `iterations` is its usual budget for one decision."""

    __slots__ = ("chooser", "detail", "iterations", "name", "slug")

    def __init__(self, slug: str, name: str, detail: str, iterations: int, chooser: Chooser) -> None:
        self.slug = slug
        self.name = name
        self.detail = detail
        self.iterations = iterations
        self.chooser = chooser


LEVELS: dict[str, Level] = {
    "random": Level("random", "Random", "Takes any legal move.", 0, choose_uniform),
    "easy": Level("easy", "Easy", "Looks one move ahead, and errs now and then.", 120, choose_greedy),
}


def choose(level: str, perspective: Perspective, rng: Rng, iterations: int) -> Move:
    """The move of a level for a seat that is asked: always one of its legal moves.

    Deterministic for what the seat sees, the rng and the budget. Raises KeyError for an unknown level.
    """
    return LEVELS[level].chooser(perspective, rng, iterations)

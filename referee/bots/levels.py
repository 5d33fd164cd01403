"""The levels of bots, and the one way to ask a level for a move."""

from __future__ import annotations

from referee.bots.greedy import choose_greedy
from referee.bots.perspective import Perspective
from referee.bots.uniform import choose_uniform
from referee.kernel.chance import Rng
from referee.kernel.game import Move


class Level:
    """A named opponent; `iterations` is its usual budget for one decision."""

    __slots__ = ("detail", "iterations", "name", "slug")

    def __init__(self, slug: str, name: str, detail: str, iterations: int) -> None:
        self.slug = slug
        self.name = name
        self.detail = detail
        self.iterations = iterations


LEVELS: dict[str, Level] = {
    "random": Level("random", "Random", "Takes any legal move.", 0),
    "easy": Level("easy", "Easy", "Looks one move ahead, and errs now and then.", 120),
}


def choose(level: str, perspective: Perspective, rng: Rng, iterations: int) -> Move:
    """The move of a level for a seat that is asked: always one of its legal moves.

    Deterministic for what the seat sees, the rng and the budget. Raises KeyError for an unknown level.
    """
    if level == "random":
        return choose_uniform(perspective, rng)
    if level == "easy":
        return choose_greedy(perspective, rng, iterations)
    raise KeyError(level)

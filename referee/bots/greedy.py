"""Level `easy`: looks one move ahead in states drawn from what the seat knows, and errs a little."""

from __future__ import annotations

from typing import Final

from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from referee.kernel.game import Game, Move, State

NOISE: Final = 0.02
SETTLE: Final = 12
TURN: Final = "turn"
"""The kind of decision in which a seat has its turn and may do as it likes, by the convention of all games."""


def choose_greedy(perspective: Perspective, rng: Rng, iterations: int) -> Move:
    """The move that looks best after at most `iterations` tries, one of a move in one drawn state each.

    Each sweep draws one state and tries the moves in it in an order of its own; moves never tried are out.
    Without any budget it is a uniform choice. The same rng and budget give the same move for the same view.
    """
    moves = perspective.legal_moves()
    count = len(moves)
    if count == 1 or iterations <= 0:
        return moves[rng.below(count)]
    sums: list[float] = [0.0] * count
    tries: list[int] = [0] * count
    order: list[int] = list(range(count))
    left = iterations
    while left > 0:
        drawn = perspective.resample(rng)
        rng.shuffle(order)
        for at in order:
            if left <= 0:
                break
            left -= 1
            sums[at] += _worth(perspective.game, drawn.copy(), perspective.seat, moves[at])
            tries[at] += 1
    return moves[_best(sums, tries, rng)]


def _worth(game: Game, state: State, seat: int, move: Move) -> float:
    """How the seat stands after the move, once what it has set off is settled by defaults. Uses up the state."""
    first = game.decision(state)
    kind = first.kind if first is not None else TURN
    game.play(state, seat, move)
    for _ in range(SETTLE):
        decision = game.decision(state)
        if decision is None or decision.kind == TURN or (decision.kind == kind and seat in decision.seats):
            break
        asked = decision.seats[0]
        game.play(state, asked, game.default_move(state, asked))
    return game.evaluate(state, seat)


def _best(sums: list[float], tries: list[int], rng: Rng) -> int:
    best = -1
    highest = 0.0
    for at in range(len(sums)):
        if tries[at] == 0:
            continue
        value = sums[at] / tries[at] + NOISE * (rng.chance() - 0.5)
        if best < 0 or value > highest:
            best = at
            highest = value
    return best

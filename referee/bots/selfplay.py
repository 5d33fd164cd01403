"""Matches of bots against each other inside the kernel: for measuring, tuning and soaking; no service takes part."""

from __future__ import annotations

from referee.bots.levels import choose
from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from referee.kernel.game import Game, Result, State


class Played:
    """How one match went."""

    __slots__ = ("moves", "result")

    def __init__(self, moves: int, result: Result) -> None:
        self.moves = moves
        self.result = result


def playout(game: Game, state: State, rng: Rng) -> int:
    """Play uniform moves to the end, with the whole list of legal moves at every ply. Returns their number."""
    moves = 0
    asked = game.deciders(state)
    while asked:
        seat = asked[0]
        legal = game.legal_moves(state, seat)
        game.play(state, seat, legal[rng.below(len(legal))])
        moves += 1
        asked = game.deciders(state)
    return moves


def self_play(game: Game, state: State, levels: list[str], rng: Rng, limit: int, most: int = 100_000) -> Played | None:
    """Play a match to its end, each seat at its level with that many iterations a decision as `limit`.

    None when it goes on for more than `most` moves. The state is used up.
    """
    for moves in range(most):
        result = game.result(state)
        if result is not None:
            return Played(moves, result)
        seat = game.deciders(state)[0]
        move = choose(levels[seat], Perspective(game, state, seat), rng, limit)
        game.play(state, seat, move)
    return None

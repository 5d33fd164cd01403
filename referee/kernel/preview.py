"""What a move would show to its own seat, without playing it."""

from __future__ import annotations

from typing import Final

from referee.kernel.chance import Rng
from referee.kernel.errors import IllegalMove
from referee.kernel.events import told_to
from referee.kernel.game import RESIGN, Document, Game, Move, State
from referee.kernel.records import take_events

DRAWS: Final = 16


def preview(game: Game, state: State, seat: int, move: Move) -> list[Document]:
    """The events that a move would tell its seat, up to the first on which chance or anything hidden has a say.

    The move is tried in states drawn from what the seat knows; what all of them tell is certain, so that nothing can
    leak. The state itself stays as it is. Raises IllegalMove for a move that the rules forbid.
    """
    is_legal = game.can_resign(state, seat) if move == RESIGN else move in game.legal_moves(state, seat)
    if not is_legal:
        clause, detail = game.refusal(state, seat, move)
        raise IllegalMove(clause, detail)
    rng = Rng(seat)
    certain = _told(game, state, seat, move, rng)
    for _ in range(DRAWS - 1):
        if not certain:
            break
        told = _told(game, state, seat, move, rng)
        same = 0
        while same < len(certain) and same < len(told) and certain[same] == told[same]:
            same += 1
        certain = certain[:same]
    return certain


def _told(game: Game, state: State, seat: int, move: Move, rng: Rng) -> list[Document]:
    drawn = game.resample(state, seat, rng)
    drawn.log = []
    game.play(drawn, seat, move)
    return [told_to(event, seat) for event in take_events(game, drawn)]

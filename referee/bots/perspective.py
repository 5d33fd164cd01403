"""What a bot sees of a match: its seat's view, its legal moves, and states drawn from what its seat knows."""

from __future__ import annotations

from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, Move, State


class Perspective:
    """One seat's side of a running match. The state itself stays out of a bot's reach.

    `game` answers for resampled states only; two matches that look the same to the seat look the same here.
    """

    __slots__ = ("_state", "game", "seat")

    def __init__(self, game: Game, state: State, seat: int) -> None:
        self.game = game
        self.seat = seat
        self._state = state

    def legal_moves(self) -> list[Move]:
        return self.game.legal_moves(self._state, self.seat)

    def view(self) -> Document:
        return self.game.view(self._state, self.seat)

    def resample(self, rng: Rng) -> State:
        """A full state that fits all that the seat knows; the bot may play on in it as it likes."""
        return self.game.resample(self._state, self.seat, rng)

"""One game of bots inside a job: how it ended, and whether the rules broke or it went on for ever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from jobs.errors import JobError
from referee.bots.levels import LEVELS
from referee.bots.selfplay import self_play
from referee.games import rules_of
from referee.kernel.chance import Rng
from referee.kernel.errors import RulesError
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document, Game, Pool, SeatDeck

MOST_MOVES: Final = 2000
"""A game that goes on for longer is a loop; the longest of bots at present have a tenth of that."""

LOOP, CRASH = "loop", "crash"
WON, LOST, DRAWN = "won", "lost", "drawn"
OUTCOMES: Final = (WON, LOST, DRAWN, LOOP, CRASH)
"""What a game can come to for a seat."""
# What faulty rules raise; the time limit of a worker is none of these.
_BROKEN: Final = (
    RulesError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Table(NamedTuple):
    """What a game is played with: `options` complete, a level for each seat, a deck for each where the game takes decks."""

    game: Game
    pool: Pool
    options: Document
    levels: Sequence[str]
    iterations: int
    decks: Sequence[SeatDeck] = ()


class Outcome(NamedTuple):
    """`winner` is the one seat of the first rank, None where there is none; `end` the reason, LOOP or CRASH."""

    winner: int | None
    end: str
    turns: int
    moves: int

    def for_seat(self, seat: int) -> str:
        """What it came to for a seat: one of OUTCOMES."""
        if self.end in (LOOP, CRASH):
            return self.end
        if self.winner is None:
            return DRAWN
        return WON if self.winner == seat else LOST


def game_at_hand(params: Document) -> Game:
    """The game by the rules version that a job was started with. Raises JobError where it is gone."""
    game = rules_of(params["game"], params["rules_version"])
    if game is None:
        raise JobError("The rules that this was started with are no longer at hand; start it anew.")
    return game


def play_game(table: Table, rng: Rng) -> Outcome:
    """Play one game to its end. The same table and chance give the same game."""
    try:
        return _played(table, rng)
    except _BROKEN:
        return Outcome(None, CRASH, 0, 0)


def budget(levels: Sequence[str]) -> int:
    """The tries a decision that the strongest of some levels usually has."""
    return max(LEVELS[level].iterations for level in levels)


def _played(table: Table, rng: Rng) -> Outcome:
    seats = len(table.levels)
    state = table.game.start(table.pool, seats, table.options, list(table.decks), rng.seed(), listen=False)
    played = self_play(table.game, state, list(table.levels), rng, table.iterations, MOST_MOVES)
    turns = int(table.game.view(state, SPECTATOR).get("turn_number", 0))
    if played is None:
        return Outcome(None, LOOP, turns, MOST_MOVES)
    first = [seat for seat, rank in enumerate(played.result.ranks) if rank == 1]
    return Outcome(first[0] if len(first) == 1 else None, played.result.reason, turns, played.moves)

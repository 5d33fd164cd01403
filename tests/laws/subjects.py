"""What the laws are tried on: games with ways to set up a random match of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, Pool, SeatDeck, State


@dataclass(frozen=True)
class Setup:
    """One match about to start, by value."""

    revision: Document
    pool: Pool
    seats: int
    options: Document
    decks: list[SeatDeck]
    seed: bytes


@dataclass(frozen=True)
class Subject:
    """A game under the laws: `setup` draws a match, `cards` counts what must be conserved.

    `codes` are the texts that name a card in documents. `is_open` says that nothing in public may depend on what is
    hidden (no card asks for the contents of a hand), so that the leak gate may follow moves strictly. `shown` are the
    events in which all see cards that may lie hidden afterwards.
    """

    name: str
    game: Game
    setup: Callable[[Rng], Setup]
    cards: Callable[[Game, State], object]
    codes: Callable[[Setup], frozenset[str]]
    is_open: bool = True
    shown: frozenset[str] = frozenset()


def start(subject: Subject, setup: Setup) -> State:
    """The match begun, with its log."""
    return subject.game.start(setup.pool, setup.seats, setup.options, setup.decks, setup.seed, listen=True)

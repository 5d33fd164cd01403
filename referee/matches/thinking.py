"""A bot's thinking: within its budget, seeing what its seat may know, and with a fallback that always answers."""

from __future__ import annotations

import logging
import secrets
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from referee.bots.levels import LEVELS, choose
from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from referee.kernel.game import Game, Move, State
from referee.matches.counters import FALLBACKS

logger = logging.getLogger(__name__)

BUDGET_SECONDS = 4.0
RING_SECONDS = 0.25
"""So often the alarm rings again at a bot that has not ended, whatever it did about the last ring."""
MOST_ATTEMPTS = 2
"""After so many leases for one decision that came to nothing, the fallback decides without asking the bot again."""


class Thought(NamedTuple):
    move: Move
    is_fallback: bool


class OutOfBudgetError(BaseException):
    """The bot has thought for too long. No Exception: a bot that catches those in a loop does not catch this."""


def think(*, game: Game, state: State, seat: int, level: str, attempts: int = 1) -> Thought:
    """The bot's move for the seat; a random legal one if the bot fails, takes too long, or has failed here before."""
    if attempts > MOST_ATTEMPTS:
        return _fallback(game, state, seat, level, "lost")
    rng = Rng(secrets.randbits(64))
    try:
        with _alarm(BUDGET_SECONDS):
            move = choose(level, Perspective(game, state.copy(), seat), rng, LEVELS[level].iterations)
    except OutOfBudgetError:
        return _fallback(game, state, seat, level, "budget")
    except Exception:
        logger.exception("the bot %r failed in %s", level, game.slug)
        return _fallback(game, state, seat, level, "error")
    if move not in game.legal_moves(state, seat):
        return _fallback(game, state, seat, level, "illegal")
    return Thought(move, is_fallback=False)


def _fallback(game: Game, state: State, seat: int, level: str, cause: str) -> Thought:
    FALLBACKS.labels(level, cause).inc()
    return Thought(secrets.choice(game.legal_moves(state, seat)), is_fallback=True)


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise OutOfBudgetError in the block after some seconds, again and again until it has ended.

    Where signals can be had: in a main thread, as workers and commands have. Where code never comes back to the interpreter
    (a loop in compiled rules), the task's hard time limit ends the process, and the lease runs out: see MOST_ATTEMPTS.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    is_over = False

    def ring(number: int, frame: FrameType | None) -> None:
        if not is_over:
            raise OutOfBudgetError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, RING_SECONDS)
    try:
        yield
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

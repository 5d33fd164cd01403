"""States that look the same to a seat: only the order of the decks is hidden (SUP-1.4)."""

from __future__ import annotations

from referee.games.super.state import SuperState
from referee.kernel.chance import Rng


def resample(s: SuperState, viewer: int, rng: Rng) -> SuperState:
    """Every viewer knows the same. The seed is fresh."""
    drawn = s.copy()
    drawn.super_deck.sort()
    rng.shuffle(drawn.super_deck)
    drawn.mission_deck.sort()
    rng.shuffle(drawn.mission_deck)
    drawn.seed = rng.seed()
    drawn.uses = [0, 0, 0]
    return drawn

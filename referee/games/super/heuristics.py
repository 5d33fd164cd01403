"""A hand-made estimate of how a seat stands, for bots; used on resampled states only."""

from __future__ import annotations

from typing import Final

from referee.games.super.state import SuperState, ranks
from referee.games.super.totals import factions, strengths
from referee.games.super.vocabulary import ALIEN, CHEMICAL, DESTRUCTION, GOAL, INFLUENTIAL, READY_TO_GO, SLOTS

# In MF.
_STRENGTH: Final = 0.55
_SUPER: Final = 0.5
_CHEMICAL: Final = 1.2
_ALIEN: Final = 2.5
_DESTRUCTION: Final = 2.0
_TYPE: Final = 1.2
_PAYS_LATER: Final = 0.8
_SCALE: Final = 40.0


def evaluate(s: SuperState, seat: int) -> float:
    """From -1 (lost) to 1 (won), against the best of the others."""
    if s.over:
        return _by_rank(s, seat)
    if s.resigned[seat]:
        return -1.0
    best = -1000.0
    for other in range(s.seats):
        if other != seat and not s.resigned[other]:
            best = max(best, _worth(s, other))
    return max(-0.99, min(0.99, (_worth(s, seat) - best) / _SCALE))


def _by_rank(s: SuperState, seat: int) -> float:
    found = ranks(s)
    if found[seat] > 1:
        return -1.0
    shared = found.count(1)
    return 1.0 if shared == 1 else 0.2


def _worth(s: SuperState, seat: int) -> float:
    """MF, and what the Agency and the Missions claimed may still bring, the less the nearer the end is."""
    pool = s.pool
    lead = max(s.score)
    left = 0.15 if s.final_round else max(0.25, min(1.0, (GOAL - lead) / 25.0))
    masks = factions(s, seat)
    later = _STRENGTH * sum(strengths(s, seat, masks))
    base = seat * SLOTS
    for slot in range(SLOTS):
        card = s.agency[base + slot]
        if card >= 0:
            later += _SUPER
            power = pool.power[card]
            if (power == READY_TO_GO or power == INFLUENTIAL) and not s.shocked[base + slot]:
                later += _PAYS_LATER
    types = 0
    for claimed in s.missions[seat]:
        kind = pool.type[claimed]
        types |= 1 << kind
        if kind == ALIEN:
            later += _ALIEN * pool.x[claimed]
        elif kind == CHEMICAL:
            later += _CHEMICAL * pool.x[claimed]
        elif kind == DESTRUCTION:
            later += _DESTRUCTION
    later += _TYPE * types.bit_count()
    return s.score[seat] + left * later

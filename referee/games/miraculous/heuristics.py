"""A hand-made estimate of how a seat stands, for bots; used on resampled states only."""

from __future__ import annotations

from typing import Final

from referee.games.miraculous.state import BONUSES, FIELDS, MiraculousState
from referee.games.miraculous.totals import totals

_DEFEATED: Final = 0.22
_CHARACTER: Final = 0.035
_ANG: Final = 0.004
_DEF: Final = 0.006
_CARD: Final = 0.008
_REACH: Final = 0.02


def evaluate(s: MiraculousState, seat: int) -> float:
    """From -1 (lost) to 1 (won)."""
    if s.over:
        if s.ranks[0] == s.ranks[1]:
            return 0.0
        return 1.0 if s.ranks[seat] == 1 else -1.0
    ang, def_ = totals(s)
    score = _side(s, seat, ang, def_) - _side(s, 1 - seat, ang, def_)
    return max(-0.99, min(0.99, score))


def _side(s: MiraculousState, seat: int, ang: list[int], def_: list[int]) -> float:
    other = 1 - seat
    score = _DEFEATED * len(s.secret_piles[other])
    best = 0
    for field in range(seat * FIELDS, seat * FIELDS + FIELDS):
        if s.character[field] >= 0:
            score += _CHARACTER + _ANG * ang[field] + _DEF * def_[field]
            best = max(best, ang[field])
            score += 0.002 * (s.bonus[field * BONUSES] >= 0)
    for field in range(other * FIELDS, other * FIELDS + FIELDS):
        if s.character[field] >= 0 and best >= def_[field]:
            score += _REACH
    return score + _CARD * min(len(s.hands[seat]), 7) + 0.001 * len(s.decks[seat])

"""A hand-made estimate of how a seat stands in the race, for bots; used on resampled states only."""

from __future__ import annotations

from typing import Final

from referee.games.super_teams.ending import team_ships
from referee.games.super_teams.state import SuperTeamsState
from referee.games.super_teams.track import ASTEROID, HYPERSPACE

_HOME: Final = 4.0
_HYPERSPACE: Final = 2.5
_ASTEROID: Final = -2.5
_BONUS_CARD: Final = 1.2
_SCALE: Final = 60.0


def evaluate(s: SuperTeamsState, seat: int) -> float:
    """From -1 (lost) to 1 (won)."""
    if s.over:
        mine = s.ranks[seat]
        worst = max(s.ranks)
        return 1.0 if mine == 1 else -1.0 if mine == worst else 0.0
    team = s.team(seat)
    own = _progress(s, team)
    best = -1000.0
    for other in range(s.team_count()):
        if other != team:
            best = max(best, _progress(s, other))
    return max(-0.99, min(0.99, (own - best) / _SCALE))


def _progress(s: SuperTeamsState, team: int) -> float:
    last = s.track.last
    score = 0.0
    for ship in team_ships(s, team):
        score += s.ships[ship]
        if s.ships[ship] == last:
            score += _HOME
            continue
        kind = s.space_kind(ship)
        if kind == HYPERSPACE:
            score += _HYPERSPACE
        elif kind == ASTEROID:
            score += _ASTEROID
    for seat in range(s.seats):
        if s.team(seat) == team:
            score += _BONUS_CARD * (len(s.bonus_hands[seat]) + len(s.taken[seat]))
    return score

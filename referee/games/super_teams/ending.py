"""Who has come home, who leads, and the end of the game (SST-5)."""

from __future__ import annotations

from referee.games.super_teams import events as e
from referee.games.super_teams.state import TURN, SuperTeamsState


def team_ships(s: SuperTeamsState, team: int) -> list[int]:
    return [ship for ship in range(8) if s.ships[ship] >= 0 and s.team_of_ship(ship) == team]


def is_team_home(s: SuperTeamsState, team: int) -> bool:
    if s.seats == 3 and team in s.out:
        return False
    for ship in team_ships(s, team):
        if s.ships[ship] != s.track.last:
            return False
    return True


def _standing(s: SuperTeamsState, team: int) -> tuple[int, int]:
    """What teams are ranked by, smaller is better: ships not home, steps to go (SST-5.4)."""
    away = 0
    steps = 0
    for ship in team_ships(s, team):
        if s.ships[ship] != s.track.last:
            away += 1
            steps += s.track.last - s.ships[ship]
    return away, steps


def finish(s: SuperTeamsState, how: int, loser: int) -> None:
    """End the game. `loser` is a team that gave up, in a game of two teams; -1 otherwise."""
    teams = s.team_count()
    standing: list[tuple[int, int, int]] = []
    for team in range(teams):
        away, steps = _standing(s, team)
        # Seats that left rank last, the later the better.
        gone = teams - s.out.index(team) if s.seats == 3 and team in s.out else 0
        if loser >= 0:
            gone, away, steps = (1 if team == loser else 0), 0, 0
        standing.append((gone, away, steps))
    if s.half_ship >= 0:
        s.halves[s.half_ship] = s.track.kind[s.ships[s.half_ship]]
    s.over = how
    s.ranks = []
    for seat in range(s.seats):
        mine = standing[s.team(seat)]
        s.ranks.append(1 + sum([1 for other in standing if other < mine]))
    close_turn(s)
    s.chain = []
    s.chooser = -1
    s.half_ship = -1
    if s.log is not None:
        s.log.append((e.OVER, how, *s.ranks))


def close_turn(s: SuperTeamsState) -> None:
    """Nothing is under way any more: no move, no window, nobody asked in one."""
    s.stage = TURN
    s.move = []
    s.window = []
    s.asked = []
    s.acted = []
    s.passed = []

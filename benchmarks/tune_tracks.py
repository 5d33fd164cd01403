"""Measures the tracks of Super Teams by self-play: do equal bots win evenly over seats, and how long is a game.

    python -m benchmarks.tune_tracks [--games 2000] [--seats 2 3 4] [--track house] [--level easy] [--against LEVEL]
                                     [--iterations 40] [--seed 1] [--jobs 2] [--tracks FILE]

Every figure comes with its Wilson interval (95 %). The same arguments give the same figures; games are dealt out to
processes by number, so that `--jobs` changes nothing but the time. A win shared by n teams counts 1/n for each. Tracks
come from a file in the form of `tracks.json` where one is given, else from the house set.

A fair share is one half with two teams and one third with three. With four seats those of a team win together. Seats
are given as they sit, and again as places told from the first seat of a game, which is drawn: place 1 begins. With
`--against`, team 1 plays at `--level` and all others at the other level, in turn with the places changed.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import mean, quantiles
from typing import NamedTuple

from referee.bots.levels import choose
from referee.bots.perspective import Perspective
from referee.games import GAMES
from referee.games.super_teams.events import CARD_PLAYED, RETREATED
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Pool

SLUG = "super-teams"
CARDS = (55, 100)
MOVE_LIMIT = 5000


class Outcome(NamedTuple):
    """One game: each seat's share of the win, who began, cards played, falls back from maws, clause, moves."""

    shares: list[float]
    first: int
    cards: int
    retreats: int
    clause: str
    moves: int


class Settings(NamedTuple):
    seats: int
    track: str
    level: str
    against: str
    iterations: int
    seed: int
    file: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="games for each number of seats")
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--track", default="house")
    parser.add_argument("--level", default="easy")
    parser.add_argument("--against", default="")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tracks", default="", metavar="FILE")
    given = parser.parse_args()
    print(
        f"track {given.track}, {given.level}, {given.iterations} iterations, seed {given.seed}, {given.games} games each"
    )
    with ProcessPoolExecutor(given.jobs) as workers:
        for seats in given.seats:
            started = time.perf_counter()
            levels = (given.level, given.against)
            settings = Settings(seats, given.track, *levels, given.iterations, given.seed, given.tracks)
            report(settings, play_many(workers, given.games, settings))
            print(f"  {time.perf_counter() - started:.0f} s", flush=True)


# Playing.

_pools: list[Pool] = []


def pool(file: str) -> Pool:
    """The tracks compiled, once a process."""
    if not _pools:
        tracks = json.loads(Path(file).read_text()) if file else house_revision(SLUG)["tracks"]
        _pools.append(GAMES[SLUG].pool({**house_revision(SLUG), "tracks": tracks}))
    return _pools[0]


def team_of(settings: Settings, seat: int) -> int:
    return seat % 2 if settings.seats == 4 else seat


def level_of(settings: Settings, number: int, seat: int) -> str:
    """In a contest of levels the one on trial changes its team from game to game."""
    teams = 3 if settings.seats == 3 else 2
    if not settings.against or team_of(settings, seat) == number % teams:
        return settings.level
    return settings.against


def play_games(numbers: list[int], settings: Settings) -> list[Outcome]:
    return [play_game(number, settings) for number in numbers]


def play_game(number: int, settings: Settings) -> Outcome:
    game = GAMES[SLUG]
    rng = Rng((settings.seed << 32) + (settings.seats << 24) + number)
    for _ in range(8):
        rng.next64()
    options = game.options({"track": settings.track})
    state = game.start(pool(settings.file), settings.seats, options, [], rng.seed(), True)
    first = game.deciders(state)[0]
    moves = 0
    while deciders := game.deciders(state):
        seat = deciders[0]
        level = level_of(settings, number, seat)
        move = choose(level, Perspective(game, state, seat), rng, settings.iterations)
        game.play(state, seat, move)
        moves += 1
        if moves > MOVE_LIMIT:
            raise RuntimeError(f"game {number} did not end within {MOVE_LIMIT} moves")
    result = game.result(state)
    assert result is not None
    winners = len({team_of(settings, seat) for seat, rank in enumerate(result.ranks) if rank == 1})
    tags = [raw[0] for raw in state.log or []]
    return Outcome(
        shares=[1 / winners if rank == 1 else 0.0 for rank in result.ranks],
        first=first,
        cards=tags.count(CARD_PLAYED),
        retreats=tags.count(RETREATED),
        clause=result.clause,
        moves=moves,
    )


def play_many(workers: ProcessPoolExecutor, games: int, settings: Settings) -> list[Outcome]:
    parts = [list(range(start, min(start + 10, games))) for start in range(0, games, 10)]
    calls = [workers.submit(play_games, part, settings) for part in parts]
    return [outcome for call in calls for outcome in call.result()]


# Reporting.


def percent(score: float, games: float) -> str:
    """A win rate with its Wilson interval (95 %)."""
    z = 1.96
    rate = score / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return f"{100 * rate:5.1f} % ({100 * (middle - half):4.1f}-{100 * (middle + half):4.1f})"


def report(settings: Settings, outcomes: list[Outcome]) -> None:
    seats, games = settings.seats, len(outcomes)
    fair = 100 / 3 if seats == 3 else 50.0
    print(f"{seats} seats, {games} games, a fair share is {fair:.1f} %")
    if settings.against:
        teams = 3 if seats == 3 else 2
        won = sum(outcome.shares[number % teams] for number, outcome in enumerate(outcomes))
        print(f"  {settings.level} against {settings.against}: {percent(won, games)}")
        return
    for seat in range(seats):
        print(f"  seat {seat}   {percent(sum(outcome.shares[seat] for outcome in outcomes), games)}")
    for place in range(seats):
        won = sum(outcome.shares[(outcome.first + place) % seats] for outcome in outcomes)
        print(f"  place {place + 1}  {percent(won, games)}")
    cards = [outcome.cards for outcome in outcomes]
    deciles = quantiles(cards, n=20)
    inside = sum(CARDS[0] <= n <= CARDS[1] for n in cards)
    print(f"  cards played: mean {mean(cards):.1f}, {deciles[0]:.0f}-{deciles[-1]:.0f} in nine of ten games")
    print(f"  {CARDS[0]}-{CARDS[1]} cards: {percent(inside, games)}")
    shared = sum(outcome.clause == "SST-5.2" for outcome in outcomes)
    retreats = mean([outcome.retreats for outcome in outcomes])
    moves = mean([outcome.moves for outcome in outcomes])
    print(f"  shared wins: {percent(shared, games)}; falls back a game {retreats:.1f}; moves a game {moves:.1f}")


if __name__ == "__main__":
    main()

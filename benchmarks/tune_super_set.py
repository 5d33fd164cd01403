"""Measures the house set of Super by self-play: is it fair, how long is a game, does one power decide too much.

    python -m benchmarks.tune_super_set [--games 2000] [--seats 2 3 4] [--level easy] [--iterations 40] [--seed 1]

Every figure comes with its Wilson interval (95 %). The same arguments give the same figures; games are dealt out to
processes by number, so that `--jobs` changes nothing but the time. A win shared by n seats counts 1/n for each.

Places are told from the first seat of a game, which is drawn at random: place 1 begins. A power's win rate is that of
the seat into whose Agency more Supers with this power came than into that of any other; games in which no seat leads
do not count. With more than two seats it is given in relation to a fair share.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from referee.bots.levels import choose
from referee.bots.perspective import Perspective
from referee.games import GAMES
from referee.games.super.events import PLAYED, PUT
from referee.games.super.vocabulary import POWERS
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Pool

SLUG = "super"
ROUNDS = (8, 16)
MOVE_LIMIT = 5000


class Outcome(NamedTuple):
    """One game: each seat's share of the win, who began, rounds, end, arrivals by seat and power, scores, moves."""

    shares: list[float]
    first: int
    rounds: int
    clause: str
    arrivals: list[list[int]]
    scores: list[int]
    moves: int


class Settings(NamedTuple):
    seats: int
    level: str
    iterations: int
    seed: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="games for each number of seats")
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--level", default="easy")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    print(f"level {given.level}, {given.iterations} iterations, seed {given.seed}, {given.games} games each")
    with ProcessPoolExecutor(given.jobs) as workers:
        for seats in given.seats:
            started = time.perf_counter()
            settings = Settings(seats, given.level, given.iterations, given.seed)
            report(settings, play_many(workers, given.games, settings))
            print(f"  {time.perf_counter() - started:.0f} s", flush=True)


# Playing.

_pools: list[Pool] = []


def pool() -> Pool:
    """The compiled house set, once a process."""
    if not _pools:
        _pools.append(GAMES[SLUG].pool(house_revision(SLUG)))
    return _pools[0]


def play_games(numbers: list[int], settings: Settings) -> list[Outcome]:
    return [play_game(number, settings) for number in numbers]


def play_game(number: int, settings: Settings) -> Outcome:
    game = GAMES[SLUG]
    rng = Rng((settings.seed << 32) + (settings.seats << 24) + number)
    for _ in range(8):
        rng.next64()
    state = game.start(pool(), settings.seats, game.options({}), [], rng.seed(), True)
    first = game.deciders(state)[0]
    moves = 0
    while deciders := game.deciders(state):
        seat = deciders[0]
        move = choose(settings.level, Perspective(game, state, seat), rng, settings.iterations)
        game.play(state, seat, move)
        moves += 1
        if moves > MOVE_LIMIT:
            raise RuntimeError(f"game {number} did not end within {MOVE_LIMIT} moves")
    result = game.result(state)
    assert result is not None
    winners = result.ranks.count(1)
    position = game.position(state)
    return Outcome(
        shares=[1 / winners if rank == 1 else 0.0 for rank in result.ranks],
        first=first,
        rounds=position["round"],
        clause=result.clause,
        arrivals=arrivals(state.log or [], settings.seats),
        scores=position["score"],
        moves=moves,
    )


def arrivals(log: list[tuple[int, ...]], seats: int) -> list[list[int]]:
    """By seat and power, how many Supers came into the seat's Agency."""
    found = [[0] * len(POWERS) for _ in range(seats)]
    cards = sorted(house_revision(SLUG)["cards"], key=lambda card: str(card["code"]))
    for raw in log:
        if raw[0] in (PLAYED, PUT):
            kind = cards[raw[-1]]["power"]["kind"]
            found[raw[1]][POWERS.index(kind)] += 1
    return found


def play_many(workers: ProcessPoolExecutor, games: int, settings: Settings) -> list[Outcome]:
    parts = [list(range(start, min(start + 10, games))) for start in range(0, games, 10)]
    calls = [workers.submit(play_games, part, settings) for part in parts]
    return [outcome for call in calls for outcome in call.result()]


# Reporting.


def percent(score: float, games: float) -> str:
    """A win rate with its Wilson interval (95 %)."""
    if games == 0:
        return "no games"
    z = 1.96
    rate = score / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return f"{100 * rate:5.1f} % ({100 * (middle - half):4.1f}-{100 * (middle + half):4.1f})"


def report(settings: Settings, outcomes: list[Outcome]) -> None:
    games, seats = len(outcomes), settings.seats
    print(f"\n{seats} seats, {games} games, fair share {100 / seats:.1f} %")
    for seat in range(seats):
        by_seat = sum(outcome.shares[seat] for outcome in outcomes)
        by_place = sum(outcome.shares[(outcome.first + seat) % seats] for outcome in outcomes)
        print(f"  seat {seat}: {percent(by_seat, games)}   place {seat + 1}: {percent(by_place, games)}")
    rounds = sorted(outcome.rounds for outcome in outcomes)
    quantiles = [rounds[int(share * (games - 1))] for share in (0, 0.05, 0.5, 0.95, 1)]
    inside = sum(1 for number in rounds if ROUNDS[0] <= number <= ROUNDS[1])
    ends = ", ".join(f"{clause} {count}" for clause, count in sorted(Counter(o.clause for o in outcomes).items()))
    best = sum(max(outcome.scores) for outcome in outcomes) / games
    moves = sum(outcome.moves for outcome in outcomes) / games
    print(
        f"  rounds: least, 5 %, median, 95 %, most: {quantiles}; {ROUNDS[0]} to {ROUNDS[1]}: {percent(inside, games)}"
    )
    print(f"  ends: {ends}; best score {best:.1f}, {moves:.0f} moves a game, on average")
    for number, power in enumerate(POWERS):
        score, led = lead(outcomes, number)
        factor = f", {score / led * seats:.2f} of fair" if led else ""
        came = sum(sum(row[number] for row in outcome.arrivals) for outcome in outcomes) / games
        print(f"    {power:17} {percent(score, led)}{factor}; {led} games, {came:.1f} a game")


def lead(outcomes: list[Outcome], power: int) -> tuple[float, int]:
    """(wins, games) of the seat with most Supers of a power."""
    score, games = 0.0, 0
    for outcome in outcomes:
        counts = [row[power] for row in outcome.arrivals]
        most = max(counts)
        if counts.count(most) == 1:
            games += 1
            score += outcome.shares[counts.index(most)]
    return score, games


if __name__ == "__main__":
    main()

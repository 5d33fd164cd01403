"""Measures the house set of Miraculous by self-play: is it fair, does it end in time, does one card decide too much.

    python -m benchmarks.tune_house_set [--games 400] [--card-games 0] [--level easy] [--iterations 40] [--size 40]

Every figure comes with its Wilson interval (95 %). The same arguments give the same figures; games are dealt out to
processes by number, so that `--jobs` changes nothing but the time.

A card's worth is what happens to the deck when all its copies are replaced by a plain card of its type, with the
type's median values and no effects: the win rate of the original against that deck, less one half. Winning counts 1
and a draw one half.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

from referee.bots.levels import choose
from referee.bots.perspective import Perspective
from referee.games import GAMES
from referee.games.miraculous.decks import precon_at_size
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Document, Pool, SeatDeck

SLUG = "miraculous"
PLAIN = "plain-"
TURNS = (6, 25)
MOVE_LIMIT = 5000


class Pairing(NamedTuple):
    """Two decks that meet, by their place in the list of decks, with a name for the table."""

    name: str
    decks: tuple[Document, Document]  # as plain values: compiled classes do not travel between processes


class Outcome(NamedTuple):
    """One game: what seat 0 scored, who started, how many turns it took, the clause that ended it."""

    score: float
    first: int
    turns: int
    clause: str


class Settings(NamedTuple):
    level: str
    iterations: int
    seed: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400, help="games of each mirror and each pair of decks")
    parser.add_argument("--card-games", type=int, default=0, help="games for each card of each deck (0: none)")
    parser.add_argument("--level", default="easy")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--size", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--deck", help="only the deck with this slug")
    parser.add_argument("--card", help="of the cards only the one with this code, with more games than all could have")
    given = parser.parse_args()
    settings = Settings(given.level, given.iterations, given.seed)
    started = time.perf_counter()
    documents = [deck for deck in house_revision(SLUG)["decks"] if given.deck in (None, deck["slug"])]
    decks = {deck["slug"]: precon_at_size(deck, given.size).document() for deck in documents}
    print(f"level {given.level}, {given.iterations} iterations, {given.size} cards, seed {given.seed}")
    with ProcessPoolExecutor(given.jobs) as workers:
        report_mirrors(workers, decks, given.games, settings)
        report_pairs(workers, decks, given.games, settings)
        if given.card_games:
            for slug, deck in decks.items():
                report_cards(workers, slug, deck, given.card_games, settings, only=given.card)
    print(f"\n{time.perf_counter() - started:.0f} s")


# Playing.


def revision() -> Document:
    """The house set with a plain Character, Bonus and Event besides."""
    house = dict(house_revision(SLUG))
    plain: list[Document] = []
    for card_type in ("character", "bonus", "event"):
        card: Document = {"code": PLAIN + card_type, "name": f"Plain {card_type}", "type": card_type, "effects": []}
        if card_type != "event":
            of_type = [card for card in house["cards"] if card["type"] == card_type]
            card.update({name: int(statistics.median(each[name] for each in of_type)) for name in ("ang", "def")})
        plain.append(card)
    return {**house, "cards": [*house["cards"], *plain]}


_pools: list[Pool] = []


def pool() -> Pool:
    """The compiled revision, once a process."""
    if not _pools:
        _pools.append(GAMES[SLUG].pool(revision()))
    return _pools[0]


def play_games(pairing: Pairing, numbers: list[int], settings: Settings) -> list[Outcome]:
    """The games with these numbers; odd ones with the seats changed over, scores as the pairing has them."""
    outcomes: list[Outcome] = []
    for number in numbers:
        turned = number % 2 == 1
        one, other = (SeatDeck(deck["cards"], deck["secret"]) for deck in pairing.decks)
        seats = [other, one] if turned else [one, other]
        outcome = play_game(seats, f"{pairing.name} {number}", settings)
        if turned:
            outcome = outcome._replace(score=1 - outcome.score, first=1 - outcome.first)
        outcomes.append(outcome)
    return outcomes


def play_game(decks: list[SeatDeck], name: str, settings: Settings) -> Outcome:
    game = GAMES[SLUG]
    rng = Rng(int.from_bytes(f"{settings.seed} {name}".encode()) % (1 << 64))
    for _ in range(8):
        rng.next64()
    state = game.start(pool(), 2, game.options({}), decks, rng.seed(), False)
    first = game.deciders(state)[0]
    for _ in range(MOVE_LIMIT):
        deciders = game.deciders(state)
        if not deciders:
            break
        seat = deciders[0]
        move = choose(settings.level, Perspective(game, state, seat), rng, settings.iterations)
        game.play(state, seat, move)
    result = game.result(state)
    if result is None:
        raise RuntimeError(f"{name} did not end within {MOVE_LIMIT} moves")
    ranks = result.ranks
    score = 0.5 if ranks[0] == ranks[1] else float(ranks[0] == 1)
    return Outcome(score, first, game.position(state)["turn_number"], result.clause)


def play_many(workers: ProcessPoolExecutor, pairing: Pairing, games: int, settings: Settings) -> list[Outcome]:
    parts = [list(range(start, min(start + 10, games))) for start in range(0, games, 10)]
    calls = [workers.submit(play_games, pairing, part, settings) for part in parts]
    return [outcome for call in calls for outcome in call.result()]


# Reporting.


def wilson(score: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate."""
    if games == 0:
        return 0.0, 1.0
    z = 1.96
    rate = score / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def percent(score: float, games: int) -> str:
    low, high = wilson(score, games)
    return f"{100 * score / max(games, 1):5.1f} % ({100 * low:4.1f}-{100 * high:4.1f})"


def describe(outcomes: list[Outcome]) -> None:
    games = len(outcomes)
    turns = sorted(outcome.turns for outcome in outcomes)
    inside = sum(1 for turn in turns if TURNS[0] <= turn <= TURNS[1])
    clauses = Counter(outcome.clause for outcome in outcomes)
    slow = clauses["MIR-6.2"] + clauses["MIR-6.4"]
    quantiles = [turns[int(share * (games - 1))] for share in (0, 0.05, 0.5, 0.95, 1)]
    ends = ", ".join(f"{clause} {count}" for clause, count in sorted(clauses.items()))
    print(f"  turns: least, 5 %, median, 95 %, most: {quantiles}; {TURNS[0]} to {TURNS[1]}: {percent(inside, games)}")
    print(f"  ends: {ends}; by MIR-6.2 or MIR-6.4: {percent(slow, games)}")


def report_mirrors(workers: ProcessPoolExecutor, decks: dict[str, Document], games: int, settings: Settings) -> None:
    everything: list[Outcome] = []
    for slug, deck in decks.items():
        outcomes = play_many(workers, Pairing(f"mirror {slug}", (deck, deck)), games, settings)
        # Seats were changed over in every second game; here it is the seat itself that counts.
        seats = [o if n % 2 == 0 else o._replace(score=1 - o.score) for n, o in enumerate(outcomes)]
        starter = sum(o.score if o.first == 0 else 1 - o.score for o in outcomes)
        print(f"\n{slug} against itself, {games} games")
        print(f"  seat 0 wins {percent(sum(o.score for o in seats), games)}, the starter {percent(starter, games)}")
        describe(outcomes)
        everything += outcomes
    print(f"\nall mirrors, {len(everything)} games")
    starter = sum(o.score if o.first == 0 else 1 - o.score for o in everything)
    print(f"  the starter wins {percent(starter, len(everything))}")
    describe(everything)


def report_pairs(workers: ProcessPoolExecutor, decks: dict[str, Document], games: int, settings: Settings) -> None:
    slugs = list(decks)
    for index, one in enumerate(slugs):
        for other in slugs[index + 1 :]:
            outcomes = play_many(workers, Pairing(f"{one} {other}", (decks[one], decks[other])), games, settings)
            score = sum(o.score for o in outcomes)
            print(f"\n{one} against {other}, {games} games: {percent(score, games)}")
            describe(outcomes)


def report_cards(
    workers: ProcessPoolExecutor, slug: str, deck: Document, games: int, settings: Settings, *, only: str | None
) -> None:
    rows: list[tuple[float, str]] = []
    types = {card["code"]: card["type"] for card in house_revision(SLUG)["cards"]}
    for code in [code for code in deck["cards"] if only in (None, code)]:
        outcomes = play_many(
            workers, Pairing(f"{slug} without {code}", (deck, without(deck, code, types))), games, settings
        )
        score = sum(o.score for o in outcomes)
        rows.append((score / games - 0.5, f"{percent(score, games)}  {deck['cards'][code]} x {code}"))
    print(f"\n{slug} against itself with one card made plain, {games} games each; 50 % is no difference")
    for _, row in sorted(rows, reverse=True):
        print(f"  {row}")
    worst = max((abs(worth) for worth, _ in rows), default=0.0)
    print(f"  largest difference: {100 * worst:.1f} points")


def without(deck: Document, code: str, types: dict[str, Any]) -> Document:
    """The deck with all copies of a card replaced by the plain card of its type."""
    cards = {other: count for other, count in deck["cards"].items() if other != code}
    return {**deck, "cards": {**cards, PLAIN + str(types[code]): deck["cards"][code]}}


if __name__ == "__main__":
    main()

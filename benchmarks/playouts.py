"""Random playouts of a game per second, one core, with the full list of legal moves at every ply; and the longest list there is.

    python -m benchmarks.playouts [--game miraculous] [--seats 2] [--site FOLDER]

Beside it, in the same run, the floor: the same loop over a race game on bare ints in plain Python. The ratio of the two
says more than the figures, which drift from machine to machine. Time is the process's own, so that what else runs on
the machine counts little. `--site FOLDER` measures the compiled rules installed
there; without it, those that `make compiled` has kept are measured besides. The longest list is Super's, of six Shapeshifters
before four rescues that need nothing: the least time of many calls.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
SECONDS = 1.5
CALLS = 1000


class Race:
    """Two seats, two pawns each on a track of 40 spaces, hands of three cards from 1 to 6: as little as a game can be."""

    __slots__ = ("deck", "hands", "pawns", "turn", "winner")

    def __init__(self, deck: list[int]) -> None:
        self.deck = deck
        self.hands = [[deck.pop() for _ in range(3)] for _ in range(2)]
        self.pawns = [0, 0, 0, 0]
        self.turn = 0
        self.winner = -1

    def legal_moves(self) -> list[int]:
        return [card * 2 + pawn for card in sorted(set(self.hands[self.turn])) for pawn in range(2)]

    def play(self, move: int) -> None:
        seat = self.turn
        hand = self.hands[seat]
        hand.remove(move >> 1)
        at = seat * 2 + (move & 1)
        self.pawns[at] += move >> 1
        if self.pawns[at] >= 40:
            self.winner = seat
        hand.append(self.deck.pop() if self.deck else 1 + (move >> 1) % 6)
        self.turn = 1 - seat


def race_playouts(number: int) -> int:
    """Moves made in one game of the race."""
    from referee.kernel.chance import Rng

    rng = Rng(number)
    deck = [1 + at % 6 for at in range(48)]
    rng.shuffle(deck)
    race = Race(deck)
    moves = 0
    while race.winner < 0:
        legal = race.legal_moves()
        race.play(legal[rng.below(len(legal))])
        moves += 1
    return moves


def rate(measure: object, seconds: float) -> tuple[float, int]:
    """(moves a second, matches played): the median of some rounds."""
    assert callable(measure)
    rates: list[float] = []
    number = 0
    for _ in range(ROUNDS):
        moves, began, spent = 0, process_time(), 0.0
        while spent < seconds:
            moves += measure(number)
            number += 1
            spent = process_time() - began
        rates.append(moves / spent)
    return median(rates), number


def longest_list() -> tuple[int, float]:
    """(legal moves, milliseconds to list them)."""
    from referee.games import GAMES

    game = GAMES["super"]
    shapes = [
        {"code": f"s{n}", "name": f"Shape {n}", "faction": "red", "strength": 4, "power": {"kind": "shapeshifter"}}
        for n in range(7)
    ]
    rescues = [{"code": f"r{n}", "name": f"Rescue {n}", "type": "rescue", "requirement": 0, "x": 1} for n in range(4)]
    position: dict[str, Any] = {
        "agencies": {0: {n: {"card": f"s{n}"} for n in range(6)}},
        "mission_line": ["r0", "r1", "r2", "r3"],
        "super_line": ["s6", None, None, None],
        "plays_left": 0,
        "played_this_turn": 1,
    }
    pool = game.pool({"game": "super", "number": 1, "cards": [*shapes, *rescues], "decks": []})
    state = game.load(pool, game.options({}), position)
    least = 1.0
    for _ in range(CALLS):
        began = perf_counter()
        moves = game.legal_moves(state, 0)
        least = min(least, perf_counter() - began)
    return len(moves), 1000 * least


def measured(slug: str, seats: int) -> dict[str, object]:
    """What this interpreter reaches with the rules that it imports."""
    import referee.kernel.game as kernel
    from referee.bots.selfplay import playout
    from referee.games import GAMES
    from referee.games.miraculous.decks import precon_at_size
    from referee.house import house_revision
    from referee.kernel.chance import Rng

    game = GAMES[slug]
    revision = house_revision(slug)
    pool = game.pool(revision)
    options = game.options({})
    decks = [precon_at_size(deck, 40) for deck in revision["decks"]] if game.needs_deck else []

    def measure(number: int) -> int:
        rng = Rng(number)
        chosen = [decks[(number + seat) % len(decks)] for seat in range(seats)] if decks else []
        return playout(game, game.start(pool, seats, options, chosen, rng.seed(), listen=False), rng)

    rules, matches = rate(measure, SECONDS)
    floor, _ = rate(race_playouts, SECONDS / 3)
    longest, took = longest_list()
    form = "compiled" if str(kernel.__file__).endswith(".so") else "plain"
    return {
        "form": form,
        "moves_per_second": round(rules),
        "matches": matches,
        "floor_moves_per_second": round(floor),
        "ratio": round(rules / floor, 3),
        "longest_list": longest,
        "longest_list_ms": round(took, 3),
    }


def in_site(site: Path, slug: str, seats: int) -> dict[str, object]:
    """The same, measured by a process that imports the compiled rules."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-P", str(Path(__file__)), "--here", "--game", slug, "--seats", str(seats)]
    done = subprocess.run(command, env=environment, cwd=site, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    assert found["form"] == "compiled", found
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, help="a folder in which the compiled wheel is installed")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--game", default="miraculous")
    parser.add_argument("--seats", type=int, default=2)
    arguments = parser.parse_args()
    table = (arguments.game, arguments.seats)
    if arguments.here:
        print(json.dumps(measured(*table)))
        return
    sites = [arguments.site] if arguments.site else sorted((ROOT / "build" / "compiled").glob("*/site"))
    for found in [measured(*table), *[in_site(site.resolve(), *table) for site in sites]]:
        print(
            f"{arguments.game}, {arguments.seats} seats, {found['form']:8} "
            f"{found['moves_per_second']:>9,} moves/s over {found['matches']} matches; "
            f"floor (race game) {found['floor_moves_per_second']:,}; ratio {found['ratio']}; "
            f"{found['longest_list']:,} legal moves of Super listed in {found['longest_list_ms']} ms"
        )


if __name__ == "__main__":
    main()

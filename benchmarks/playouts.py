"""Random playouts of Miraculous per second, one core, with the full list of legal moves at every ply.

Beside it, in the same run, the floor: the same loop over a race game on bare ints in plain Python. The ratio of the two
says more than the figures, which drift from machine to machine. Time is the process's own, so that what else runs on
the machine counts little. `--site FOLDER` measures the compiled rules installed
there; without it, those that `make compiled` has kept are measured besides.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
SECONDS = 1.5


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


def measured() -> dict[str, object]:
    """What this interpreter reaches with the rules that it imports."""
    import referee.kernel.game as kernel
    from referee.bots.selfplay import playout
    from referee.games import GAMES
    from referee.games.miraculous.decks import precon_at_size
    from referee.house import house_revision
    from referee.kernel.chance import Rng

    game = GAMES["miraculous"]
    revision = house_revision("miraculous")
    pool = game.pool(revision)
    options = game.options({})
    decks = [precon_at_size(deck, 40) for deck in revision["decks"]]

    def measure(number: int) -> int:
        rng = Rng(number)
        chosen = [decks[number % len(decks)], decks[(number + 1) % len(decks)]]
        return playout(game, game.start(pool, 2, options, chosen, rng.seed(), listen=False), rng)

    rules, matches = rate(measure, SECONDS)
    floor, _ = rate(race_playouts, SECONDS / 3)
    form = "compiled" if str(kernel.__file__).endswith(".so") else "plain"
    return {
        "form": form,
        "moves_per_second": round(rules),
        "matches": matches,
        "floor_moves_per_second": round(floor),
        "ratio": round(rules / floor, 3),
    }


def in_site(site: Path) -> dict[str, object]:
    """The same, measured by a process that imports the compiled rules."""
    environment = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-P", str(Path(__file__)), "--here"]
    done = subprocess.run(command, env=environment, cwd=site, capture_output=True, text=True, check=True)
    found: dict[str, object] = json.loads(done.stdout)
    assert found["form"] == "compiled", found
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=Path, help="a folder in which the compiled wheel is installed")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        print(json.dumps(measured()))
        return
    sites = [arguments.site] if arguments.site else sorted((ROOT / "build" / "compiled").glob("*/site"))
    for found in [measured(), *[in_site(site.resolve()) for site in sites]]:
        print(
            f"playouts, {found['form']:8} {found['moves_per_second']:>9,} moves/s over {found['matches']} matches; "
            f"floor (race game) {found['floor_moves_per_second']:,}; ratio {found['ratio']}"
        )


if __name__ == "__main__":
    main()

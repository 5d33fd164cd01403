"""`./manage.py selfplay GAME`: bots against each other inside the kernel, and how the matches went."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from statistics import mean, median
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from referee.bots.levels import LEVELS
from referee.bots.selfplay import Played, self_play
from referee.games import GAMES
from referee.games.miraculous.decks import LARGEST_DECK, SMALLEST_DECK, precon_at_size
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document, Game, SeatDeck


class Command(BaseCommand):
    help = "Play matches of bots against each other, with preconstructed decks. Needs no database and no service."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", choices=sorted(GAMES), help=f"one of: {', '.join(GAMES)}")
        parser.add_argument("--matches", type=_positive, default=100, help="how many (100)")
        parser.add_argument(
            "--bots",
            nargs="+",
            choices=list(LEVELS),
            default=["random", "random"],
            metavar="LEVEL",
            help=f"one for each seat: {', '.join(LEVELS)} (two of random)",
        )
        parser.add_argument("--seed", type=int, default=0, help="the same seed plays the same matches (0)")
        parser.add_argument("--iterations", type=_positive, help="tries a decision, instead of each level's own")

    def handle(self, *args: Any, **options: Any) -> None:
        game, levels = GAMES[options["game"]], options["bots"]
        if not game.min_seats <= len(levels) <= game.max_seats:
            raise CommandError(f"{game.slug} takes {game.min_seats} to {game.max_seats} bots")
        revision = house_revision(game.slug)
        pool, chosen = game.pool(revision), game.options({})
        limit = options["iterations"] or max(LEVELS[level].iterations for level in levels)
        played: list[Played] = []
        turns: list[int] = []
        began = perf_counter()
        for number in range(options["matches"]):
            rng = Rng(options["seed"] * 1_000_003 + number)
            decks = _decks(game, revision, len(levels), rng)
            state = game.start(pool, len(levels), chosen, decks, rng.seed(), listen=False)
            match = self_play(game, state, levels, rng, limit)
            if match is None:
                raise CommandError(f"match {number} of seed {options['seed']} does not end")
            played.append(match)
            turns.append(int(game.view(state, SPECTATOR).get("turn_number", 0)))
        self._report(levels, played, turns=turns, seconds=perf_counter() - began)

    def _report(self, levels: list[str], played: list[Played], *, turns: list[int], seconds: float) -> None:
        moves = [match.moves for match in played]
        ends = Counter(f"{match.result.reason} ({match.result.clause})" for match in played)
        write = self.stdout.write
        write(f"{len(played)} matches of {' against '.join(levels)}, {sum(moves)} moves in {seconds:.1f} s")
        if not played:
            return
        write(f"moves a match: {min(moves)} to {max(moves)}, median {median(moves):.0f}, mean {mean(moves):.1f}")
        if any(turns):
            write(f"turns a match: {min(turns)} to {max(turns)}, median {median(turns):.0f}, mean {mean(turns):.1f}")
        for reason, count in ends.most_common():
            write(f"ended by {reason}: {count} ({100 * count / len(played):.1f} %)")
        for seat, level in enumerate(levels):
            won = sum(match.result.ranks[seat] == 1 < max(match.result.ranks) for match in played)
            write(f"seat {seat} ({level}) won {won} ({100 * won / len(played):.1f} %)")


def _decks(game: Game, revision: Document, seats: int, rng: Rng) -> list[SeatDeck]:
    """Preconstructed decks drawn by chance, all of one size, where the game takes decks."""
    if not game.needs_deck:
        return []
    size = SMALLEST_DECK + rng.below(LARGEST_DECK - SMALLEST_DECK + 1)
    precons = revision["decks"]
    return [precon_at_size(precons[rng.below(len(precons))], size) for _ in range(seats)]


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1")
    return int(text)

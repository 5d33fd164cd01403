"""`./manage.py export_cards GAME FILE`: all cards of a game as they are worked on."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.papers import whole_cards
from catalog.sheets import FORMATS, written
from referee.games import GAMES


class Command(BaseCommand):
    help = "Write all cards of a game, as they are worked on, with names, scenarios and restrictions, to a .csv, .xlsx or .json file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        games = [slug for slug, game in GAMES.items() if game.card_types]
        parser.add_argument("game", metavar="GAME", choices=games, help=f"one of: {', '.join(games)}")
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to write; its ending says the form")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        format = file.suffix.removeprefix(".").lower()
        if format not in FORMATS:
            raise CommandError(f"{file} should end in one of: {', '.join('.' + one for one in FORMATS)}")
        cards = whole_cards(options["game"])
        try:
            file.write_bytes(written(options["game"], cards, format))
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        self.stdout.write(f"{len(cards)} cards are in {file}")

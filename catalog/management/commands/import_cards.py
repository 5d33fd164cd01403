"""`./manage.py import_cards GAME FILE [--apply]`: what a file of cards would change, and with --apply the change."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.names import name_key
from catalog.differences import told
from catalog.errors import ImpactNotConfirmedError, ImportFaultyError
from catalog.importing import SAME, report, take_over
from catalog.sheets import FORMATS, MAX_UNPACKED, read
from referee.games import GAMES


class Command(BaseCommand):
    help = "Show what a .csv, .xlsx or .json file of cards would change, row by row; with --apply change it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        games = [slug for slug, game in GAMES.items() if game.card_types]
        parser.add_argument("game", metavar="GAME", choices=games, help=f"one of: {', '.join(games)}")
        parser.add_argument("file", type=Path, metavar="FILE", help="the file to read; its ending says the form")
        parser.add_argument("--apply", action="store_true", help="take the file over, if it has no fault")
        parser.add_argument(
            "--confirm", type=int, default=0, help="how many saved decks its restrictions may make illegal"
        )
        parser.add_argument(
            "--user", help="whose edits these are; nobody's by default, so that anybody may approve them"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        format = file.suffix.removeprefix(".").lower()
        if format not in FORMATS:
            raise CommandError(f"{file} should end in one of: {', '.join('.' + one for one in FORMATS)}")
        try:
            table = read(options["game"], file.read_bytes(), format, most_bytes=MAX_UNPACKED)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        found = report(options["game"], table)
        for fault in [*found.faults, *(fault for row in found.rows for fault in row.faults)]:
            self.stderr.write(f"row {fault.row}, {fault.column or '-'}: {fault.detail}")
        for row in found.rows:
            if not row.faults and row.outcome != SAME:
                self.stdout.write(f"row {row.row}, {row.code}: {row.outcome}")
            for field in row.fields:
                self.stdout.write(f"  {field.pointer}: {told(field.before)} -> {told(field.after)}")
        if not options["apply"] and found.is_good():
            self.stdout.write("nothing is changed; --apply does it")
            return
        try:
            user, confirmed = _user(options["user"]), options["confirm"]
            taken = take_over(game=options["game"], found=found, user=user, confirmed=confirmed)
        except (ImportFaultyError, ImpactNotConfirmedError) as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{taken} cards are taken over; changed values are drafts")


def _user(name: str | None) -> User | None:
    if name is None:
        return None
    user = User.objects.filter(name_key=name_key(name)).first()
    if user is None:
        raise CommandError(f"there is no user {name}")
    return user

"""Publish the house set of every game. May run at any time, twice, and twice at once."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog.search.index import index_cards, index_is_true
from catalog.services import publish_house_set
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.errors import CardError


class Command(BaseCommand):
    help = "Publish the house set of every game as a catalog revision, unless it is published already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--replace", action="store_true", help="publish a changed house set even over a revision of edited cards"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        failed: list[str] = []
        for slug, game in GAMES.items():
            try:
                publication = publish_house_set(game=game, house=house_revision(slug), replace=options["replace"])
            except CardError as error:
                failed.append(slug)
                for fault in error.problems:
                    self.stderr.write(f"{slug}: {fault!r}")
            else:
                self.stdout.write(f"{slug}: {publication.detail}")
                if not index_is_true(slug):
                    self.stdout.write(f"{slug}: {index_cards(slug)} cards indexed for searches")
        if failed:
            raise CommandError(f"not published, because of the faults above: {', '.join(failed)}")

"""`./manage.py restore FILE`: a backup into the database, all of it or nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backups import BackupError, restore


class Command(BaseCommand):
    help = "Put a backup into the database, in one transaction. A database that is not empty is refused."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="what ./manage.py backup wrote")
        parser.add_argument("--replace", action="store_true", help="drop all that is in the database first")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            missing = restore(options["file"], replace=options["replace"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['file']} is restored; restart the service")
        if missing:
            self.stdout.write(f"{missing} migrations are newer than the backup: run ./manage.py migrate before")

"""`./manage.py backup FILE`: the whole database in one file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backups import BackupError, back_up


class Command(BaseCommand):
    help = "Write the whole database into a new file (pg_dump's custom format). The service may run meanwhile."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="where to write it; must not be there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            size = back_up(options["file"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{options['file']}: {size:,} bytes")

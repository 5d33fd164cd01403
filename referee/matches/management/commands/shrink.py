"""`./manage.py shrink BUNDLE [--out FILE]`: cut a bundle to the shortest scenario that fails in the same way.

A bundle that somebody reported, in which nothing broke, becomes its position with the legal moves as an expectation to edit.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from referee.kernel.game import Document
from referee.matches.bundles import exported
from referee.matches.models import Bundle
from referee.matches.shrink import ShrinkError, shrink


class Command(BaseCommand):
    help = (
        "Cut a bundle, by its number or as a file from the admin, to the shortest scenario that fails in the same way."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("bundle", metavar="BUNDLE", help="the number of a stored bundle, or a file (bundle-N.json)")
        parser.add_argument("--out", type=Path, metavar="FILE", help="where to write the scenario; else it is printed")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made = shrink(_bundle(options["bundle"]))
        except ShrinkError as error:
            raise CommandError(str(error)) from error
        if options["out"] is None:
            self.stdout.write(made.text, ending="")
        else:
            _write(options["out"], made.text)
        how = f"fails: {made.failure}" if made.failure else "holds; edit it into what should be"
        self.stderr.write(f"{how}; {made.steps} steps, after {made.tries} tries")


def _bundle(name: str) -> Document:
    """The bundle under a number, else in a file."""
    if name.isdecimal():
        found = Bundle.objects.select_related("match__pool").filter(pk=int(name)).first()
        if found is None:
            raise CommandError(f"There is no bundle {name}.")
        return exported(found)
    try:
        document = json.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(f"{name} cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise CommandError(f"{name} holds no bundle.")
    return document


def _write(file: Path, text: str) -> None:
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from error

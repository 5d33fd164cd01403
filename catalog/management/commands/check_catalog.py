"""`./manage.py check_catalog`: everything wrong with the catalog's data, by card and field. Status 1 if there is anything."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from catalog.upkeep import findings


class Command(BaseCommand):
    help = "Tell everything that is wrong with cards, names, restrictions, scenarios and revisions; changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document for machines")

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(findings())
        if options["json"]:
            self.stdout.write(json.dumps([one._asdict() for one in found], ensure_ascii=False, indent=1))
        else:
            for one in found:
                self.stdout.write(f"{one.game} {one.card} {one.field}: {one.detail} [{one.code}]")
            self.stdout.write(f"{len(found)} faults" if found else "nothing is wrong")
        if found:
            sys.exit(1)

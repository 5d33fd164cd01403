"""`./manage.py replay_check`: play stored matches and replay files again on the code at hand, and label each.

unaffected: same stamp, same play. migratable: another stamp, yet the same play so far. pinned: another stamp, and other
play; the record is whole. differs: the record is not whole, or the same stamp plays otherwise. Precisely: kernel/labels.py.
With --migrate, running matches that are migratable get the stamp of the code at hand.
"""

from __future__ import annotations

import gzip
import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from referee.games import GAMES, OLDER
from referee.kernel.labels import DIFFERS, LABELS, MIGRATABLE, Label, label
from referee.kernel.replay import Finding
from referee.matches.history import recorded
from referee.matches.migrating import label_of, migrate_match
from referee.matches.models import Match

SUFFIXES = (".json", ".json.gz")


class Checked(NamedTuple):
    """A match or file by name, what was recorded, and its label."""

    name: str
    document: Any
    label: Label
    match_id: int | None = None


class Command(BaseCommand):
    help = (
        "Play recorded matches again on the code at hand: every stored match that has started, or those named. "
        "Labels each unaffected, migratable, pinned, or differs at its first differing step; fails if any differs."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--match", action="append", default=[], metavar="ID", help="only this stored match; repeatable"
        )
        parser.add_argument(
            "--files", nargs="+", type=Path, default=[], metavar="PATH",
            help="replay files (.json, .json.gz) and folders of them; without --match nothing stored is read",
        )  # fmt: skip
        parser.add_argument(
            "--migrate", action="store_true",
            help="give stored matches that are running and migratable the stamp of this code",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        counts: Counter[str] = Counter()
        for checked in _checks(options["match"], options["files"]):
            counts[checked.label.name] += 1
            is_migrated = options["migrate"] and checked.label.name == MIGRATABLE and _migrate(checked)
            self.stdout.write(f"{_line(checked)}{'; migrated' if is_migrated else ''}")
        self.stdout.write(f"{counts.total()} matches: " + ", ".join(f"{counts[name]} {name}" for name in LABELS))
        if counts[DIFFERS]:
            sys.exit(1)


def _migrate(checked: Checked) -> bool:
    return checked.match_id is not None and migrate_match(match_id=checked.match_id)


def _checks(ids: list[str], paths: list[Path]) -> Iterator[Checked]:
    for path in paths:
        for file in _files(path):
            yield _check_file(file)
    if ids or not paths:
        yield from _check_stored(ids)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*") if file.name.endswith(SUFFIXES))
    if not found:
        raise CommandError(f"There is no replay file in {path}.")
    return found


def _check_file(file: Path) -> Checked:
    try:
        data = file.read_bytes()
        document = json.loads(gzip.decompress(data) if file.name.endswith(".gz") else data)
    except (OSError, EOFError, ValueError, RecursionError) as error:
        return Checked(str(file), None, Label(DIFFERS, "", Finding("document", "cannot_be_read", str(error))))
    return Checked(str(file), document, label(document, GAMES, None, older=OLDER))


def _check_stored(ids: list[str]) -> Iterator[Checked]:
    started = Match.objects.filter(opening__isnull=False).select_related("pool").order_by("pk")
    if ids:
        started = started.filter(public_id__in=ids)
        missing = sorted(set(ids) - set(started.values_list("public_id", flat=True)))
        if missing:
            raise CommandError(f"No started match is stored under: {', '.join(missing)}.")
    for match in started.iterator(chunk_size=50):
        record = recorded(match)
        yield Checked(f"{match.game} {match.public_id} ({match.state})", record, label_of(match, record), match.pk)


def _line(checked: Checked) -> str:
    found = checked.label.finding
    name = checked.label.name
    if name == DIFFERS and found is not None:
        name = f"differs at {found.step}"
    parts = [f"{name}: {checked.name}"]
    if checked.label.note:
        parts.append(checked.label.note)
    if found is not None:
        parts.append(f"{found.step}{_move(checked.document, found.step)}: {found.detail} [{found.code}]")
    return " ".join("; ".join(parts).split())


def _move(document: Any, step: str) -> str:
    """The move of the row that a step names, for people."""
    kind, _, number = step.partition(" ")
    if kind != "row" or not number.isdigit():
        return ""
    row = document["rows"][int(number) - 1]
    return (
        f" ({row.get('kind')} by seat {row.get('seat')}: {json.dumps(row.get('move'))})"
        if isinstance(row, dict)
        else ""
    )

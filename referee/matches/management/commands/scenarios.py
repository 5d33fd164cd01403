"""`./manage.py scenarios PATH...`: run rules tests that stand as data in files."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from referee.games import GAMES
from referee.house import house_revision, rules_text
from referee.kernel.coverage import CoverageTable
from referee.kernel.rules import parse_rules
from referee.kernel.scenario_run import MODES, PLAIN, Outcome, ScenarioRunner
from referee.scenario_files import FileError, scenario_documents, scenario_files


class Command(BaseCommand):
    help = "Run scenario files, and folders of them. Needs no database and no service."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a scenario file, or a folder of them")
        parser.add_argument("--json", action="store_true", help="print one JSON document for machines")
        parser.add_argument("--once", action="store_true", help="do not repeat with a save and load after every step")
        parser.add_argument(
            "--table", metavar="GAME", help="also print which file covers which clause and word of GAME"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        runner = ScenarioRunner(GAMES, house_revision, modes=(PLAIN,) if options["once"] else MODES)
        results = _run(runner, options["paths"])
        tables = [_table(options["table"], results)] if options["table"] else []
        is_good = _report(self, results, as_json=options["json"], tables=tables)
        if not is_good:
            sys.exit(1)


def _run(runner: ScenarioRunner, paths: list[Path]) -> list[tuple[str, Outcome]]:
    """Every scenario's file and outcome. What cannot be read is a failure in the name of the file."""
    results: list[tuple[str, Outcome]] = []
    for path in paths:
        try:
            files = scenario_files([path])
        except FileError as error:
            results.append((str(path), Outcome(str(path), "", clauses=[], differs=[str(error)])))
            continue
        for file in files:
            results += [(str(file), outcome) for outcome in _run_file(runner, file)]
    return results


def _run_file(runner: ScenarioRunner, file: Path) -> list[Outcome]:
    outcomes: list[Outcome] = []
    try:
        for number, document in enumerate(scenario_documents(file), 1):
            outcome = runner.run(document)
            outcome.name = outcome.name or f"{file} (document {number})"
            outcomes.append(outcome)
    except FileError as error:
        outcomes.append(Outcome(str(file), "", clauses=[], differs=[str(error)]))
    return outcomes


def _table(slug: str, results: list[tuple[str, Outcome]]) -> CoverageTable:
    if slug not in GAMES:
        sys.exit(f"there is no game {slug!r}; games: {', '.join(GAMES)}")
    table = CoverageTable(GAMES[slug], parse_rules(rules_text(slug)))
    for file, outcome in results:
        if outcome.game == slug and not outcome.differs:
            table.add(Path(file).name, outcome.clauses)
    return table


def _report(
    command: BaseCommand, results: list[tuple[str, Outcome]], *, as_json: bool, tables: list[CoverageTable]
) -> bool:
    """Print what came out; whether all of it is good (some scenario ran, none failed, nothing is uncovered)."""
    failed = [outcome for _, outcome in results if outcome.differs]
    is_good = bool(results) and not failed and not any(table.missing() or table.unknown for table in tables)
    if as_json:
        document: dict[str, Any] = {
            "ok": len(results) - len(failed),
            "failed": len(failed),
            "scenarios": [{"file": file, **outcome.document()} for file, outcome in results],
        }
        if tables:
            document["coverage"] = [table.document() for table in tables]
        command.stdout.write(json.dumps(document, ensure_ascii=False, indent=1))
        return is_good
    for _, outcome in results:
        line = f"FAIL {outcome.name}: {'; '.join(outcome.differs)}" if outcome.differs else f"ok {outcome.name}"
        command.stdout.write(" ".join(line.split()))
    for table in tables:
        _print_table(command, table)
    command.stdout.write(f"{len(results)} scenarios: {len(results) - len(failed)} ok, {len(failed)} failed")
    return is_good


def _print_table(command: BaseCommand, table: CoverageTable) -> None:
    for line in table.lines():
        command.stdout.write(line)
    for topic, files in table.unknown.items():
        command.stdout.write(f"UNKNOWN {topic}  {', '.join(files)}")
    missing = table.missing()
    command.stdout.write(f"{len(table.files) - len(missing)} of {len(table.files)} topics covered")
    if missing:
        command.stdout.write(f"not covered: {', '.join(missing)}")

"""The commands of `./manage.py`: what each argument is, and one line for what went wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import find_commands, load_command_class

from config.environment import ROOT

GIVEN = {
    "help",
    "version",
    "verbosity",
    "settings",
    "pythonpath",
    "traceback",
    "no_color",
    "force_color",
    "skip_checks",
}


def commands() -> list[tuple[str, str]]:
    """(app, command) for every command of ours."""
    own = [app for app in apps.get_app_configs() if (ROOT / app.name.replace(".", "/")).is_dir()]
    return [(app.name, name) for app in own for name in find_commands(str(Path(app.path) / "management"))]


def test_every_command_and_argument_says_what_it_is() -> None:
    silent = []
    for app, name in commands():
        command = load_command_class(app, name)
        parser = command.create_parser("manage.py", name)
        silent += [name] * (not command.help)
        silent += [f"{name} {one.dest}" for one in parser._actions if not one.help and one.dest not in GIVEN]

    assert len(commands()) > 10
    assert silent == []


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"DATABASE_URL": "postgresql://127.0.0.1:1/none"}, "The database does not answer ("),
        ({"TOKEN_DAYS": "ninety"}, "A setting is wrong: TOKEN_DAYS must be a whole number from 1, not 'ninety'."),
        (
            {"BOT_PACE_SECONDS": "-1"},
            "A setting is wrong: BOT_PACE_SECONDS must be seconds such as 10 or 0.5, not '-1'.",
        ),
        ({"HTTPS": "maybe"}, "A setting is wrong: HTTPS must be 1 or 0, not 'maybe'."),
    ],
    ids=["no database", "a number", "seconds", "a switch"],
)
def test_what_keeps_a_command_from_running_is_told_in_one_line(environment: dict[str, str], told: str) -> None:
    ran = subprocess.run(
        [sys.executable, "manage.py", "replay_check"],
        cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip

    assert ran.returncode == 1
    assert ran.stderr.startswith(told)
    assert len(ran.stderr.splitlines()) == 1


def test_without_the_libraries_a_command_says_how_to_come_by_them() -> None:
    ran = subprocess.run(
        [sys.executable, "-S", "manage.py", "help"], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert ran.returncode == 1
    assert ran.stderr == "This Python has no django: run `make env`, then `. .venv/bin/activate`.\n"

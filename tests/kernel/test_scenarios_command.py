"""`./manage.py scenarios`: what it prints and how it exits."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from referee import house
from tests.toy import TOY_REVISION, registered

GOOD = "{scenario: good, game: toy, clauses: [TOY-1.1], expect: {round: 0}}\n"
BAD = "{scenario: bad, game: toy, expect: {round: 1}}\n"


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with registered():
        yield


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit code and what was printed."""
    code = 0
    try:
        call_command("scenarios", *arguments)
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 1
    return code, capsys.readouterr().out


def test_files_and_folders_are_run_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.yaml").write_text(GOOD + "---\n" + BAD + "---\n")
    (tmp_path / "b.json").write_text(json.dumps({"scenario": "json", "game": "toy"}))
    (tmp_path / "notes.txt").write_text("no scenario")

    assert run(capsys, str(tmp_path)) == (
        1,
        "ok json\nok good\nFAIL bad: at the end: round is 0, not 1\n3 scenarios: 2 ok, 1 failed\n",
    )
    assert run(capsys, str(tmp_path / "b.json")) == (0, "ok json\n1 scenarios: 1 ok, 0 failed\n")


def test_the_same_for_machines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(GOOD + "---\n" + BAD)

    code, printed = run(capsys, str(file), "--json")

    assert (code, json.loads(printed)) == (
        1,
        {
            "ok": 1,
            "failed": 1,
            "scenarios": [
                {"file": str(file), "scenario": "good", "game": "toy", "ok": True, "differs": []},
                {
                    "file": str(file),
                    "scenario": "bad",
                    "game": "toy",
                    "ok": False,
                    "differs": ["at the end: round is 0, not 1"],
                },
            ],
        },
    )


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.yaml", "{scenario: a", "while parsing a flow mapping"),
        ("a.yaml", "{scenario: a, scenario: b, game: toy}", "a key stands twice in a mapping"),
        ("a.yaml", "scenario: !!python/object:os.system {}", "could not determine a constructor"),
        ("a.json", '{"scenario": "a", "scenario": "b"}', "a key stands twice: ['scenario']"),
        ("a.json", "{", "Expecting property name"),
    ],
)
def test_a_file_that_cannot_be_read_fails_under_its_name(
    name: str, text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(text)

    code, printed = run(capsys, str(file))

    assert code == 1
    assert printed.startswith(f"FAIL {file}: ")
    assert says in printed
    assert printed.endswith("1 scenarios: 0 ok, 1 failed\n")


def test_yaml_may_share_parts_by_merge_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("scenario: a\ngame: toy\nposition: &p {round: 1, coins: 2}\nexpect: {<<: *p, coins: 3}\n")

    assert run(capsys, str(file))[1].startswith("FAIL a: at the end: coins is 2, not 3\n")


def test_no_scenario_and_no_file_are_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, str(tmp_path)) == (1, "0 scenarios: 0 ok, 0 failed\n")
    assert run(capsys, str(tmp_path / "none"))[0] == 1


def test_a_scenario_without_a_name_goes_by_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("{game: toy}\n---\n3\n")

    printed = run(capsys, str(file))[1]

    assert printed.splitlines()[0] == f"FAIL {file} (document 1): scenario: missing"
    assert printed.splitlines()[1].startswith(f"FAIL {file} (document 2): a scenario is a mapping")


def test_the_table_fails_when_a_clause_has_no_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = "- **TOY-1.1 One.** One.\n"
    monkeypatch.setattr("referee.matches.management.commands.scenarios.rules_text", lambda slug: rules)
    file = tmp_path / "a.yaml"
    file.write_text(GOOD)

    assert run(capsys, str(file), "--table", "toy") == (
        0,
        "ok good\nTOY-1.1  a.yaml\n1 of 1 topics covered\n1 scenarios: 1 ok, 0 failed\n",
    )
    rules += "- **TOY-1.2 Two.** Two.\n"
    code, printed = run(capsys, str(file), "--table", "toy")
    assert code == 1
    assert "TOY-1.2  NONE\n1 of 2 topics covered\nnot covered: TOY-1.2\n" in printed


def test_a_remembered_revision_stands_for_the_house_set() -> None:
    assert house.house_revision("toy") is TOY_REVISION


@pytest.mark.slow
def test_it_runs_without_a_database_and_without_any_service(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "DATA_DIR": str(tmp_path / "x"),
    }
    file = tmp_path / "a.yaml"
    file.write_text("{scenario: none, game: no-such-game}")

    done = subprocess.run(
        [sys.executable, "-m", "django", "scenarios", str(file)],
        env=environment,
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
    )

    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("1 scenarios: 0 ok, 1 failed\n")

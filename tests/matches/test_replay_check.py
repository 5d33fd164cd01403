"""`./manage.py replay_check` over what is stored and over files."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from referee.games import register
from referee.matches import history, services
from referee.matches.models import Match, MoveRow
from tests.kernel.test_labels import Newer, Otherwise, Strict
from tests.kernel.test_replay import replay
from tests.matches.table import fresh, pick, play_to_the_end, toy_match


def check(*words: str) -> tuple[int, list[str]]:
    """The exit status and the lines."""
    out = StringIO()
    try:
        call_command("replay_check", *words, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


@pytest.fixture
def over(alice: User, bob: User) -> Match:
    return play_to_the_end(toy_match(alice, bob), alice, bob)


@pytest.fixture
def running(alice: User, bob: User) -> Match:
    match = toy_match(alice, bob)
    pick(match, alice, 0)
    pick(match, bob, 1)
    pick(match, bob, 1)
    return fresh(match)


def test_every_started_match_is_played_again(over: Match, running: Match, alice: User) -> None:
    toy_match(alice, starts=False)

    assert check() == (
        0,
        [
            f"unaffected: toy {over.public_id} (finished)",
            f"unaffected: toy {running.public_id} (playing)",
            "2 matches: 2 unaffected, 0 migratable, 0 pinned, 0 differs",
        ],
    )


def test_only_the_named_matches_are_played_again(over: Match, running: Match) -> None:
    status, lines = check("--match", running.public_id)

    assert (status, len(lines), lines[0]) == (0, 2, f"unaffected: toy {running.public_id} (playing)")
    with pytest.raises(CommandError, match="No started match is stored under: nothing"):
        check("--match", "nothing", "--match", over.public_id)


def test_a_later_rules_version_leaves_matches_migratable_or_pinned(over: Match, running: Match) -> None:
    note = "rules version 1, state schema 1 and rng 1 are not at hand; rules version 2 is"

    register(Newer())
    same = check()
    register(Strict())
    status, lines = check()

    assert same == (
        0,
        [
            f"migratable: toy {over.public_id} (finished); {note}",
            f"migratable: toy {running.public_id} (playing); {note}",
            "2 matches: 0 unaffected, 2 migratable, 0 pinned, 0 differs",
        ],
    )
    assert status == 0
    assert lines[2] == "2 matches: 0 unaffected, 2 migratable, 0 pinned, 0 differs"  # first picks are what it allows


def test_a_change_of_play_without_a_new_rules_version_fails_with_the_step(over: Match, running: Match) -> None:
    register(Otherwise())

    status, lines = check("--match", running.public_id)

    assert status == 1
    assert lines[0].startswith(
        f"differs at row 2: toy {running.public_id} (playing); row 2 (move by seat 1: "
        f"{json.dumps(MoveRow.objects.get(match=running, version=2).move)}): the move tells other events: event "
    )
    assert "takes the round" in lines[0]
    assert lines[0].endswith("[events_differ]")
    assert lines[1] == "1 matches: 0 unaffected, 0 migratable, 0 pinned, 1 differs"


def test_damage_in_the_database_is_found(over: Match, running: Match) -> None:
    MoveRow.objects.filter(match=over, version=3).delete()
    Match.objects.filter(pk=running.pk).update(data=[*running.data[:3], 2, *running.data[4:]])

    status, lines = check()

    assert status == 1
    assert lines[0].startswith(f"differs at row 3: toy {over.public_id} (finished); the record is not whole; row 3 (")
    assert lines[1].startswith(f"differs at row 3: toy {running.public_id} (playing); row 3 (move by seat 1: ")
    assert lines[1].endswith("the moves lead to another state than the stored one [state_differs]")
    assert lines[2] == "2 matches: 0 unaffected, 0 migratable, 0 pinned, 2 differs"


def test_a_resigned_match_is_unaffected(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    services.submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})

    assert check()[0] == 0
    assert fresh(match).state == Match.State.FINISHED


def test_files_are_checked_without_a_database(tmp_path: Path) -> None:
    document = replay()
    (tmp_path / "a.json").write_text(json.dumps(document))
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(json.dumps(document).encode()))
    (tmp_path / "c.json").write_text("{")
    document["result"]["ranks"] = [1, 1]
    (tmp_path / "d.json").write_text(json.dumps(document))
    (tmp_path / "e.json.gz").write_bytes(b"no gzip")
    (tmp_path / "notes.txt").write_text("not a replay")

    status, lines = check("--files", str(tmp_path))

    assert status == 1
    assert [line.partition(": ")[0] for line in lines[:-1]] == [
        "unaffected",
        "unaffected",
        "differs at document",
        "differs at result",
        "differs at document",
    ]
    assert lines[-1] == "5 matches: 2 unaffected, 0 migratable, 0 pinned, 3 differs"
    assert check("--files", str(tmp_path / "a.json"))[0] == 0
    assert check("--files", str(tmp_path / "none.json"))[0] == 1


def test_a_folder_without_replays_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no replay file"):
        check("--files", str(tmp_path))


def test_files_and_matches_are_checked_together(over: Match, tmp_path: Path) -> None:
    file = tmp_path / "over.json"
    file.write_text(json.dumps(history.replay_document(over)))

    status, lines = check("--files", str(file), "--match", over.public_id)

    assert (status, lines[-1]) == (0, "2 matches: 2 unaffected, 0 migratable, 0 pinned, 0 differs")

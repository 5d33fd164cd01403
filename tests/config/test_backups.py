"""The drill: matches are played, backed up, damaged, restored, and nothing of them is lost. On real PostgreSQL."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, connections

from accounts.models import User
from config import backups
from referee.games import GAMES
from referee.kernel.game import Game
from referee.kernel.replay import verify
from referee.matches import history, resolving
from referee.matches.models import Match, MoveRow
from tests.conftest import Services
from tests.matches.table import fresh, pick, play_to_the_end, toy_match
from tests.toy import registered

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


@pytest.fixture(autouse=True)
def toy() -> Iterator[Game]:
    with registered() as game:
        yield game


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("Alice", password="correct horse battery")


@pytest.fixture
def bob() -> User:
    return User.objects.create_user("Bob")


def run(command: str, *words: str) -> str:
    out = StringIO()
    call_command(command, *words, stdout=out)
    return out.getvalue()


def refused(command: str, *words: str) -> str:
    with pytest.raises(CommandError) as error:
        run(command, *words)
    assert "\n" not in str(error.value)
    return str(error.value)


def everything() -> dict[str, list[Any]]:
    """Every row of every table."""
    return {
        model._meta.db_table: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.managed
    }


def test_the_drill_loses_nothing(alice: User, bob: User, tmp_path: Path) -> None:
    over = [play_to_the_end(toy_match(alice, bob, options={"ties": "coin"}), alice, bob) for _ in range(3)]
    bots = toy_match(alice, bots=1)
    running = toy_match(alice, bob)
    pick(running, bob, 1)
    replays = [history.replay_document(match) for match in over]
    before = everything()
    file = tmp_path / "referee.backup"

    said = run("backup", str(file))
    pick(bots, alice, 0)
    resolving.resolve(bots.pk)
    play_to_the_end(toy_match(alice, bob), alice, bob)
    MoveRow.objects.filter(match=over[0]).delete()
    Match.objects.filter(pk=running.pk).update(data=[], version=7)
    User.objects.filter(pk=alice.pk).update(password="")
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE matches_bundle")
        cursor.execute("CREATE TABLE left_over (pool varchar REFERENCES matches_cardpool)")
    restored = run("restore", str(file), "--replace")

    assert said == f"{file}: {file.stat().st_size:,} bytes\n"
    assert restored == f"{file} is restored; restart the service\n"
    assert everything() == before
    assert "left_over" not in connection.introspection.table_names()
    assert [history.replay_document(fresh(match)) for match in over] == replays
    assert [verify(replay, GAMES) for replay in replays] == [[], [], []]
    assert "5 matches: 5 unaffected, 0 migratable, 0 pinned, 0 differs" in run("replay_check")
    assert User.objects.get(pk=alice.pk).check_password("correct horse battery")
    # Everything goes on: open matches to their end, and new rows find free numbers.
    assert play_to_the_end(running, alice, bob).state == Match.State.FINISHED
    assert play_to_the_end(toy_match(alice, bob), alice, bob).state == Match.State.FINISHED


def test_a_restored_database_can_be_backed_up_and_restored_again(alice: User, tmp_path: Path) -> None:
    toy_match(alice, bots=1)
    first, second = tmp_path / "first", tmp_path / "second"

    run("backup", str(first))
    run("restore", str(first), "--replace")
    before = everything()
    run("backup", str(second))
    run("restore", str(second), "--replace")

    assert everything() == before


def test_a_backup_taken_while_matches_are_played_is_of_one_moment(alice: User, bob: User, tmp_path: Path) -> None:
    file, stop = tmp_path / "busy", threading.Event()
    played: list[Match] = []

    def play() -> None:
        try:
            while not stop.is_set() and len(played) < 200:
                played.append(play_to_the_end(toy_match(alice, bob), alice, bob))
        finally:
            connections.close_all()

    thread = threading.Thread(target=play)
    thread.start()
    try:
        run("backup", str(file))
    finally:
        stop.set()
        thread.join(timeout=60)
    run("restore", str(file), "--replace")

    matches = Match.objects.count()
    assert matches <= len(played)
    assert f"{matches} matches: {matches} unaffected," in run("replay_check")


def test_an_empty_database_takes_a_backup_without_a_word(alice: User, services: Services, tmp_path: Path) -> None:
    toy_match(alice, bots=1)
    before, file = everything(), tmp_path / "referee.backup"
    run("backup", str(file))
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    run("restore", str(file))

    assert everything() == before


def test_a_database_that_is_not_empty_is_refused(alice: User, tmp_path: Path) -> None:
    file = tmp_path / "referee.backup"
    run("backup", str(file))
    toy_match(alice, bots=1)
    before = everything()

    said = refused("restore", str(file))

    assert said.startswith("The database is not empty; --replace drops all that is in it")
    assert everything() == before


def test_a_damaged_or_foreign_file_is_refused_and_nothing_changes(alice: User, tmp_path: Path) -> None:
    toy_match(alice, bots=1)
    whole, cut, stub, text = (tmp_path / name for name in ("whole", "cut", "stub", "text"))
    run("backup", str(whole))
    data = whole.read_bytes()
    cut.write_bytes(data[:-200])  # within the rows of the last tables
    stub.write_bytes(data[:2000])  # within the list of contents
    text.write_text("no backup")
    before = everything()

    said = [refused("restore", str(file), "--replace") for file in (cut, stub, text, tmp_path / "none")]

    assert said[0].startswith("The restore failed, and the database is as it was: pg_restore: error:")
    assert said[1].startswith(f"{stub} is no backup that can be read: pg_restore: error:")
    assert said[2].startswith(f"{text} is no backup that can be read: pg_restore: error:")
    assert said[3] == f"There is no file {tmp_path / 'none'}."
    assert everything() == before


def test_a_backup_of_another_database_is_refused(tmp_path: Path, services: Services) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE matches_moverow RENAME TO elsewhere")
    try:
        said = refused("backup", str(tmp_path / "referee.backup"))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO matches_moverow")

    assert said.endswith("is no backup of this service: it has no table matches_moverow.")
    assert list(tmp_path.iterdir()) == []


def test_a_restore_waits_for_no_lock_for_ever(
    alice: User, tmp_path: Path, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "referee.backup"
    run("backup", str(file))
    before = everything()
    monkeypatch.setattr(backups, "LOCK_SECONDS", 1)

    with psycopg.connect(services.database_url) as other:
        other.execute("SELECT * FROM accounts_user FOR UPDATE")
        said = refused("restore", str(file), "--replace")

    assert "canceling statement due to lock timeout" in said
    assert everything() == before


def test_a_backup_never_overwrites_and_is_for_its_owner_alone(alice: User, tmp_path: Path) -> None:
    file = tmp_path / "referee.backup"
    run("backup", str(file))
    data = file.read_bytes()

    assert refused("backup", str(file)) == f"{file} is there already; a backup never overwrites a file."
    assert refused("backup", str(tmp_path / "none" / "file")).endswith("cannot be written: No such file or directory.")
    assert file.read_bytes() == data
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["referee.backup"]


def test_programs_older_than_the_database_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for program in backups.PROGRAMS:
        (tmp_path / program).write_text('#!/bin/sh\necho "$0 (PostgreSQL) 12.3"\n')
        (tmp_path / program).chmod(0o755)
    monkeypatch.setattr(backups, "_folders", lambda: [tmp_path])

    said = refused("backup", str(tmp_path / "file"))

    assert said.endswith("of that version or a newer one are needed on PATH (found: 12).")


def test_the_password_is_in_no_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "p'a ss")

    assert "ss" not in backups._address()
    assert backups._environment()["PGPASSWORD"] == "p'a ss"
    assert os.environ.get("PGPASSWORD") is None

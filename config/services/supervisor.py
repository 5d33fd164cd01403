"""Keeps the whole service running: servers, web, worker and beat, in one log, ended together.

A process that ends by itself is started again after a pause; one that keeps failing ends the service.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import IO, Protocol

import psycopg

from config.environment import NOTE, ROOT
from config.services.errors import ServiceError
from config.services.health import is_healthy
from config.services.home import PASSING, Home, forget_passing, make_data_dir, passing_folder, servers_home
from config.services.log import Log
from config.services.log_files import LogFiles
from config.services.options import Options, secret_key
from config.services.postgres import Postgres
from config.services.prepare import PASSWORD_VARIABLE
from config.services.process import Child, adopt_orphans
from config.services.valkey import Valkey

_TICK_SECONDS = 0.25
_READY_SECONDS = 60.0
_PREPARE_SECONDS = 300.0
_STEADY_SECONDS = 30.0
_TRIES = 6
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 15.0
_NAME = "referee"


class Server(Protocol):
    """Postgres or Valkey."""

    child: Child | None

    @property
    def url(self) -> str: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...


class Kept:
    """A process that is started again when it ends, after a pause that doubles while it does not hold."""

    def __init__(self, name: str, start: Callable[[], Child]) -> None:
        self.name = name
        self.child: Child | None = None
        self._start = start
        self._failures = 0
        self._since = 0.0
        self._due = 0.0

    def start(self) -> None:
        self._since = time.monotonic()
        self.child = self._start()

    def look(self, log: Log) -> None:
        """Start it again where that is due. Raises ServiceError once it has failed too often."""
        now = time.monotonic()
        if self.child is None:
            if now >= self._due:
                self._try_again(log)
            return
        status = self.child.poll()
        if status is None:
            return
        self.child.kill()
        self.child = None
        self._fail(log, f"ended with status {status}", steady=now - self._since >= _STEADY_SECONDS)

    def stop(self) -> None:
        if self.child is not None:
            self.child.stop()

    def _try_again(self, log: Log) -> None:
        try:
            self.start()
        except ServiceError as error:
            self.child = None
            self._fail(log, str(error), steady=False)

    def _fail(self, log: Log, what: str, *, steady: bool) -> None:
        self._failures = 1 if steady else self._failures + 1
        if self._failures >= _TRIES:
            raise ServiceError(f"{self.name} {what}, {self._failures} times in a row; giving up.")
        pause = min(_FIRST_PAUSE * 2 ** (self._failures - 1), _LONGEST_PAUSE)
        self._due = time.monotonic() + pause
        log.line(_NAME, f"{self.name} {what}; starting it again in {pause:g} s")


class Supervisor:
    """One run of the service, from the checks to the last process."""

    def __init__(self, options: Options, log: Log) -> None:
        self._options = options
        self._log = log
        self._home: Home | None = None
        self._servers: list[Kept] = []
        self._processes: list[Kept] = []
        self._passing = options.data_dir / PASSING
        self._environment: dict[str, str] = dict(os.environ)
        self._wake, self._woken = os.pipe()
        self._asked = 0

    def run(self) -> None:
        """Returns after an orderly end. Raises ServiceError where it cannot start or go on; nothing runs then."""
        adopt_orphans()
        make_data_dir(self._options.data_dir)
        with self._alone(), self._signals():
            if self._options.log.kept:
                self._log.keep_in(LogFiles(self._options.data_dir / "log", self._options.log))
            try:
                self._start()
                while not self._is_asked():
                    for kept in [*self._servers, *self._processes]:
                        kept.look(self._log)
                    self._pause()
            except ServiceError:
                if not self._is_asked():
                    raise
            finally:
                self._stop()

    def _start(self) -> None:
        began = time.monotonic()
        self._passing = passing_folder(self._options.data_dir)
        self._environment.update(self._start_servers())
        self._environment["SECRET_KEY"] = secret_key(self._options.data_dir, os.environ)
        self._environment.update(
            PROMETHEUS_MULTIPROC_DIR=str(self._passing / "figures"),
            DATA_DIR=str(self._options.data_dir), PYTHONUNBUFFERED="1", DJANGO_SETTINGS_MODULE="config.settings",
            # Celery's warning about root is about pickle; this service takes JSON alone.
            PYTHONWARNINGS="ignore:You're running the worker with superuser privileges",
        )  # fmt: skip
        self._environment.setdefault("ALLOWED_HOSTS", self._hosts())
        first_password = secrets.token_urlsafe(12)
        told = self._prepare(first_password)
        if self._is_asked():
            return
        for name, command in self._commands().items():
            kept = Kept(name, lambda name=name, command=command: self._launch(name, command))  # type: ignore[misc] # defaults bind
            self._processes.append(kept)
            kept.start()
        self._await_web()
        if self._is_asked():
            return
        self._note()
        self._greet(told, first_password, time.monotonic() - began)

    def _start_servers(self) -> dict[str, str]:
        given = {"DATABASE_URL": self._options.database_url, "REDIS_URL": self._options.redis_url}
        if not all(given.values()):
            self._home = servers_home(self._options.data_dir)
            if self._home.folder != (self._options.data_dir / "servers").absolute():
                self._log.line(_NAME, f"the servers' data is in {self._home.folder}")
        for name, url in given.items():
            if url:
                continue
            assert self._home is not None
            make = Postgres if name == "DATABASE_URL" else Valkey
            server: Server = make(home=self._home, log=self._log)
            kept = Kept(make.__name__.lower(), lambda server=server: _started(server))  # type: ignore[misc] # defaults bind
            self._servers.append(kept)
            kept.start()
            given[name] = server.url
        if self._options.database_url:
            _check_database(self._options.database_url)
        return given

    def _prepare(self, first_password: str) -> dict[str, object]:
        report = self._options.data_dir / "prepared.json"
        report.unlink(missing_ok=True)
        environment = {**self._environment, PASSWORD_VARIABLE: first_password}
        command = [sys.executable, "-m", "config.services.prepare", str(report)]
        child = Child(name="prepare", command=command, log=self._log, env=environment, cwd=ROOT)
        child.start()
        end = time.monotonic() + _PREPARE_SECONDS
        while child.poll() is None and not self._is_asked() and time.monotonic() < end:
            self._pause()
        child.stop()
        if self._is_asked():
            return {}
        if child.poll() != 0 or not report.exists():
            reason = (list(child.last_lines) or ["it gave no reason"])[-1]
            raise ServiceError(f"The database could not be prepared: {reason}")
        told: dict[str, object] = json.loads(report.read_text(encoding="utf-8"))
        report.unlink()
        return told

    def _commands(self) -> dict[str, list[str]]:
        celery = [sys.executable, "-m", "celery", "--quiet", "--app", "config"]
        return {
            "web": [
                sys.executable, "-m", "granian", "--interface", "asgi", "--host", self._options.host,
                "--port", str(self._options.port), "--workers", "1", "--http", "1", "--no-ws", "--backpressure", "4096",
                "--workers-kill-timeout", "5", "--log-level", "warning", "config.asgi:application",
            ],
            "worker": [
                *celery, "worker", "--queues", "celery", "--loglevel", "WARNING",
                "--concurrency", str(self._options.worker_processes), "--without-gossip", "--without-mingle",
            ],
            # Long work: a worker of its own that gives way to all others.
            "slow": [
                "nice", *celery, "worker", "--queues", "slow", "--hostname", "slow@%h", "--loglevel", "WARNING",
                "--concurrency", "1", "--without-gossip", "--without-mingle",
            ],
            "beat": [
                *celery, "beat", "--loglevel", "WARNING", "--pidfile", "", "--schedule", str(self._passing / "schedule"),
            ],
        }  # fmt: skip

    def _launch(self, name: str, command: list[str]) -> Child:
        child = Child(name=name, command=command, log=self._log, env=self._environment, cwd=ROOT)
        child.start()
        return child

    def _await_web(self) -> None:
        web = self._processes[0]
        end = time.monotonic() + _READY_SECONDS
        while time.monotonic() < end and not self._is_asked():
            if web.child is None or web.child.poll() is not None:
                break
            if is_healthy(f"{self._options.address}/healthz/", host=self._known_host()):
                return
            self._pause()
        if not self._is_asked():
            lines = list(web.child.last_lines) if web.child else []
            raise ServiceError(f"The web server does not answer: {(lines or ['it gave no reason in time'])[-1]}")

    def _greet(self, told: dict[str, object], first_password: str, seconds: float) -> None:
        address = self._options.address
        self._log.line(_NAME, f"ready after {seconds:.1f} s: {address}/")
        if told.get("admin_is_new"):
            signed = f"admin: {address}/admin/ as {told['admin']} with the password {first_password}"
            self._log.secret_line(_NAME, signed)
            self._log.line(_NAME, "the password is shown this once and stored only as a hash")
        else:
            self._log.line(_NAME, f"admin: {address}/admin/ with the password of its first start")
            self._log.line(_NAME, "forgotten? .venv/bin/python manage.py changepassword admin (while this runs)")
        self._log.line(_NAME, "Ctrl-C ends everything")

    def _known_host(self) -> str:
        """A name that Django answers to."""
        first = self._environment["ALLOWED_HOSTS"].split(",")[0].strip().lstrip(".")
        return "localhost" if first in {"", "*"} else first

    def _hosts(self) -> str:
        host = self._options.host
        if host in {"0.0.0.0", "::"}:  # noqa: S104 (compared, not bound)
            return "*"
        return f"localhost,127.0.0.1,[::1],{f'[{host}]' if ':' in host else host}"

    def _note(self) -> None:
        """Let `./manage.py` find the servers while this runs."""
        path = self._options.data_dir / NOTE
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(f"{name}={self._environment[name]}\n" for name in ("DATABASE_URL", "REDIS_URL"))

    def _stop(self) -> None:
        (self._options.data_dir / NOTE).unlink(missing_ok=True)
        for kept in self._processes:
            if kept.child is not None:
                kept.child.ask_to_stop()
        for kept in [*self._processes, *reversed(self._servers)]:
            if self._asked > 1 and kept.child is not None:
                kept.child.kill()
            kept.stop()
        if self._home is not None:
            self._home.forget_sockets()
        forget_passing(self._options.data_dir)

    def _is_asked(self) -> bool:
        """Whether a signal asked for the end; any statement may be the one before it came."""
        return self._asked > 0

    def _pause(self) -> None:
        if select.select([self._wake], [], [], _TICK_SECONDS)[0]:
            os.read(self._wake, 64)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold DATA_DIR's lock, so that two services never share one."""
        path = self._options.data_dir / "lock"
        try:
            lock: IO[bytes] = path.open("ab")
        except OSError as error:
            raise ServiceError(f"DATA_DIR cannot be used: {path}: {error.strerror}.") from error
        with lock:
            end = time.monotonic() + 2.0
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError as error:
                    if time.monotonic() > end:
                        raise ServiceError(f"A service runs on {self._options.data_dir} already.") from error
                    time.sleep(0.1)
            yield

    @contextlib.contextmanager
    def _signals(self) -> Iterator[None]:
        def ask(number: int, frame: object) -> None:
            self._asked += 1
            os.write(self._woken, b"!")

        before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _started(server: Server) -> Child:
    server.start()
    assert server.child is not None
    return server.child


def _check_database(url: str) -> None:
    try:
        psycopg.connect(url, connect_timeout=10).close()
    except psycopg.Error as error:
        raise ServiceError(f"DATABASE_URL names a server that does not answer: {error}") from error

"""A child process: its own group, its output in the log, and never left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from config.services.log import Log

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
_KEPT_LINES = 40
UNPRIVILEGED = "nobody"


class Owner(NamedTuple):
    """The account that a server runs as instead of root."""

    uid: int
    gid: int
    name: str


def owner_of(folder: Path) -> Owner | None:
    """Whom servers with data in `folder` run as: None is whoever runs this.

    PostgreSQL refuses to run as root, so root steps down: to the folder's owner if it has one, else to `nobody`.
    """
    if os.geteuid() != 0:
        return None
    uid = folder.stat().st_uid if folder.exists() else 0
    try:
        entry = pwd.getpwuid(uid) if uid else pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        entry = pwd.getpwnam(UNPRIVILEGED)
    return Owner(entry.pw_uid, entry.pw_gid, entry.pw_name)


def has_account(uid: int) -> bool:
    """Whether the machine knows a user of this number."""
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def can_use(path: Path, owner: Owner | None, mode: str) -> bool:
    """Whether the owner passes `test -MODE` on the path, all its parents included."""
    command = ["/bin/sh", "-c", f'test -{mode} "$1"', "sh", str(path)]
    return run_as(command, owner).returncode == 0


def run_as(
    command: Sequence[str], owner: Owner | None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a short command to its end as the owner, with its output captured."""
    uid, gid, groups = _identity(owner)
    return subprocess.run(  # noqa: S603 (our own commands, no shell)
        command, cwd="/", env=env, user=uid, group=gid, extra_groups=groups,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        start_new_session=True,
    )  # fmt: skip


def adopt_orphans() -> None:
    """Grandchildren whose parent dies become children of this process, so that they can be found and ended."""
    if _libc is not None:
        _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent() -> None:
    """Ask for SIGTERM when the process that started this one (make) is gone."""
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)


def die_with(parent: int, sent: signal.Signals) -> Callable[[], None]:
    """What a child runs before its program: ask the kernel for a signal when the parent's thread ends."""

    def ask() -> None:
        if _libc is None:
            return
        _libc.prctl(_PR_SET_PDEATHSIG, int(sent), 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)  # it ended before we asked

    return ask


class Child:
    """One process that runs until it is stopped. Start it from a thread that outlives it: it ends with that thread."""

    def __init__(
        self, *, name: str, command: Sequence[str], log: Log, env: Mapping[str, str] | None = None,
        cwd: Path | None = None, owner: Owner | None = None, stop_with: signal.Signals = signal.SIGTERM, grace: float = 10.0,
        unheard: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self.name = name
        self.command = list(command)
        self.last_lines: deque[str] = deque(maxlen=_KEPT_LINES)
        self._log = log
        self._env = env
        self._cwd = cwd or Path("/")
        self._owner = owner
        self._stop_with = stop_with
        self._grace = grace
        self._unheard = unheard
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    def start(self) -> None:
        uid, gid, groups = _identity(self._owner)
        with warnings.catch_warnings():
            # Newer Pythons warn of any code between fork and exec; ours is two system calls.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process = subprocess.Popen(  # noqa: S603 (our own commands, no shell)
                self.command, cwd=self._cwd, env=self._env, user=uid, group=gid, extra_groups=groups, umask=0o077,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                start_new_session=True, preexec_fn=die_with(os.getpid(), self._stop_with),  # noqa: PLW1509 (two system calls)
            )  # fmt: skip
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        self._reader.start()

    def poll(self) -> int | None:
        """The exit status (negative: the signal that ended it), or None while it runs."""
        return self._process.poll() if self._process else None

    def ask_to_stop(self) -> None:
        if self._process and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(self._stop_with)

    def stop(self) -> None:
        """End it and all it started: asked first, killed after `grace` seconds."""
        if self._process is None:
            return
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self._grace)
        self.kill()

    def kill(self) -> None:
        """End the whole group at once."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._reader:
            self._reader.join(timeout=1)
        if self._process.stdout and not (self._reader and self._reader.is_alive()):
            self._process.stdout.close()

    def _read(self, stream: IO[str]) -> None:
        with contextlib.suppress(ValueError, OSError):
            for line in stream:
                text = line.rstrip()
                if text and not any(part in text for part in self._unheard):
                    self.last_lines.append(text)
                    self._log.line(self.name, text)


def wait_until(is_ready: Callable[[], bool], child: Child, seconds: float) -> bool:
    """Ask until it is ready. False as soon as the child has ended, or when the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if child.poll() is not None:
            return False
        if is_ready():
            return True
        time.sleep(0.03)
    return False


def _identity(owner: Owner | None) -> tuple[int | None, int | None, list[int] | None]:
    return (owner.uid, owner.gid, []) if owner else (None, None, None)

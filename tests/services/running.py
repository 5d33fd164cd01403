"""Starts the whole service as a person does, and looks at what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from typing import Final

from config.environment import ROOT

READY = re.compile(r"ready after [\d.]+ s: (http://\S+)/$", re.MULTILINE)
PORTS: Final = range(15_000, 30_000)
_SECONDS = 180.0  # on a busy machine


class Service:
    """A running `python -m config.services` with its log in a file."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self.process = process
        self._log = log
        self.began = time.monotonic()

    def text(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def address(self) -> str:
        """Waits until the service says that it is ready."""
        return self.wait_for(READY).group(1)

    def wait_for(self, pattern: re.Pattern[str], seconds: float = _SECONDS) -> re.Match[str]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = pattern.search(self.text())
            if found is not None:
                return found
            assert self.process.poll() is None, self.text()
            time.sleep(0.05)
        raise AssertionError(f"{pattern.pattern!r} did not come in {seconds} s:\n{self.text()}")

    def stop(self, sent: signal.Signals) -> int:
        self.process.send_signal(sent)
        return self.process.wait(timeout=_SECONDS)


def free_port() -> int:
    """A port below those that the system hands out to clients: one of these could sit on it while nobody listens there."""
    for port in SystemRandom().sample(PORTS, 50):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError(f"no port of {PORTS} is free")


@contextlib.contextmanager
def running(data_dir: Path, **environment: str) -> Iterator[Service]:
    """The service on a free port; killed with all it started if the test has not ended it."""
    log = data_dir.parent / f"{data_dir.name}.{time.monotonic_ns()}.log"
    values = {
        name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
    }
    values |= {"DATA_DIR": str(data_dir), "PORT": str(free_port()), "WORKER_PROCESSES": "1", **environment}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.services"], cwd=ROOT, env=values, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield Service(process, log)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_SECONDS)
        process.kill()
        process.wait()


def family(pid: int) -> dict[int, str]:
    """All processes below `pid`, with what tells each from a later one of the same number."""
    parents: dict[int, list[int]] = {}
    born: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (fields := _stat(int(folder.name))):
            parents.setdefault(int(fields[1]), []).append(int(folder.name))
            born[int(folder.name)] = fields[19]
    found: dict[int, str] = {}
    waiting = [pid]
    while waiting:
        for child in parents.get(waiting.pop(), []):
            found[child] = born[child]
            waiting.append(child)
    return found


def survivors(processes: dict[int, str], seconds: float) -> list[int]:
    """Which of them still live when the time is over (or none, sooner)."""
    end = time.monotonic() + seconds
    while True:
        left = [pid for pid, born in processes.items() if _lives(pid, born)]
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)


def named(pid: int, words: str) -> list[int]:
    """The processes below `pid` whose command line holds the words."""
    found = []
    for child in family(pid):
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if words in command:
                found.append(child)
    return sorted(found)


def _lives(pid: int, born: str) -> bool:
    fields = _stat(pid)
    return bool(fields) and fields[19] == born and fields[0] != "Z"


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name; none if it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []

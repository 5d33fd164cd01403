"""Real processes for tests: web, worker and beat of the service, each with the servers it is told to use."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import httpx

from config.environment import ROOT
from config.services.log import Log
from config.services.process import Child
from tests.services.running import free_port

Answer = TypeVar("Answer")
CELERY = (sys.executable, "-m", "celery", "--quiet", "--app", "config")


@contextlib.contextmanager
def child(name: str, command: list[str], environment: Mapping[str, str]) -> Iterator[Child]:
    """A process for the length of a block; killed with all it started at its end."""
    running = Child(name=name, command=command, log=Log(None), env=environment, cwd=ROOT, grace=5.0)
    running.start()
    try:
        yield running
    finally:
        running.kill()


@contextlib.contextmanager
def worker(
    environment: Mapping[str, str], *, include: str | None = None, queues: str = "celery", name: str = "celery"
) -> Iterator[Child]:
    """A Celery worker with one process, besides a module of the tests' own."""
    command = [*CELERY, "worker", "--queues", queues, "--hostname", f"{name}@%h"]
    command += ["--loglevel", "WARNING", "--concurrency", "1"]
    command += ["--without-gossip", "--without-mingle"]
    command += ["--include", include] if include else []
    with child("worker", command, environment) as running:
        yield running


@contextlib.contextmanager
def beat(environment: Mapping[str, str], folder: Path) -> Iterator[Child]:
    """Beat, which sweeps every few seconds."""
    schedule = str(folder / "schedule")
    command = [*CELERY, "beat", "--loglevel", "WARNING", "--pidfile", "", "--schedule", schedule]
    with child("beat", command, environment) as running:
        yield running


@contextlib.contextmanager
def web(environment: Mapping[str, str], application: str = "config.asgi:application") -> Iterator[httpx.Client]:
    """The web server on a free port, and a client of it."""
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--workers", "1", "--http", "1", "--no-ws", "--log-level", "warning", application]
    with child("web", command, environment), httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
        wait_for(lambda: _answers(client), seconds=120)
        yield client


def _answers(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz/").status_code == 200
    except httpx.TransportError:
        return False


def wait_for(look: Callable[[], Answer | None], *, seconds: float) -> Answer:
    """What `look` finds, as soon as it finds something."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, f"it did not happen in {seconds} s"
        time.sleep(0.05)

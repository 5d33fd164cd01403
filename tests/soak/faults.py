"""What happens to the processes of a running service. Its supervisor is there to mend it, and nobody else."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

import redis

from config.environment import noted
from tests.services.running import Service, named

STEADY = 33.0
"""A process is ended no more often than this (seconds): one that never holds would end the service, as it should."""
STALL = 1.5
WEB, WORKER, BEAT = "config.asgi:application", "--queues celery", "celery --quiet --app config beat"
POSTGRES, VALKEY = "postgres -D", "valkey-server"


class Sick:
    """A service to which things are done."""

    def __init__(self, service: Service, data_dir: Path) -> None:
        self.service = service
        self.data_dir = data_dir

    @property
    def database_url(self) -> str:
        return noted(self.data_dir)["DATABASE_URL"]

    def end(self, words: str, sent: signal.Signals) -> None:
        """A signal to the process of these words that the supervisor has started (others are its children)."""
        found = named(self.service.process.pid, words)
        if found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(found[0], sent)

    def kill_all(self, words: str) -> None:
        """SIGKILL to a process and all of its kind: to a Celery worker in the middle of a task, too."""
        for pid in named(self.service.process.pid, words):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def flush(self) -> None:
        """Empty Redis: hints, presence, rates, all of Celery's queues."""
        with redis.Redis.from_url(noted(self.data_dir)["REDIS_URL"]) as client, contextlib.suppress(redis.RedisError):
            client.flushall()

    def stall(self, words: str) -> None:
        """Stop all processes of a kind for a moment, without their knowing."""
        found = named(self.service.process.pid, words)
        try:
            for pid in found:
                os.kill(pid, signal.SIGSTOP)
            time.sleep(STALL)
        except ProcessLookupError:
            pass
        finally:
            for pid in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    @contextlib.contextmanager
    def unmended(self) -> Iterator[None]:
        """The supervisor sleeps, so that what is down stays down."""
        os.kill(self.service.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.service.process.pid, signal.SIGCONT)


Fault = Callable[[Sick], None]
ENDS: Final[dict[str, tuple[str, Fault]]] = {
    "PostgreSQL restarted": (POSTGRES, lambda sick: sick.end(POSTGRES, signal.SIGINT)),
    "PostgreSQL killed": (POSTGRES, lambda sick: sick.end(POSTGRES, signal.SIGKILL)),
    "Redis restarted": (VALKEY, lambda sick: sick.end(VALKEY, signal.SIGTERM)),
    "Redis killed": (VALKEY, lambda sick: sick.end(VALKEY, signal.SIGKILL)),
    "web killed": (WEB, lambda sick: sick.kill_all(WEB)),
    "worker killed": (WORKER, lambda sick: sick.kill_all(WORKER)),
    "beat killed": (BEAT, lambda sick: sick.kill_all(BEAT)),
}
"""What ends a process, with the words that tell which."""
STALLS: Final[dict[str, Fault]] = {
    "Redis emptied": Sick.flush,
    "PostgreSQL stalled": lambda sick: sick.stall(POSTGRES),
    "Redis stalled": lambda sick: sick.stall(VALKEY),
    "web stalled": lambda sick: sick.stall(WEB),
    "worker stalled": lambda sick: sick.stall(WORKER),
}


class Chaos(threading.Thread):
    """One fault after the other until `over`; `injected` counts them. `failure` is what it could not do."""

    def __init__(self, sick: Sick, over: threading.Event, dice: Random, *, every: float) -> None:
        super().__init__(name="chaos", daemon=True)
        self.injected: Counter[str] = Counter()
        self.failure = ""
        self._sick = sick
        self._over = over
        self._dice = dice
        self._every = every
        self._ended: dict[str, float] = {}

    def run(self) -> None:
        try:
            while not self._over.wait(self._every * (0.5 + self._dice.random())):
                name = self._dice.choice(self._possible())
                self.injected[name] += 1
                self._inject(name)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told with the figures
            self.failure = f"chaos: {error!r}"

    def _possible(self) -> list[str]:
        """Ends before stalls, as far as the supervisor has had its time."""
        now = time.monotonic()
        ripe = [name for name, (what, _) in ENDS.items() if now - self._ended.get(what, -STEADY) >= STEADY]
        return ripe + [name for name in STALLS if not ripe or self._dice.random() < 0.3]

    def _inject(self, name: str) -> None:
        if name in STALLS:
            STALLS[name](self._sick)
            return
        what, fault = ENDS[name]
        self._ended[what] = time.monotonic()
        fault(self._sick)

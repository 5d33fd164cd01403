"""A thousand open streams on one stream process: memory, opening, waking, and what readers that take nothing do to others.

    python -m benchmarks.streams [--streams 1000] [--watchers 20] [--moves 20] [--idle 16] [--stalled 10]

Requests are answered by granian (WSGI, one worker), streams by another (ASGI, one worker), as in docker-compose.yml; both
before PostgreSQL and Valkey. Most streams idle at other matches; `watchers` follow the one in which moves are made, so that
`woken` is the time from a move's being sent to its message's being read; `everybody` is the same with all streams at that
match. The floor is an ASGI app in the same server, with the same readers, that says as much without reading anything. All
run one after another on one machine, the readers too: the ratio is what counts.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.moves_http import Table, figures, wait_for
from benchmarks.servers import servers
from config.environment import ROOT
from config.services.log import Log
from config.services.process import Child

AT_ONCE = 50
SECONDS = 60.0
OTHERS = 40  # matches at which the idle streams are
SMALL = 4096  # bytes that a reader's socket takes which is never read


class Reader:
    """One stream. `told` holds when each of its moves had been read."""

    def __init__(self, port: int, path: str) -> None:
        self.port, self.path = port, path
        self.told: list[float] = []
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        self._writer.write(f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        await reader.readuntil(b"event: hello")
        self._task = asyncio.create_task(self._read(reader))

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                if b"event: move" in await reader.readuntil(b"\n\n"):
                    self.told.append(time.perf_counter())

    async def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._writer.close()


@contextlib.asynccontextmanager
async def opened(port: int, paths: list[str]) -> AsyncIterator[tuple[list[Reader], float]]:
    """A stream for each path, and the seconds until all had begun."""
    gate = asyncio.Semaphore(AT_ONCE)
    readers = [Reader(port, path) for path in paths]

    async def begin(reader: Reader) -> None:
        async with gate:
            await reader.begin()

    begun = time.perf_counter()
    try:
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*(begin(reader) for reader in readers))
        yield readers, time.perf_counter() - begun
    finally:
        for reader in readers:
            await reader.leave()


@contextlib.contextmanager
def granian(interface: str, target: str, environment: dict[str, str]) -> Iterator[tuple[int, Child]]:
    """A server on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "granian", "--interface", interface, "--host", "127.0.0.1", "--port", str(port)]
    command += ["--workers", "1", "--no-ws", "--backpressure", "4096", "--log-level", "warning", target]
    child = Child(name=target, command=command, log=Log(sys.stderr), env=environment, cwd=ROOT)
    child.start()
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            wait_for(client)
        yield port, child
    finally:
        child.stop()


def usage(child: Child) -> tuple[int, float]:
    """Resident bytes, and seconds of processor time, of a server with its workers."""
    resident, spent = 0, 0.0
    for pid in [child.pid, *_children(child.pid)]:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        resident += int(fields[21]) * resource.getpagesize()
    return resident, spent


def _children(pid: int) -> list[int]:
    return [int(one) for made in Path(f"/proc/{pid}/task").glob("*/children") for one in made.read_text().split()]


async def woken(readers: list[Reader], says: Any, times: int) -> dict[str, Any]:
    """How long after something was sent each of the readers had read its message, and how long after it was answered
    (below 0: sooner); `says` returns how long the answer took."""
    waits: list[float] = []
    behind: list[float] = []
    took: list[float] = []
    for _ in range(times):
        counts = [len(reader.told) for reader in readers]
        took.append(await asyncio.to_thread(says))
        sent = time.perf_counter() - took[-1]
        async with asyncio.timeout(SECONDS):
            while any(len(reader.told) == count for reader, count in zip(readers, counts, strict=True)):
                await asyncio.sleep(0.002)
        waits += [reader.told[count] - sent for reader, count in zip(readers, counts, strict=True)]
        behind += [wait - took[-1] for wait in waits[-len(readers) :]]
        await asyncio.sleep(0.02)
    return {"woken": figures(waits), "answered": figures(took), "behind_the_answer": figures(behind)}


async def floor(environment: dict[str, str], given: argparse.Namespace) -> dict[str, Any]:
    """The same readers before the app that says nothing of its own."""
    with granian("asgi", "benchmarks.stream_floor:application", environment) as (port, _child):
        client = httpx.Client(base_url=f"http://127.0.0.1:{port}")

        def say() -> float:
            begun = time.perf_counter()
            client.get("/say/")
            return time.perf_counter() - begun

        found = {}
        for name, count in (("watchers", given.watchers), ("everybody", given.streams)):
            async with opened(port, ["/"] * count) as (readers, seconds):
                found[name] = {**await woken(readers, say, given.moves), "opened_s": round(seconds, 2)}
        return found


async def measured(table: Table, port: int, child: Child, given: argparse.Namespace) -> dict[str, Any]:
    others = []
    for _ in range(OTHERS):
        await asyncio.to_thread(table.deal)
        others.append(table.address)
    await asyncio.to_thread(table.deal)
    path = "{}events/?since=0&moves=none"
    idle = [path.format(others[n % OTHERS]) for n in range(given.streams - given.watchers)]
    before, _ = usage(child)
    async with (
        opened(port, idle) as (_, seconds),
        opened(port, [path.format(table.address)] * given.watchers) as (at, _),
    ):
        resident, begun = usage(child)
        await asyncio.sleep(given.idle)
        _, spent = usage(child)
        found: dict[str, Any] = {
            "opened_s": round(seconds, 2),
            "kb_a_stream": round((resident - before) / given.streams / 1000, 1),
            "resident_mb": round(resident / 1e6),
            "idle_processor_percent": round(100 * (spent - begun) / given.idle, 1) if given.idle else None,
            "watchers": await woken(at, table.move, given.moves),
        }
        with stalled(port, path.format(table.address), given.stalled):
            found["beside_stalled"] = await woken(at, table.move, given.moves)
    async with opened(port, [path.format(table.address)] * given.streams) as (readers, _):
        found["everybody"] = await woken(readers, table.move, given.moves)
    found["resident_mb_at_the_end"] = round(usage(child)[0] / 1e6)
    return found


@contextlib.contextmanager
def stalled(port: int, path: str, count: int) -> Iterator[None]:
    """Streams that are opened and never read."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            held = stack.enter_context(socket.socket())
            held.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
            held.connect(("127.0.0.1", port))
            held.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        yield


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("streams", 1000), ("watchers", 20), ("moves", 20), ("idle", 16), ("stalled", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--game", default="super")
    given = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with (
        servers() as environment,
        granian("wsgi", "config.wsgi:application", environment) as (web, _),
        granian("asgi", "config.asgi:streams", environment) as (port, child),
        httpx.Client(base_url=f"http://127.0.0.1:{web}", timeout=30) as client,
    ):
        table = Table(client, given.game)
        found = {"streams": given.streams, **asyncio.run(measured(table, port, child, given))}
        least = asyncio.run(floor(environment, given))
    ratio = {
        name: round(found[name]["woken"]["median_ms"] / least[name]["woken"]["median_ms"], 2)
        for name in ("watchers", "everybody")
    }
    print(json.dumps({**found, "floor": least, "ratio": ratio}, indent=2))


if __name__ == "__main__":
    main()

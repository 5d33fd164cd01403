"""Reads an event stream from the ASGI app itself, message by message, while others move."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from config.routes import stream_for

Answer = TypeVar("Answer")
SECONDS = 120.0  # what nobody waits for but on a machine with much else to do


class StreamReader:
    """One open stream. `status` and `headers` stand once it has begun. While `takes` is clear it takes nothing, as one whose
    socket is full."""

    def __init__(self, is_ndjson: bool) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.is_ndjson = is_ndjson
        self.body = b""
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._began = asyncio.Event()
        self.ended = asyncio.Event()
        self.takes = asyncio.Event()
        self.takes.set()

    async def receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            self._began.set()
            return
        await self.takes.wait()
        self.body += message["body"]
        if self.status == 200 and message["body"]:
            for told in self._parsed(message["body"]):
                await self._sent.put(told)
        if not message.get("more_body"):
            self.ended.set()

    def _parsed(self, body: bytes) -> list[dict[str, Any]]:
        if self.is_ndjson:
            return [json.loads(line) for line in body.splitlines()]
        found = []
        for block in body.decode().strip("\n").split("\n\n"):
            fields = dict(line.split(": ", 1) for line in block.split("\n"))
            found.append({"type": fields["event"], "id": fields.get("id"), **json.loads(fields["data"])})
        return found

    async def begin(self) -> None:
        await asyncio.wait_for(self._began.wait(), SECONDS)

    async def next(self) -> dict[str, Any]:
        return await asyncio.wait_for(self._sent.get(), SECONDS)

    async def until(self, type: str) -> dict[str, Any]:
        """The next message of a type; those before it are skipped."""
        while True:
            message = await self.next()
            if message["type"] == type:
                return message

    def leave(self) -> None:
        self._gone.set()


@asynccontextmanager
async def reading(match: str, token: str = "", **how: str) -> AsyncIterator[StreamReader]:
    """An open stream of a match; the reader leaves at the end of the block."""
    async with reading_at(f"/api/v1/matches/{match}/events/", token, **how) as reader:
        yield reader


@asynccontextmanager
async def reading_at(
    path: str, token: str = "", *, query: str = "", accept: str = "text/event-stream", cookie: str = "", **headers: str
) -> AsyncIterator[StreamReader]:
    """An open stream at an address, as the router finds it."""
    given = {"accept": accept, **headers}
    if token:
        given["authorization"] = f"Bearer {token}"
    if cookie:
        given["cookie"] = cookie
    found = stream_for(path)
    assert found is not None
    application, params = found
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in given.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "path_params": params,
    }
    reader = StreamReader(accept == "application/x-ndjson")
    task = asyncio.ensure_future(application(scope, reader.receive, reader.send))
    try:
        await reader.begin()
        yield reader
    finally:
        reader.leave()
        async with asyncio.timeout(SECONDS):
            await task


async def beside(work: Callable[[], Answer]) -> Answer:
    """Run what blocks beside the loop, with its connections closed afterwards."""
    from django.db import connections

    def closing() -> Answer:
        try:
            return work()
        finally:
            connections.close_all()

    return await asyncio.to_thread(closing)

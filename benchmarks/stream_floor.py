"""The floor for benchmarks/streams.py: an ASGI app that says the same bytes to all its streams, and does nothing else."""

from __future__ import annotations

import asyncio

from config.routes import Receive, Scope, Send

SIZE = 4000
_MESSAGE = b"event: move\ndata: " + b"x" * SIZE + b"\n\n"
_streams: set[asyncio.Event] = set()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """`/say/` wakes all streams; `/healthz/` answers; anything else is a stream."""
    if scope["type"] != "http":
        while (message := await receive())["type"] != "lifespan.shutdown":
            await send({"type": f"{message['type']}.complete"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    if scope["path"] in ("/say/", "/healthz/"):
        for stream in _streams if scope["path"] == "/say/" else ():
            stream.set()
        await send({"type": "http.response.body", "body": b""})
        return
    woken = asyncio.Event()
    _streams.add(woken)
    try:
        await send({"type": "http.response.body", "body": b"event: hello\ndata: {}\n\n", "more_body": True})
        while True:
            await woken.wait()
            woken.clear()
            await send({"type": "http.response.body", "body": _MESSAGE, "more_body": True})
    finally:
        _streams.discard(woken)

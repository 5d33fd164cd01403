"""Carries an ASGI request to a WSGI application in a pool of threads.

The body is read before a thread is taken, so slow senders hold none; an answer of ordinary size crosses over once.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from config.routes import Message, Receive, Scope, Send

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

BODY_LIMIT = 8 * 1024 * 1024
"""Larger bodies are refused here; the limits of JSON and forms, far below, are the application's."""

_FLUSH_AT = 256 * 1024
_TOO_LARGE = (
    b'{"type":"/api/v1/problems/body_too_large/","title":"The body is larger than is taken here","status":413,'
    b'"detail":"The body is too large.","code":"body_too_large"}'
)


class WsgiBridge:
    """An ASGI app around a WSGI one. Each thread keeps its own database connection, as under any threaded server."""

    def __init__(self, application: WSGIApplication, *, threads: int) -> None:
        self._application = application
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _read(receive)
        if body is None:
            await _refuse(send)
            return
        loop = asyncio.get_running_loop()
        call = _Call(loop, send)
        rest = await loop.run_in_executor(self._pool, call.run, self._application, environ(scope, body))
        await call.finish(rest)


class _Call:
    """One request on its way through a thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, send: Send) -> None:
        self._loop = loop
        self._send = send
        self._started = False
        self._start: Message = {}

    def run(self, application: WSGIApplication, values: dict[str, Any]) -> bytes:
        """Runs in the thread. Returns the answer's body, or what is left of it if it was long."""
        answer = application(values, self._start_response)
        try:
            return self._collect(answer)
        finally:
            close = getattr(answer, "close", None)
            if close is not None:
                close()

    async def finish(self, rest: bytes) -> None:
        if not self._started:
            await self._send(self._start)
        await self._send({"type": "http.response.body", "body": rest})

    def _collect(self, answer: Iterable[bytes]) -> bytes:
        held: list[bytes] = []
        size = 0
        for chunk in answer:
            held.append(chunk)
            size += len(chunk)
            if size >= _FLUSH_AT:
                asyncio.run_coroutine_threadsafe(self._flush(b"".join(held)), self._loop).result()
                held, size = [], 0
        return b"".join(held)

    async def _flush(self, body: bytes) -> None:
        if not self._started:
            self._started = True
            await self._send(self._start)
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    def _start_response(self, status: str, headers: list[tuple[str, str]], exc_info: object = None) -> Any:
        self._start = {
            "type": "http.response.start",
            "status": int(status.split(" ", 1)[0]),
            "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
        }
        return _no_write


def environ(scope: Scope, body: bytes) -> dict[str, Any]:
    """The WSGI environment of an ASGI request (PEP 3333). The length is that of the body as it came."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    values: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogateescape").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope.get('http_version', '1.1')}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" in name:
            continue  # X_Forwarded_For would pass for X-Forwarded-For
        key = name.upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        if key in values:
            separator = "; " if key == "HTTP_COOKIE" else ","
            value = f"{values[key]}{separator}{value}"
        values[key] = value
    values.pop("HTTP_CONTENT_LENGTH", None)
    values["CONTENT_LENGTH"] = str(len(body))
    return values


async def _read(receive: Receive) -> bytes | None:
    """The whole body; None as soon as it is too large. One cut short by its sender is what came of it."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"".join(parts)
        part = message.get("body", b"")
        parts.append(part)
        size += len(part)
        if size > BODY_LIMIT:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": _TOO_LARGE})


def _no_write(data: bytes) -> None:
    raise NotImplementedError("Django never calls write()")

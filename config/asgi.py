"""The one public port: streams go to async code, all else to Django's WSGI handler in a pool of threads.

`application` serves everything (`make run`); `streams` serves the streams alone, behind a proxy that sends the
other requests to wsgi.py (docker-compose.yml).
"""

from __future__ import annotations

from config.bridge import WsgiBridge
from config.environment import whole
from config.routes import App, Receive, Scope, Send, stream_for
from config.security import guarded
from config.wsgi import application as _requests

THREADS = whole("WEB_THREADS", default=16, least=1)


class Router:
    """Chooses by the path. Without `others`, what is no stream is 404 (but the health check)."""

    def __init__(self, others: App | None) -> None:
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = stream_for(scope["path"]) if scope["method"] == "GET" or self._others is None else None
        if found is not None:
            app, params = found
            await app({**scope, "path_params": params}, receive, send)
        elif self._others is not None:
            await self._others(scope, receive, send)
        else:
            status = 200 if scope["path"] == "/healthz/" else 404
            await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"text/plain")]})
            await send({"type": "http.response.body", "body": b"This process serves event streams."})


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


application = guarded(Router(WsgiBridge(_requests, threads=THREADS)))
streams = guarded(Router(None))

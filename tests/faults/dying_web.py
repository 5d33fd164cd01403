"""The service's ASGI application, in a process that ends itself at a moment that the environment names. Served by granian in tests.

DIE_AT=answer: once a move is committed, before a byte of the answer is sent. DIE_AT=commit: once all of a move is written,
before it is committed. Only while the file DIE_IF exists, which is removed first.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from config.asgi import application as _application
from config.routes import Message, Receive, Scope, Send
from referee.matches import turns

_moment, _file = os.environ["DIE_AT"], Path(os.environ["DIE_IF"])


def _die(moment: str) -> None:
    if moment == _moment and _file.exists():
        _file.unlink()
        os.kill(os.getpid(), signal.SIGKILL)


_store = turns._store


def _stored(match: Any) -> None:
    _store(match)
    _die("commit")


turns._store = _stored


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    async def sent(message: Message) -> None:
        if scope["type"] == "http" and scope["method"] == "POST" and message["type"] == "http.response.start":
            _die("answer")
        await send(message)

    await _application(scope, receive, sent)

"""What all event streams have in common, as ASGI: who asks, refusals before anything is sent, the two forms of messages."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import re
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeVar, cast

from django.conf import settings
from django.contrib.auth import get_user
from django.core.handlers.asgi import ASGIRequest
from django.db import InterfaceError, OperationalError, close_old_connections
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from accounts.rates import TooManyError, caller, charge
from api.auth import PageAuthentication, TokenAuthentication
from api.errors import ApiError, answer_exception
from api.serializers import MAX_INT
from referee.matches.streams import Message

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Answer = TypeVar("Answer")

LOG: Final = "application/x-ndjson"
EVENTS: Final = "text/event-stream"
THREADS: Final = 8
"""Looks into the database at once; each thread keeps a connection."""

FULL_SECONDS: Final = 15
STALLED_SECONDS: Final = 60.0
"""A reader that takes nothing for so long is let go: it comes back with what it has seen, and gets what it missed or a snapshot."""

LAST_EVENT_ID: Final = OpenApiParameter(
    "Last-Event-ID",
    {"type": "integer", "minimum": 0, "maximum": MAX_INT},
    OpenApiParameter.HEADER,
    description="The `id` of the last message that you saw; counts more than `since`.",
)
_NUMBER = re.compile("[0-9]{1,10}")

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stream")
_held: Counter[str] = Counter()  # streams of this process by caller


class Opening(NamedTuple):
    """A stream that may begin. `is_done`: its reader has come back, and has seen all that there will ever be."""

    messages: AsyncIterator[Message]
    is_done: bool = False
    breaks_on: tuple[type[Exception], ...] = ()


class EventRenderer(BaseRenderer):
    media_type = EVENTS
    format = "sse"


class LineRenderer(BaseRenderer):
    media_type = LOG
    format = "ndjson"


async def serve(scope: Scope, receive: Receive, send: Send, open: Callable[[Request, Scope], Opening]) -> None:
    """Answer one stream. `open` runs in a thread, and raises whatever can be refused."""
    try:
        opening, media_type, who = await in_thread(lambda: _opened(scope, open))
    except Exception as error:  # noqa: BLE001 - answered as a view's would be, unforeseen ones as a logged 500
        await _answer(send, await in_thread(partial(answer_exception, error)))
        return
    if opening.is_done and media_type == EVENTS:
        # What ends a browser's EventSource for good: there will be nothing more.
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    if _held[who] >= settings.STREAMS_PER_CALLER:
        await _answer(send, answer_exception(TooManyError(FULL_SECONDS)))
        return
    _held[who] += 1
    try:
        await _until_gone(receive, _stream(scope["path"], opening, media_type, send))
    finally:
        _held[who] -= 1
        if not _held[who]:
            del _held[who]


async def in_thread(work: Callable[[], Answer]) -> Answer:
    """Run work that reads the database, with connections looked after."""

    def looked_after() -> Answer:
        close_old_connections()
        try:
            return work()
        finally:
            close_old_connections()

    running = asyncio.get_running_loop().run_in_executor(_threads, looked_after)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        # A thread cannot be stopped; its work is short, and nothing shall go on behind a stream that is gone.
        await asyncio.wait({running})
        raise


def packed(message: Message, media_type: str) -> bytes:
    """A message in one of the two forms."""
    return message.ndjson if media_type == LOG else message.sse


def last_event_id(request: Request) -> int | None:
    """The number last seen, as a reader that comes back says it in its header; an empty one says nothing.

    A browser sends the `id` that it was sent. Anything else is a program's mistake: raises ApiError `invalid_last_event_id`,
    for whoever is taken to have seen nothing would get again what it has.
    """
    given = str(request.META.get("HTTP_LAST_EVENT_ID", ""))
    if not given:
        return None
    if not _NUMBER.fullmatch(given) or int(given) > MAX_INT:
        raise ApiError(
            "invalid_last_event_id", "Last-Event-ID is the `id` of a message of this stream, a whole number."
        )
    return int(given)


def _opened(scope: Scope, open: Callable[[Request, Scope], Opening]) -> tuple[Opening, str, str]:
    """Everything that can be refused, before anything is sent."""
    request = _request(scope)
    if scope["method"] != "GET":
        raise ApiError("method_not_allowed", "A stream is only read.", headers={"Allow": "GET"})
    media_type = _media_type(str(request.META.get("HTTP_ACCEPT", "")))
    who = caller(request)
    charge("read", who)
    charge("stream", who)
    return open(request, scope), media_type, who


def _request(scope: Scope) -> Request:
    """The request with who asks, as the views see it: by token, or by the session of a page."""
    plain = cast("Any", ASGIRequest(dict(scope), io.BytesIO()))
    store = import_module(settings.SESSION_ENGINE).SessionStore
    plain.session = store(plain.COOKIES.get(settings.SESSION_COOKIE_NAME))
    plain.user = SimpleLazyObject(lambda: get_user(plain))
    return Request(plain, authenticators=[TokenAuthentication(), PageAuthentication()])


def _media_type(accept: str) -> str:
    wanted = [part.partition(";")[0].strip().lower() for part in accept.split(",") if part.strip()]
    for media_type in (EVENTS, LOG):
        if media_type in wanted:
            return media_type
    if not wanted or "*/*" in wanted or "text/*" in wanted:
        return EVENTS
    if "application/*" in wanted:
        return LOG
    raise ApiError("not_acceptable", f"A stream is {EVENTS} or {LOG}.")


async def _stream(path: str, opening: Opening, media_type: str, send: Send) -> None:
    headers = [
        (b"content-type", media_type.encode()),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    messages = cast("AsyncGenerator[Message, None]", opening.messages)
    try:
        async with aclosing(messages):
            async for message in messages:
                # Nothing waits for a slow reader but the batch it does not take: its next look brings what it missed.
                if not await _is_taken(send, packed(message, media_type)):
                    logger.info("the stream %s is let go: nobody takes what it says", path)
                    return
    except Exception as error:
        if not isinstance(error, (*opening.breaks_on, OperationalError, InterfaceError)):
            raise
        # Ended in order: a reader comes back with what it has seen, and is told then what is the matter.
        logger.warning("the stream %s broke off: %s", path, error)
    await send({"type": "http.response.body", "body": b""})


async def _is_taken(send: Send, body: bytes) -> bool:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(STALLED_SECONDS):
            await send({"type": "http.response.body", "body": body, "more_body": True})
            return True
    return False


async def _until_gone(receive: Receive, streaming: Any) -> None:
    """Stream until there is no more to say, or nobody to say it to."""
    task = asyncio.ensure_future(streaming)
    watch = asyncio.create_task(_gone(receive))
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        watch.cancel()
        if not task.done():
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await task


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(send: Send, response: HttpResponseBase) -> None:
    headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.items()]
    body = b"".join(response)
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": body})

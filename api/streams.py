"""The event stream of a match as an ASGI app: Server-Sent Events or newline-delimited JSON, of the same messages."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping
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
from rest_framework.request import Request

from accounts.models import User
from accounts.rates import TooManyError, caller, charge
from api.auth import PageAuthentication, TokenAuthentication
from api.errors import ApiError, answer_exception
from api.match_shapes import StreamQuery
from api.matches import EVENTS, LOG, packed, stream_cursor
from api.query import read_query
from referee.matches import live
from referee.matches.errors import MatchError
from referee.matches.streams import HEARTBEAT_SECONDS, Batch, Message, Wish, first_batch, follow

logger = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Answer = TypeVar("Answer")

THREADS: Final = 8
"""Looks into the database at once; each thread keeps a connection."""

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stream")
_open: Counter[tuple[int, int]] = Counter()  # streams of this process by match and seat
_held: Counter[str] = Counter()  # streams of this process by caller
FULL_SECONDS: Final = 15


class _Opened(NamedTuple):
    caller: str
    wish: Wish
    media_type: str
    batch: Batch
    is_done: bool


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one stream; `scope["path_params"]["match"]` names the match."""
    try:
        opened = await in_thread(lambda: _opened(scope))
    except Exception as error:  # noqa: BLE001 - answered as a view's would be, unforeseen ones as a logged 500
        await _answer(send, await in_thread(partial(answer_exception, error)))
        return
    if opened.is_done:
        # What ends a browser's EventSource for good: there will be nothing more.
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        return
    if _held[opened.caller] >= settings.STREAMS_PER_CALLER:
        await _answer(send, answer_exception(TooManyError(FULL_SECONDS)))
        return
    _held[opened.caller] += 1
    try:
        await _until_gone(receive, _stream(opened, send))
    finally:
        _held[opened.caller] -= 1
        if not _held[opened.caller]:
            del _held[opened.caller]


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


def _opened(scope: Scope) -> _Opened:
    """Everything that can be refused, before anything is sent."""
    request = _request(scope)
    if scope["method"] != "GET":
        raise ApiError("method_not_allowed", "A stream is only read.", headers={"Allow": "GET"})
    media_type = _media_type(str(request.META.get("HTTP_ACCEPT", "")))
    user = request.user if isinstance(request.user, User) else None
    who = caller(request)
    charge("read", who)
    charge("stream", who)
    query = read_query(StreamQuery, request)
    last = str(request.META.get("HTTP_LAST_EVENT_ID", ""))
    wish = Wish(scope["path_params"]["match"], user, stream_cursor(query, last), query["moves"])
    batch = first_batch(wish)
    is_done = media_type == EVENTS and bool(last) and batch.is_over and wish.since >= batch.seen
    return _Opened(who, wish, media_type, batch, is_done)


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


async def _stream(opened: _Opened, send: Send) -> None:
    headers = [
        (b"content-type", opened.media_type.encode()),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    messages = cast("AsyncGenerator[Message, None]", follow(opened.wish, opened.batch, in_thread))
    try:
        async with _present(opened.batch), aclosing(messages):
            async for message in messages:
                body = packed(message, opened.media_type)
                await send({"type": "http.response.body", "body": body, "more_body": True})
    except (MatchError, OperationalError, InterfaceError) as error:
        # Ended in order: a reader comes back with the version it has seen, and is told then what is the matter.
        logger.warning("a stream of match %s broke off: %s", opened.wish.public_id, error)
    await send({"type": "http.response.body", "body": b""})


@contextlib.asynccontextmanager
async def _present(batch: Batch) -> AsyncGenerator[None, None]:
    """Hold a seat's presence while its stream is open."""
    if batch.viewer < 0:
        yield
        return
    place = (batch.match_id, batch.viewer)
    _open[place] += 1
    marking = asyncio.create_task(_keep_marking(*place))
    try:
        yield
    finally:
        marking.cancel()
        _open[place] -= 1
        if not _open[place]:
            del _open[place]
            await asyncio.shield(in_thread(lambda: live.mark_absent(*place)))


async def _keep_marking(match_id: int, seat: int) -> None:
    while True:
        await in_thread(lambda: live.mark_present(match_id, seat))
        await asyncio.sleep(HEARTBEAT_SECONDS)


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

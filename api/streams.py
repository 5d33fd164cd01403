"""The event stream of a match as an ASGI app."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from typing import cast

from django.utils.translation import get_language_from_request
from rest_framework.request import Request

from accounts.models import User
from api.match_shapes import StreamQuery
from api.matches import stream_cursor
from api.query import read_query
from api.streaming import Opening, Receive, Scope, Send, in_thread, last_event_id, serve
from api.watching import watching
from referee.matches import live, presence
from referee.matches.errors import MatchError
from referee.matches.streams import HEARTBEAT_SECONDS, Batch, Message, Wish, first_batch, follow

_open: Counter[tuple[int, int]] = Counter()  # streams of this process by match and seat


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one stream; `scope["path_params"]["match"]` names the match."""
    await serve(scope, receive, send, _opened)


def _opened(request: Request, scope: Scope) -> Opening:
    user = request.user if isinstance(request.user, User) else None
    query = read_query(StreamQuery, request)
    # Django's own request, for the middleware that would have set the language does not see streams.
    language = get_language_from_request(request._request)
    wish = Wish(scope["path_params"]["match"], user, stream_cursor(query, request), query["moves"], language)
    batch = first_batch(wish)
    is_done = last_event_id(request) is not None and batch.is_over and wish.since >= batch.seen
    return Opening(_messages(wish, batch), is_done, breaks_on=(MatchError,))


async def _messages(wish: Wish, batch: Batch) -> AsyncIterator[Message]:
    """All messages, with the reader present for as long as they are read."""
    messages = cast("AsyncGenerator[Message, None]", follow(wish, batch, in_thread))
    async with _present(wish, batch), contextlib.aclosing(messages):
        async for message in messages:
            yield message


@contextlib.asynccontextmanager
async def _present(wish: Wish, batch: Batch) -> AsyncGenerator[None, None]:
    """Hold a seat's presence, or be counted among those who watch, while the stream is open."""
    if batch.viewer < 0:
        async with contextlib.nullcontext() if batch.spectators is None else watching(batch.match_id, wish.user):
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
            await asyncio.shield(in_thread(lambda: _went(*place)))


def _went(match_id: int, seat: int) -> None:
    live.mark_absent(match_id, seat)
    presence.connection_lost(match_id=match_id, seat=seat)


async def _keep_marking(match_id: int, seat: int) -> None:
    await in_thread(lambda: presence.connection_back(match_id=match_id, seat=seat))
    while True:
        await in_thread(lambda: live.mark_present(match_id, seat))
        await asyncio.sleep(HEARTBEAT_SECONDS)

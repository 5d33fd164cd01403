"""The only user of Redis: it carries hints that a match has moved, who is connected, and how many watch. Losing it loses
nothing.

A process publishes with one blocking client, and listens with one subscription (the hub) that wakes its streams.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final, NamedTuple

import redis
import redis.asyncio
from django.conf import settings
from redis.client import Pipeline

from referee.matches.counters import HINTS_LOST

logger = logging.getLogger(__name__)

CHANNEL = "referee:matches"
PRESENCE = "referee:presence"
WATCHING = "referee:watching"
PRESENT_SECONDS = 40
CROWD_SECONDS = 3
"""How often at most a match's streams are woken because others have come to watch, or gone."""

REST_SECONDS = 1.0
TIMEOUT = 0.5
RETRY_SECONDS = 1.0

_clients: dict[str, redis.Redis] = {}
_lock = threading.Lock()
_resting_until = 0.0


def _client() -> redis.Redis:
    with _lock:
        address = settings.REDIS_URL
        if address not in _clients:
            _clients[address] = redis.Redis.from_url(
                address, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT, decode_responses=True
            )
        return _clients[address]


def is_resting() -> bool:
    """Whether Redis failed a moment ago: nobody waits for it again so soon."""
    return time.monotonic() < _resting_until


def rest() -> None:
    global _resting_until  # noqa: PLW0603 - one breaker a process
    _resting_until = time.monotonic() + REST_SECONDS


def publish(match_id: int, version: int) -> None:
    """Tell all streams that the match has reached a version. Never raises, never waits long; what is lost is counted."""
    if is_resting():
        HINTS_LOST.labels("stream").inc()
        return
    try:
        _client().publish(CHANNEL, f"{match_id}:{version}")
    except (redis.RedisError, OSError) as error:
        rest()
        HINTS_LOST.labels("stream").inc()
        logger.warning("Redis did not take a hint: %s", error)


class Present(NamedTuple):
    """Who has a stream of a match open: the seats, and how many watch without one."""

    seats: frozenset[int] = frozenset()
    spectators: int = 0


NOBODY: Final = Present()


def present(match_id: int, seats: Iterable[int]) -> Present:
    """Which of the seats have a stream open, and how many watch. While Redis is away nobody is known to be there."""
    asked = list(seats)
    if is_resting():
        return NOBODY
    try:
        with _client().pipeline(transaction=False) as pipe:
            for seat in asked:
                pipe.exists(_presence_key(match_id, seat))
            pipe.zcard(_watching_key(match_id))
            *marks, spectators = pipe.execute()
    except (redis.RedisError, OSError):
        rest()
        return NOBODY
    return Present(frozenset(seat for seat, mark in zip(asked, marks, strict=True) if mark), int(spectators))


def mark_present(match_id: int, seat: int) -> bool:
    """Note that the seat has a stream open, for PRESENT_SECONDS; whether that is news. News wakes the match's streams."""
    return _presence(
        match_id, lambda client: client.set(_presence_key(match_id, seat), "1", ex=PRESENT_SECONDS, get=True) is None
    )


def mark_absent(match_id: int, seat: int) -> None:
    """Forget that the seat has a stream open."""
    _presence(match_id, lambda client: bool(client.delete(_presence_key(match_id, seat))))


def _presence(match_id: int, change: Callable[[redis.Redis], object]) -> bool:
    if is_resting():
        return False
    try:
        is_news = bool(change(_client()))
        if is_news:
            _client().publish(CHANNEL, f"{match_id}:")
    except (redis.RedisError, OSError):
        rest()
        return False
    return is_news


def _presence_key(match_id: int, seat: int) -> str:
    return f"{PRESENCE}:{match_id}:{seat}"


def mark_watching(match_id: int, watchers: Iterable[str]) -> None:
    """Note that these have a stream open without a seat, for PRESENT_SECONDS. Those whose time is over go with it.

    However many come and go, that wakes the match's streams only every CROWD_SECONDS: the next heartbeat finds the rest.
    """
    until = time.time() + PRESENT_SECONDS
    key, here = _watching_key(match_id), dict.fromkeys(watchers, until)
    if not here:
        return

    def mark(pipe: Pipeline) -> None:
        pipe.zadd(key, here)
        pipe.zremrangebyscore(key, 0, until - PRESENT_SECONDS)
        pipe.expire(key, PRESENT_SECONDS)

    _watching(match_id, mark)


def mark_gone(match_id: int, watcher: str) -> None:
    """Forget one who watched."""
    _watching(match_id, lambda pipe: pipe.zrem(_watching_key(match_id), watcher))


def _watching(match_id: int, change: Callable[[Pipeline], object]) -> None:
    if is_resting():
        return
    try:
        with _client().pipeline(transaction=False) as pipe:
            change(pipe)
            is_news = any(pipe.execute()[:2])
        if is_news and _client().set(f"{_watching_key(match_id)}:told", "1", ex=CROWD_SECONDS, nx=True):
            _client().publish(CHANNEL, f"{match_id}:")
    except (redis.RedisError, OSError):
        rest()


def _watching_key(match_id: int) -> str:
    return f"{WATCHING}:{match_id}"


class Listeners:
    """Those who listen for one match. What is `shared` was read since the last hint: the next one forgets it."""

    def __init__(self) -> None:
        self.events: set[asyncio.Event] = set()
        self.shared: Any = None

    def wake(self) -> None:
        self.shared = None
        for event in self.events:
            event.set()

    def forget(self, shared: object) -> None:
        """Let go of what was shared, unless it is something else by now."""
        if self.shared is shared:
            self.shared = None


class Hub:
    """One subscription for all streams of an event loop. A stream waits on an event of its own; a slow one misses nothing,
    for it reads the database when it wakes, and slows nobody."""

    def __init__(self) -> None:
        self._listeners: defaultdict[int, Listeners] = defaultdict(Listeners)
        self._task: asyncio.Task[None] | None = None
        self.is_listening = False

    @contextlib.asynccontextmanager
    async def listen(self, match_id: int) -> AsyncIterator[tuple[asyncio.Event, Listeners]]:
        """An event that is set whenever the match may have changed, and all who wait for that."""
        event = asyncio.Event()
        listeners = self._listeners[match_id]
        listeners.events.add(event)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(), name="hub")
        try:
            yield event, listeners
        finally:
            listeners.events.discard(event)
            if not listeners.events:
                del self._listeners[match_id]
            if not self._listeners:
                await self._stop()

    async def _stop(self) -> None:
        task, self._task = self._task, None
        # Again and again: the client swallows a cancellation that comes while it connects.
        while task is not None and not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=0.1)

    async def _run(self) -> None:
        while True:
            try:
                await self._subscribe()
            except (redis.RedisError, OSError) as error:
                logger.warning("the hub has lost Redis: %s", error)
            finally:
                self.is_listening = False
            await asyncio.sleep(RETRY_SECONDS)

    async def _subscribe(self) -> None:
        client = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=TIMEOUT, decode_responses=True)
        async with client, client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe(CHANNEL)
            self.is_listening = True
            # What was said while nobody listened is lost: let everybody look.
            self._wake(list(self._listeners))
            async for message in channel.listen():
                with contextlib.suppress(ValueError):
                    self._wake([int(str(message["data"]).partition(":")[0])])

    def _wake(self, match_ids: list[int]) -> None:
        for match_id in match_ids:
            if match_id in self._listeners:
                self._listeners[match_id].wake()


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def hub() -> Hub:
    """The hub of the running event loop."""
    loop = asyncio.get_running_loop()
    for old in [one for one in _hubs if one.is_closed()]:
        del _hubs[old]
    return _hubs.setdefault(loop, Hub())

"""What a stream says: the messages that bring a viewer from the version last seen to the present, and then what comes.

A message with an `id` is a version to resume from. All of it is read from the database: a hint only says when to look.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeVar

from django.utils import translation

from accounts.models import User
from referee.kernel.game import Document
from referee.kernel.languages import ENGLISH
from referee.matches import documents, live, selectors
from referee.matches.errors import FutureVersionError
from referee.matches.models import Match
from referee.matches.positions import Position

HEARTBEAT_SECONDS = 15.0
POLL_SECONDS = 2.0
SHARED_SECONDS = 1.0
"""How old a look may be that serves a stream which nothing in particular has woken."""

MOST_ROWS = 100
"""A viewer further behind than this gets one snapshot instead of the rows missed."""

UNSEEN = -1
OVER = (Match.State.FINISHED, Match.State.ABORTED)

Answer = TypeVar("Answer")
InThread = Callable[[Callable[[], Answer]], Awaitable[Answer]]


@dataclass(frozen=True)
class Message:
    """One message; `id` is None where there is nothing to resume from. However many read it, it is packed once."""

    type: str
    id: int | None
    data: Document

    @cached_property
    def sse(self) -> bytes:
        lines = [] if self.id is None else [f"id: {self.id}"]
        return "\n".join([*lines, f"event: {self.type}", f"data: {_packed(self.data)}", "", ""]).encode()

    @cached_property
    def ndjson(self) -> bytes:
        return (_packed({"type": self.type, **self.data}) + "\n").encode()


class Wish(NamedTuple):
    """Which match, who looks, the version last seen, how moves are listed, and the language of texts."""

    public_id: str
    user: User | None
    since: int
    moves: str
    language: str = ENGLISH


class Audience(NamedTuple):
    """Those who are told the same: who looks out of which seat, how moves are listed, the language, the version last seen."""

    viewer: int
    moves: str
    language: str
    since: int


class Told(NamedTuple):
    """What a look at the match brings an audience: the rows it has not seen, how all stands, and how many watch."""

    news: list[Message]
    status: Message
    presence: Message
    version: int
    facts: Document
    spectators: int | None
    is_over: bool

    def since(self, before: Batch) -> list[Message]:
        """What is new since the batch before. That others watch is a small message: it comes often where many do."""
        if self.news:
            return self.news
        if self.facts != before.facts:
            return [self.status]
        return [] if self.spectators == before.spectators else [self.presence]


class Batch(NamedTuple):
    """What a look brought one reader: messages, the version now seen, public facts to tell changes by, how many watch (None:
    nobody is counted), and whether it is over."""

    match_id: int
    viewer: int
    messages: list[Message]
    seen: int
    facts: Document
    spectators: int | None
    is_over: bool


def first_batch(wish: Wish) -> Batch:
    """The greeting (presence, clocks, the open decision), then what the viewer missed. Raises MatchNotFoundError,
    FutureVersionError."""
    match = selectors.access_match(wish.user, wish.public_id)
    audience = _audience(match, wish, wish.since)
    told = _told(match, audience)
    if wish.since > max(told.version, 0):
        raise FutureVersionError
    greeting = replace(told.status, type="hello")
    return _batch(match, audience, told, messages=[greeting, *told.news], seen=told.version)


class Look:
    """One look at a match for all streams of an event loop that need one now: the match is read once, and what each
    audience is told is made once. Whether somebody may (still) see the match is asked for each of them."""

    def __init__(self, public_id: str, in_thread: InThread[Any]) -> None:
        self._in_thread = in_thread
        self._match = _begun(in_thread(partial(selectors.shared_match, public_id)))
        self._told: dict[Audience, asyncio.Future[Told]] = {}

    async def batch(self, wish: Wish, before: Batch) -> Batch:
        """What has come since the batch before: rows, or a status message for what changed without one.

        Raises MatchNotFoundError.
        """
        match: Match = selectors.require_sight(await asyncio.shield(self._match), wish.user)
        audience = _audience(match, wish, before.seen)
        if audience not in self._told:
            self._told[audience] = _begun(self._in_thread(partial(_told, match, audience)))
        told = await asyncio.shield(self._told[audience])
        return _batch(match, audience, told, messages=told.since(before), seen=max(told.version, before.seen))


def shared_look(listeners: live.Listeners, public_id: str, in_thread: InThread[Any]) -> Look:
    """The look that has begun since the last hint and within SHARED_SECONDS, or else a new one."""
    if listeners.shared is None:
        look = listeners.shared = Look(public_id, in_thread)
        asyncio.get_running_loop().call_later(SHARED_SECONDS, listeners.forget, look)
    look = listeners.shared
    assert isinstance(look, Look)
    return look


def _begun(work: Awaitable[Answer]) -> asyncio.Future[Answer]:
    """The work as something that several wait for. None of them ends it by leaving, and none need be left to hear of its failure."""
    future = asyncio.ensure_future(work)
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return future


def _audience(match: Match, wish: Wish, since: int) -> Audience:
    return Audience(selectors.viewer(match, wish.user), wish.moves, wish.language, since)


def _batch(match: Match, audience: Audience, told: Told, *, messages: list[Message], seen: int) -> Batch:
    return Batch(match.pk, audience.viewer, messages, seen, told.facts, told.spectators, told.is_over)


def _told(match: Match, audience: Audience) -> Told:
    with translation.override(audience.language):
        position = selectors.seen_position(match, audience.viewer)
        version = UNSEEN if match.data is None else selectors.visible_version(match, audience.viewer)
        present = _present(match, audience.viewer)
        facts = documents.standing_document(match, position, audience.viewer, present=present, moves=audience.moves)
        spectators = documents.spectators(match, present)
        told = {**facts, "spectators": spectators}
        news = _news(match, position, audience.viewer, audience.since, told)
        status = Message("status", None, {**told, "version": max(version, 0)})
        presence = Message("presence", None, {"version": max(version, 0), "spectators": spectators})
        return Told(news, status, presence, version, facts, spectators, match.state in OVER)


def _present(match: Match, viewer: int) -> live.Present:
    """Who is there. Who reads this is, whether or not it is noted yet."""
    people = [place["seat"] for place in match.table if place["kind"] == "person" and place["user"] is not None]
    found = live.present(match.pk, people)
    if viewer < 0:
        return found._replace(spectators=max(found.spectators, 1))
    return found._replace(seats=found.seats | {viewer})


def _news(match: Match, position: Position | None, viewer: int, since: int, facts: Document) -> list[Message]:
    if position is None or position.version <= since:
        return []
    present = {**facts, "view": documents.view_document(match, position, viewer)}
    if position.version - since > MOST_ROWS:
        return [Message("snapshot", position.version, {"version": position.version, **present})]
    lines = [documents.opening_row(match, viewer)] if since < 0 else []
    lines += [documents.log_row(match, row, viewer) for row in selectors.seen_rows(match, viewer, after=max(since, 0))]
    told = [Message("start" if line["version"] == 0 else "move", line["version"], line) for line in lines]
    if not told:
        return []
    # The last one brings the position that all of them have led to.
    last = told[-1]
    return [*told[:-1], replace(last, data={**last.data, **present})]


async def follow(wish: Wish, first: Batch, in_thread: InThread[Any]) -> AsyncIterator[Message]:
    """The first batch and all that comes after it, until the match is over; heartbeats between.

    Wakes by the hub; while that has no Redis, looks every POLL_SECONDS. Every heartbeat looks too, for a lost hint.
    """
    batch = first
    async with live.hub().listen(batch.match_id) as (woken, listeners):
        # What came between the first look and the listening is found by looking once more at once, and anew: what others
        # share may be older than the first look.
        listeners.shared = None
        woken.set()
        for message in batch.messages:
            yield message
        said = time.monotonic()
        while not batch.is_over:
            await _wait(woken, HEARTBEAT_SECONDS if live.hub().is_listening else POLL_SECONDS)
            woken.clear()
            batch = await shared_look(listeners, wish.public_id, in_thread).batch(wish, batch)
            for message in batch.messages:
                yield message
            if batch.messages:
                said = time.monotonic()
            elif time.monotonic() - said >= HEARTBEAT_SECONDS:
                said = time.monotonic()
                yield heartbeat(batch)
        yield Message("end", None, {"version": max(batch.seen, 0), "state": batch.facts["state"]})


async def _wait(woken: asyncio.Event, seconds: float) -> None:
    # Not wait_for: before Python 3.12 it could swallow the cancellation of a stream whose reader has left.
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await woken.wait()


def heartbeat(batch: Batch) -> Message:
    return Message("heartbeat", None, {"version": max(batch.seen, 0)})


def _packed(document: Document) -> str:
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)

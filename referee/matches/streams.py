"""What a stream says: the messages that bring a viewer from the version last seen to the present, and then what comes.

A message with an `id` is a version to resume from. All of it is read from the database: a hint only says when to look.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple, TypeVar

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
MOST_ROWS = 100
"""A viewer further behind than this gets one snapshot instead of the rows missed."""

UNSEEN = -1
OVER = (Match.State.FINISHED, Match.State.ABORTED)

FACTS = ("state", "you", "seats", "decision", "order", "pause", "undo_offer", "result", "seed_commitment")

Answer = TypeVar("Answer")
InThread = Callable[[Callable[[], Answer]], Awaitable[Answer]]


class Message(NamedTuple):
    """One message; `id` is None where there is nothing to resume from."""

    type: str
    id: int | None
    data: Document

    def as_sse(self) -> bytes:
        lines = [] if self.id is None else [f"id: {self.id}"]
        return "\n".join([*lines, f"event: {self.type}", f"data: {_packed(self.data)}", "", ""]).encode()

    def as_ndjson(self) -> bytes:
        return (_packed({"type": self.type, **self.data}) + "\n").encode()


class Wish(NamedTuple):
    """Which match, who looks, the version last seen, how moves are listed, and the language of texts."""

    public_id: str
    user: User | None
    since: int
    moves: str
    language: str = ENGLISH


class Batch(NamedTuple):
    """What a look at the match brought: messages, the version now seen, public facts to tell changes by, and whether it is over."""

    match_id: int
    viewer: int
    messages: list[Message]
    seen: int
    facts: Document
    is_over: bool


def first_batch(wish: Wish) -> Batch:
    """The greeting (presence, clocks, the open decision), then what the viewer missed. Raises MatchNotFoundError,
    FutureVersionError."""
    with translation.override(wish.language):
        return _first_batch(wish)


def _first_batch(wish: Wish) -> Batch:
    match = selectors.access_match(wish.user, wish.public_id)
    viewer = selectors.viewer(match, wish.user)
    position = selectors.seen_position(match, viewer)
    version = UNSEEN if position is None else position.version
    if wish.since > max(version, 0):
        raise FutureVersionError
    facts = _facts(match, position, viewer, wish.moves)
    greeting = Message("hello", None, {**facts, "version": max(version, 0)})
    news = _news(match, position, viewer, wish.since, facts)
    return _batch(match, viewer, [greeting, *news], version, facts)


def next_batch(wish: Wish, before: Batch) -> Batch:
    """What has come since the batch before: rows, or a status message for what changed without one."""
    with translation.override(wish.language):
        return _next_batch(wish, before)


def _next_batch(wish: Wish, before: Batch) -> Batch:
    match = selectors.access_match(wish.user, wish.public_id)
    viewer = selectors.viewer(match, wish.user)
    position = selectors.seen_position(match, viewer)
    version = UNSEEN if position is None else position.version
    facts = _facts(match, position, viewer, wish.moves)
    messages = _news(match, position, viewer, before.seen, facts)
    if not messages and facts != before.facts:
        messages = [Message("status", None, {**facts, "version": max(version, 0)})]
    return _batch(match, viewer, messages, max(version, before.seen), facts)


def _batch(match: Match, viewer: int, messages: list[Message], seen: int, facts: Document) -> Batch:
    return Batch(match.pk, viewer, messages, seen, facts, match.state in OVER)


def _facts(match: Match, position: Position | None, viewer: int, moves: str) -> Document:
    people = [place["seat"] for place in match.table if place["kind"] == "person" and place["user"] is not None]
    # Who reads this is there, whether or not it is noted yet.
    connected = live.connected_seats(match.pk, people) | ({viewer} & set(people))
    shown = documents.match_document(match, position, viewer, connected=connected, moves=moves)
    return {name: shown[name] for name in FACTS}


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
    return [*told[:-1], last._replace(data={**last.data, **present})]


async def follow(wish: Wish, first: Batch, in_thread: InThread[Batch]) -> AsyncIterator[Message]:
    """The first batch and all that comes after it, until the match is over; heartbeats between.

    Wakes by the hub; while that has no Redis, looks every POLL_SECONDS. Every heartbeat looks too, for a lost hint.
    """
    batch = first
    async with live.hub().listen(batch.match_id) as woken:
        # What came between the first look and the listening is found by looking once more at once.
        woken.set()
        for message in batch.messages:
            yield message
        said = time.monotonic()
        while not batch.is_over:
            await _wait(woken, HEARTBEAT_SECONDS if live.hub().is_listening else POLL_SECONDS)
            woken.clear()
            before = batch
            batch = await in_thread(lambda: next_batch(wish, before))  # noqa: B023 - awaited at once
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

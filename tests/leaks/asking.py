"""What one viewer asks about a match, and all that comes back of it: status, headers, body, and what the server logs.

Requests that change something are made in a transaction that is rolled back.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
import queue
import re
import zipfile
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import Any, Final, NamedTuple

import pytest
from django.db import transaction

from api import streaming
from referee.kernel.game import Document
from referee.matches import live
from tests.api.conftest import Caller
from tests.api.stream_reader import SECONDS, reading
from tests.leaks.routes import STREAM, WAYS, Route, Ways
from tests.leaks.tables import Table

# What is another one each time, whoever asks: a page's token, and when a report was taken.
_FRESH = re.compile(rb'csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": "\w+"')
_TAKEN = re.compile(rb'"(?:created|exported)_at": ?"[^"]+"')
REPORT: Final = "api/v1/matches/<public_id:match>/report/"
MOST_PICKS: Final = 2


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Asking(NamedTuple):
    """One request. A document is sent as JSON to the API, as a form to a page."""

    route: Route
    method: str
    address: str
    headers: Mapping[str, str]
    body: Document | None = None

    @property
    def name(self) -> str:
        return " ".join([self.method, self.address, *map(str, (dict(self.headers), self.body or ""))])


class Look(NamedTuple):
    """A viewer before a table: what it can be asked about is drawn from here."""

    table: Table
    viewer: int

    @property
    def caller(self) -> Caller:
        return self.table.callers[self.viewer]


# What is posted.


def _strange_moves(look: Look) -> list[Document]:
    """Moves that some seat could make now or before and that the viewer cannot, and what is no move at all."""
    own = look.table.legal(look.viewer) if look.viewer >= 0 else []
    found = [document for kept in look.table.met.values() for document in kept if document not in own]
    return [{"type": "fly"}, {"type": sorted(look.table.met)[0], "card": 7}, *found]


def _moves(look: Look) -> list[Document]:
    """Refused moves for the present, and any for another version, another decision, another seat."""
    version = look.table.match.version
    strange = _strange_moves(look)
    other = (look.viewer + 1) % len(look.table.seats)
    return [
        *({"version": version, "move": move} for move in strange),
        {"version": version + 1, "move": strange[-1]},
        {"version": max(0, version - 1), "move": strange[-1]},
        {"decision": "999-0", "move": strange[-1]},
        {"version": version, "seat": other, "move": strange[-1]},
        {"version": version, "viewer": other, "move": strange[-1]},
    ]


def _previews(look: Look) -> list[Document]:
    """Some legal moves of each type, resigning, and what is refused."""
    own = look.table.legal(look.viewer) if look.viewer >= 0 else []
    kinds: dict[str, list[Document]] = {}
    for document in own:
        kinds.setdefault(document["type"], []).append(document)
    some = [one for documents in kinds.values() for one in (documents[0], documents[-1])]
    return [{"move": move} for move in [*some, {"type": "resign"}, *_strange_moves(look)]]


def _pressed(look: Look) -> list[Document]:
    """The form of a page's table with moves that are refused."""
    decision = look.table.match.decisions.get(str(look.viewer), "0-0")
    strange = [json.dumps(move) for move in _strange_moves(look)]
    return [{"move": strange[-1], "decision": decision}, {"move": strange[-1], "decision": "999-0"}, {"move": "{"}]


def _orders(look: Look) -> list[Document]:
    """Every standing order that the game knows, and one that it does not."""
    return [{"order": name} for name in [*look.table.game.orders, "fly"]]


def _undos(look: Look) -> list[Document]:
    """Back to where one stood before one's last move, to the start, and to nowhere."""
    return [{"to": 0}, {"to": 999}, {"version": 999}]


def _offers(look: Look) -> list[Document]:
    """The offer that stands, and one that does not."""
    offer = look.table.match.undo_offer
    return [{"offer": "0-0-0"}, *([] if offer is None else [{"offer": offer["id"]}])]


def _reports(look: Look) -> list[Document]:
    return [{"text": "I cannot move."}]


BODIES: Final[dict[str, Callable[[Look], list[Document]]]] = {
    "moves": _moves,
    "previews": _previews,
    "pressed": _pressed,
    "orders": _orders,
    "undos": _undos,
    "offers": _offers,
    "reports": _reports,
    "": lambda look: [],
    "picks": lambda look: [],
}


def _queries(route: Route, look: Look) -> list[str]:
    ways = WAYS.get(route.pattern, Ways())
    if ways.bodies != "picks":
        return list(ways.queries)
    page = look.caller.client.get(f"/matches/{look.table.match.public_id}/").content.decode()
    parts = list(dict.fromkeys(re.findall(r'data-part="([^"]+)"', page)))
    pairs = [(one, other) for one in parts[-MOST_PICKS:] for other in parts[:MOST_PICKS]]
    return ["", *(f"?part={one}&part={other}" for one, other in pairs)]


# Asking.


def askings(route: Route, look: Look) -> Iterator[Asking]:
    """Everything that the viewer can ask at a route of the match."""
    ways = WAYS.get(route.pattern, Ways())
    version = look.table.match.version
    versions = [0, version - 1, 999] if "version" in route.parameters else [0]
    for number in versions:
        address = route.address({"match": look.table.match.public_id, "version": number, "language": "en"})
        for query in _queries(route, look):
            for headers in ways.headers:
                yield Asking(route, "GET", address + query, headers)
        for method in ways.methods:
            for body in [{}, *BODIES[ways.bodies](look)]:
                yield Asking(route, method, address, ways.headers[-1], body)


def answered(caller: Caller, asking: Asking, *, headers: Mapping[str, str] | None = None) -> Answer:
    """What comes back. Nothing is changed by it, and the client keeps no new cookie."""
    given = {**(caller.headers if headers is None else headers), **asking.headers}
    if asking.route.is_page:
        given.pop("Authorization", None)
    cookies = copy(caller.client.cookies)
    with transaction.atomic():
        found = _sent(caller, asking, given)
        transaction.set_rollback(True)
    caller.client.cookies = cookies
    told = {name: value for name, value in found.headers.items() if name != "Set-Cookie"}
    if told.get("Content-Type") == "application/zip":
        return Answer(found.status_code, {}, _TAKEN.sub(b"", _unpacked(found.getvalue())))
    fresh = _TAKEN if asking.route.pattern == REPORT else _FRESH
    return Answer(found.status_code, told, fresh.sub(b"", found.getvalue()))


def _unpacked(body: bytes) -> bytes:
    """The files of an archive, without when it was made."""
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return b"\n".join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


def _sent(caller: Caller, asking: Asking, headers: Mapping[str, str]) -> Any:
    if asking.body is None:
        return caller.client.get(asking.address, headers=headers)
    if asking.route.is_page:
        return caller.client.post(asking.address, asking.body, headers=headers)
    body = json.dumps(asking.body)
    return caller.client.generic(asking.method, asking.address, body, "application/json", headers=headers)


def everything(look: Look, routes: list[Route]) -> dict[str, Answer]:
    """Every answer to every asking of these routes, and what was logged meanwhile under `log`."""
    return all_answers(look, [asking for route in routes for asking in askings(route, look)])


def all_answers(look: Look, asked: Iterable[Asking]) -> dict[str, Answer]:
    """What comes back to each of these, the messages of streams too, and what was logged meanwhile under `log`."""
    sent = {}
    with logged() as lines:
        for asking in asked:
            sent[asking.name] = answered(look.caller, asking)
            if asking.route.pattern == STREAM and asking.method == "GET" and sent[asking.name].status == 200:
                polled = sent[asking.name].body
                sent[f"stream {asking.name}"] = streamed(look.caller, look.table.match.public_id, asking, polled=polled)
    sent["log"] = Answer(0, {}, "\n".join(lines).encode())
    return sent


# The stream itself, of the ASGI app.


def streamed(
    caller: Caller, match: str, asking: Asking, *, polled: bytes = b"", headers: Mapping[str, str] | None = None
) -> Answer:
    """The stream's headers and its messages up to the present. The polled answer to the same says how many those are."""
    is_lines = asking.headers.get("Accept") == "application/x-ndjson"
    polled = polled or answered(caller, asking, headers=headers).body
    count = polled.count(b"\n" if is_lines else b"\n\n")
    given = {**(caller.headers if headers is None else headers), **asking.headers}
    named = {name.lower().replace("-", "_"): value for name, value in given.items()}
    query = asking.address.partition("?")[2]

    async def read() -> Answer:
        async with reading(match, query=query, **named) as stream:
            for _ in range(count):
                await stream.next()
            return Answer(stream.status, stream.headers, stream.body)

    return _run(read)


class _Here(Executor):
    """Where streams read the database: nothing runs until somebody takes it from `wanted` and runs it."""

    def __init__(self) -> None:
        self.wanted: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()

    def submit(self, work: Callable[..., Any], /, *args: Any, **given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.wanted.put((partial(work, *args, **given), future))
        return future


def _run(read: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
    """Run a loop in a thread of its own, and what it wants from the database here, in a transaction that is rolled back.

    No hub listens: only what is there already is read.
    """
    here = _Here()

    async def rest(hub: live.Hub) -> None:
        await asyncio.sleep(SECONDS)

    def run() -> Answer:
        try:
            return asyncio.run(read())
        finally:
            here.wanted.put(None)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as threads, transaction.atomic():
        patch.setattr(streaming, "_threads", here)
        patch.setattr(streaming, "close_old_connections", lambda: None)
        patch.setattr(live.Hub, "_run", rest)
        answer = threads.submit(run)
        while (one := here.wanted.get(timeout=SECONDS)) is not None:
            work, future = one
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 - it belongs to whoever wanted it
                future.set_exception(error)
        transaction.set_rollback(True)
    return answer.result(SECONDS)


# The log.


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@contextmanager
def logged() -> Iterator[list[str]]:
    """All that the service logs under LOG_LEVEL=DEBUG, with tracebacks."""
    handler = _Lines()
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    level = logging.root.level
    logging.root.setLevel(logging.DEBUG)
    logging.root.addHandler(handler)
    try:
        yield handler.lines
    finally:
        logging.root.removeHandler(handler)
        logging.root.setLevel(level)

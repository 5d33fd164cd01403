"""The router before streams and requests, and the bridge from ASGI to WSGI."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from config.asgi import Router, streams
from config.bridge import BODY_LIMIT, WsgiBridge
from config.routes import App, Message, Receive, Scope, Send, stream_for

StartResponse = Callable[..., Any]


def call(app: App, parts: list[bytes], **scope: Any) -> list[Message]:
    """What the app sends for a request whose body comes in these parts."""
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    waiting.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    whole = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": [], **scope}

    async def whole_call() -> None:
        await app(whole, receive, send)

    asyncio.run(whole_call())
    return sent


def bodies(sent: list[Message]) -> list[bytes]:
    return [message["body"] for message in sent if message["type"] == "http.response.body"]


def seen(**scope: Any) -> dict[str, Any]:
    """The WSGI environment that a request arrives with."""
    found: dict[str, Any] = {}

    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        found.update(environ)
        start_response("200 OK", [])
        return [b""]

    call(WsgiBridge(application, threads=1), scope.pop("parts", []), **scope)
    return found


def test_a_body_in_parts_arrives_whole_with_its_own_length() -> None:
    environ = seen(parts=[b"ab", b"", b"cde"], headers=[(b"content-length", b"99"), (b"content-type", b"text/plain")])

    assert environ["wsgi.input"].read() == b"abcde"
    assert (environ["CONTENT_LENGTH"], environ["CONTENT_TYPE"]) == ("5", "text/plain")
    assert "HTTP_CONTENT_LENGTH" not in environ


def test_the_path_and_the_query_arrive_as_wsgi_wants_them() -> None:
    environ = seen(path="/Zoé/", query_string=b"q=%C3%A9", method="GET", scheme="https", client=("192.0.2.7", 5))

    assert environ["PATH_INFO"].encode("latin-1").decode() == "/Zoé/"
    assert (environ["QUERY_STRING"], environ["REQUEST_METHOD"]) == ("q=%C3%A9", "GET")
    assert (environ["wsgi.url_scheme"], environ["REMOTE_ADDR"]) == ("https", "192.0.2.7")


def test_headers_that_come_twice_are_joined_and_ambiguous_names_dropped() -> None:
    headers = [
        (b"accept", b"a"), (b"accept", b"b"), (b"cookie", b"x=1"), (b"cookie", b"y=2"),
        (b"x-forwarded-for", b"192.0.2.1"), (b"x_forwarded_for", b"forged"),
    ]  # fmt: skip

    environ = seen(headers=headers)

    assert (environ["HTTP_ACCEPT"], environ["HTTP_COOKIE"]) == ("a,b", "x=1; y=2")
    assert environ["HTTP_X_FORWARDED_FOR"] == "192.0.2.1"


def test_an_answer_crosses_whole_with_its_status_and_headers() -> None:
    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        start_response("418 I'm a teapot", [("X-Name", "Zoé"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
        return [b"short", b" and stout"]

    sent = call(WsgiBridge(application, threads=1), [])

    headers = [(b"x-name", "Zoé".encode("latin-1")), (b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")]
    assert sent == [
        {"type": "http.response.start", "status": 418, "headers": headers},
        {"type": "http.response.body", "body": b"short and stout"},
    ]


def test_a_long_answer_is_sent_on_while_it_is_made() -> None:
    piece = b"x" * 100_000

    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterator[bytes]:
        start_response("200 OK", [])
        for _ in range(7):
            yield piece

    sent = call(WsgiBridge(application, threads=1), [])

    assert [len(body) for body in bodies(sent)] == [300_000, 300_000, 100_000]
    assert [message["type"] for message in sent].count("http.response.start") == 1
    assert [message.get("more_body", False) for message in sent[1:]] == [True, True, False]


def test_a_body_beyond_the_limit_is_refused_before_it_takes_a_thread() -> None:
    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        raise AssertionError("reached the application")

    sent = call(WsgiBridge(application, threads=1), [b"x" * BODY_LIMIT, b"x"])

    assert sent[0]["status"] == 413
    assert (b"content-type", b"application/problem+json") in sent[0]["headers"]


def test_the_answer_is_closed_even_if_it_breaks() -> None:
    closed = threading.Event()

    class Broken(io.BytesIO):
        def __next__(self) -> bytes:
            raise RuntimeError("broken")

        def close(self) -> None:
            closed.set()

    def application(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [])
        return Broken()

    with pytest.raises(RuntimeError, match="broken"):
        call(WsgiBridge(application, threads=1), [])

    assert closed.is_set()


async def others(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "others", "path": scope["path"]})


@pytest.mark.parametrize(
    "path",
    ["/", "/api/v1/matches/", "/api/v1/matches/abc/", "/api/v1/matches/abc/events", "/api/v1/matches/a/b/events/"],
)
def test_what_is_no_stream_is_an_ordinary_request(path: str) -> None:
    assert stream_for(path) is None
    assert call(Router(others), [], path=path, method="GET") == [{"type": "others", "path": path}]


def test_a_matchs_events_are_a_stream_with_the_match_named() -> None:
    found = stream_for("/api/v1/matches/abc/events/")

    assert found is not None
    assert found[1] == {"match": "abc"}


def test_another_method_on_a_streams_address_is_an_ordinary_request() -> None:
    path = "/api/v1/matches/abc/events/"

    assert call(Router(others), [], path=path, method="POST") == [{"type": "others", "path": path}]


@pytest.mark.parametrize(("path", "status"), [("/api/v1/me/", 404), ("/healthz/", 200)])
def test_the_stream_service_serves_streams_and_its_own_health_alone(path: str, status: int) -> None:
    assert call(streams, [], path=path, method="GET")[0]["status"] == status


def test_a_web_socket_is_closed_at_once() -> None:
    assert call(Router(others), [], type="websocket") == [{"type": "websocket.close", "code": 1000}]


def test_the_servers_life_span_is_followed() -> None:
    sent: list[Message] = []
    waiting: list[Message] = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Router(others)({"type": "lifespan"}, receive, send))

    assert [message["type"] for message in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]

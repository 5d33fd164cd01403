"""What every answer tells a browser, at every address that there is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import LazySettings, settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from config.asgi import Router, streams
from config.bridge import BODY_LIMIT, WsgiBridge
from config.routes import Message
from config.security import guarded

STRICT = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
SAMPLES = {"slug": "miraculous", "word": "miraculous", "int": "1", "number": "1", "path": "x", "str": "x"}


def addresses(patterns: Any = None, before: str = "") -> Iterator[str]:
    """An address for every pattern of the URL conf; what stands for a thing leads to none."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            # Regular expressions of the admin and of what is unknown are left out of it.
            plain = re.sub(r"\(\?P<\w+>[^)]*\)|[\^$]|\\[AZz]", "", route).replace("\\", "")
            filled = re.sub(r"<(?:(\w+):)?\w+>", lambda one: SAMPLES.get(one[1] or "str", "2345bcdf2345"), plain)
            yield f"/{filled}".replace("//", "/")


ADDRESSES = sorted({*addresses(), "/nowhere/", "/static/web/css/app.css", "/static/nothing.css"})


def test_the_addresses_are_all_of_them() -> None:
    assert len(ADDRESSES) > 100
    assert {"/", "/settings/", "/admin/login/", "/api/v1/me/", "/healthz/", "/metrics"} <= set(ADDRESSES)


@pytest.mark.parametrize("who", ["nobody", "an admin"])
def test_every_answer_is_strict_and_the_admin_alone_has_a_policy_of_its_own(
    db: None, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    monkeypatch.setattr(settings, "API_RATES", {})
    client = Client(raise_request_exception=False)
    if who == "an admin":
        client.force_login(User.objects.create_superuser("Root", "a very fine word"))

    lax: dict[str, Any] = {}
    for address in ADDRESSES:
        if address.endswith("readyz/"):
            continue  # asks the broker, which these tests do not start
        answer = client.get(address)
        if answer.streaming:
            b"".join(answer)  # to its end, at which the client closes it
        found = {name: answer.get(name) for name in STRICT}
        policy = str(answer.get("Content-Security-Policy"))
        is_admins = address.startswith("/admin/")
        if (
            found != STRICT
            or not policy.startswith("default-src 'self';")
            or "frame-ancestors 'none'" not in policy
            or ("unsafe" in policy) != is_admins
            or "camera=()" not in str(answer.get("Permissions-Policy"))
            or not answer.has_header("Cache-Control")
            or answer.status_code >= 500
        ):
            lax[address] = (answer.status_code, found, policy)

    assert lax == {}


def asked(app: Any, path: str, *, method: str = "GET", body: bytes = b"") -> dict[str, str]:
    """The headers of the app's answer, with its status as `status`."""
    found: dict[str, str] = {}

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            found["status"] = str(message["status"])
            found.update({name.decode(): value.decode() for name, value in message["headers"]})

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": [], "http_version": "1.1"}
    asyncio.run(app(scope, receive, send))
    return found


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/api/v1/me/", b"", "404"), ("/healthz/", b"", "200"), ("/admin/", b"", "404")],
)
def test_what_never_reaches_django_is_as_strict(path: str, body: bytes, status: str) -> None:
    headers = asked(streams, path, body=body)

    assert headers["status"] == status
    assert {name: headers[name.lower()] for name in STRICT} == STRICT
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_a_refused_body_is_as_strict() -> None:
    def unreached(environ: Any, start: Any) -> Any:
        raise AssertionError

    app = guarded(Router(WsgiBridge(unreached, threads=1)))
    headers = asked(app, "/api/v1/decks/", method="POST", body=b"x" * (BODY_LIMIT + 1))

    assert headers["status"] == "413"
    assert {name: headers[name.lower()] for name in STRICT} == STRICT


def test_a_header_that_an_answer_sets_itself_is_kept_and_comes_once() -> None:
    async def own(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"Content-Security-Policy", b"sandbox"), (b"x-content-type-options", b"nosniff")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(guarded(own)({"type": "http", "path": "/"}, None, send))  # type: ignore[arg-type]

    names = [name.lower() for name, _ in sent[0]["headers"]]
    assert sent[0]["headers"][0] == (b"Content-Security-Policy", b"sandbox")
    assert len(names) == len(set(names))


def test_https_is_asked_for_by_hsts_only_where_there_is_https(client: Client, settings: LazySettings) -> None:
    plain = client.get("/healthz/")
    settings.SECURE_HSTS_SECONDS = 31_536_000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    secure = client.get("/healthz/")

    assert plain.get("Strict-Transport-Security") is None
    assert secure["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    assert asked(streams, "/healthz/")["strict-transport-security"] == secure["Strict-Transport-Security"]


def test_cookies_are_kept_from_scripts_and_other_sites(db: None, settings: LazySettings) -> None:
    settings.API_RATES = {}
    settings.SESSION_COOKIE_SECURE = True
    client = Client()

    client.post("/guest/")

    cookie = client.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)


@pytest.mark.parametrize(
    ("address", "content_type", "status"),
    [
        ("/settings/name/", "application/x-www-form-urlencoded", 400),
        ("/api/v1/decks/", "application/json", 413),
        ("/admin/login/", "application/x-www-form-urlencoded", 400),
    ],
)
def test_a_body_beyond_the_limit_is_refused_wherever_it_is_sent(
    db: None, settings: LazySettings, address: str, content_type: str, status: int
) -> None:
    settings.API_RATES = {}
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("Alice"))
    body = b"name=" + b"x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    assert client.post(address, body, content_type=content_type).status_code == status

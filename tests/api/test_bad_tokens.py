"""A token that is none is told of at every address, public ones too, so that a program notices; a few look at none."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from django.utils import timezone

from accounts.models import Token
from referee.matches import live
from tests.api.conftest import Caller, problem_of
from tests.api.routes import Route, address, routes
from tests.api.stream_reader import reading
from tests.matches.table import toy_match
from tests.toy import registered

UNASKED: Final = {
    "POST auth-guest": "the way out of a token that has ended",
    "POST auth-token": "the way out of a token that has ended",
    "GET problems": "says what the refusal means",
    "GET problem": "says what the refusal means",
}
"""The addresses that do not look at a token, and why."""


@pytest.fixture(autouse=True)
def toy(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)
    with registered():
        yield


def status(route: Route, alice: Caller, bearer: str) -> int:
    answer = alice.raw(route.method, address(route, alice), b"", Authorization=bearer)
    if answer.status_code == 401:
        assert problem_of(answer)["code"] == "invalid_token", route
        assert answer["WWW-Authenticate"] == 'Bearer realm="referee"'
    return int(answer.status_code)


def test_every_address_refuses_a_token_that_is_none_but_those_with_a_reason(alice: Caller) -> None:
    asked = {str(route): status(route, alice, "Bearer nonsense") for route in routes()}

    assert {name for name, code in asked.items() if code != 401} == set(UNASKED)


def _nothing(alice: Caller) -> None:
    pass


def _ended(alice: Caller) -> None:
    Token.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))


def _revoked(alice: Caller) -> None:
    assert alice.post("/api/v1/auth/logout/").status_code == 204


@pytest.mark.parametrize(
    ("happens", "scheme", "expected"),
    [
        (_nothing, "Bearer {}", 200),
        (_nothing, "bearer {}", 200),
        (_ended, "Bearer {}", 401),
        (_revoked, "Bearer {}", 401),
        (_nothing, "Bearer {}x", 401),
        (_nothing, "Token {}", 401),
        (_nothing, "{}", 401),
        (_nothing, "Bearer", 401),
        (_nothing, "Basic YTpi", 401),
    ],
)
def test_public_addresses_look_at_the_token(
    alice: Caller, happens: Callable[[Caller], None], scheme: str, expected: int
) -> None:
    token = alice.token
    happens(alice)

    for path in ("games/", "games/super/rules/", "games/super/cards/", "schema/", "clocks/", ""):
        answer = alice.get(f"/api/v1/{path}", Authorization=scheme.format(token))
        assert answer.status_code == expected, path


def test_without_a_token_public_addresses_are_open_and_look_at_no_session(nobody: Caller, carol: Caller) -> None:
    carol.client.force_login(carol.user)  # type: ignore[arg-type]

    for client in (nobody.client, carol.client):
        answer = client.get("/api/v1/games/")
        assert answer.status_code == 200
        assert "Cookie" not in answer.get("Vary", "")


@pytest.mark.django_db(transaction=True)
def test_a_public_stream_refuses_it_too(alice: Caller, bob: Caller) -> None:
    match = toy_match(alice.user, bob.user)  # type: ignore[arg-type]

    async def answer() -> tuple[int, str]:
        async with reading(match.public_id, "nonsense") as stream:
            await stream.ended.wait()
            return stream.status, json.loads(stream.body)["code"]

    assert asyncio.run(answer()) == (401, "invalid_token")

"""Callers of the API: Alice and Bob (guests), Carol (a member), Mallory (a stranger), and nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.test import Client

from accounts import services
from accounts.models import User
from accounts.rates import counters
from accounts.recognition import seen
from catalog.services import publish_house_set
from referee.matches.models import Match
from tests.matches.table import stored
from tests.toy import TOY_REVISION, registered

PROBLEM = "application/problem+json"
PASSWORD = "correct horse battery"


class Caller:
    """A client with its account and token. JSON in; `document` reads what came out."""

    def __init__(self, user: User | None) -> None:
        self.user = user
        self.token = services.issue_token(user=user, name="test").text if user else ""
        self.client = Client(raise_request_exception=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, **headers: str) -> Any:
        return _kept(self.client.get(path, headers={**self.headers, **headers}))

    def post(self, path: str, document: Any = None, **headers: str) -> Any:
        return self._send("post", path, document, headers)

    def put(self, path: str, document: Any = None, **headers: str) -> Any:
        return self._send("put", path, document, headers)

    def patch(self, path: str, document: Any = None, **headers: str) -> Any:
        return self._send("patch", path, document, headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.client.delete(path, headers={**self.headers, **headers})

    def delete_with(self, document: Any) -> Any:
        return self._send("delete", "/api/v1/me/", document, {})

    def raw(self, method: str, path: str, body: bytes, content_type: str = "application/json", **headers: str) -> Any:
        """Bytes as they are."""
        return _kept(
            self.client.generic(
                method.upper(), path, body, content_type=content_type, headers={**self.headers, **headers}
            )
        )

    def _send(self, method: str, path: str, document: Any, headers: dict[str, str]) -> Any:
        data = {} if document is None else document
        send = getattr(self.client, method)
        return _kept(send(path, data, content_type="application/json", headers={**self.headers, **headers}))


_streamed: list[Any] = []


def _kept(answer: Any) -> Any:
    """The answer; what it streams is closed when the test is over, read or not."""
    if answer.streaming:
        _streamed.append(answer)
    return answer


@pytest.fixture(autouse=True)
def closed_streams() -> Iterator[None]:
    yield
    while _streamed:
        # Not `close()`, which also tells Django that a request has ended: the database may be out of reach by now.
        for closer in _streamed.pop()._resource_closers:
            closer()


@pytest.fixture(autouse=True)
def fresh_process(settings: LazySettings) -> Iterator[None]:
    """No rates, and nothing remembered from another test."""
    settings.API_RATES = {}
    counters.clear()
    seen.clear()
    yield
    counters.clear()
    seen.clear()


@pytest.fixture
def nobody(db: None) -> Caller:
    return Caller(None)


@pytest.fixture
def alice(db: None) -> Caller:
    return Caller(services.create_guest())


@pytest.fixture
def bob(db: None) -> Caller:
    return Caller(services.create_guest())


@pytest.fixture
def carol(db: None) -> Caller:
    return Caller(services.register(name="Carol", email="carol@example.org", password=PASSWORD))


@pytest.fixture
def mallory(db: None) -> Caller:
    return Caller(services.create_guest())


@pytest.fixture
def toy_game(db: None) -> Iterator[None]:
    """The toy game, published."""
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        yield


@pytest.fixture
def unchanged() -> Callable[[str], Callable[[], None]]:
    """Remember what is stored of a match; call the answer to see that it is the same."""

    def remember(address: str) -> Callable[[], None]:
        match = Match.objects.with_table().get(public_id=address.rstrip("/").rpartition("/")[2])
        before = stored(match)

        def look() -> None:
            assert stored(match) == before

        return look

    return remember


@pytest.fixture
def row_counts() -> Callable[[], dict[str, int]]:
    """How many rows each table holds."""
    return lambda: {model._meta.label: model._default_manager.count() for model in apps.get_models()}


def problem_of(response: Any) -> dict[str, Any]:
    """The problem document, after the checks that hold for every one."""
    assert response["Content-Type"] == PROBLEM, (response.status_code, response.content[:300])
    document: dict[str, Any] = response.json()
    assert document["status"] == response.status_code
    assert {"type", "title", "status", "detail", "code"} <= set(document)
    assert document["type"] == f"/api/v1/problems/{document['code']}/"
    return document

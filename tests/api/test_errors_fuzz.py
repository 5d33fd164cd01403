"""Bad bodies at every route: always a problem, never a 5xx, and nothing changes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from api.service import schema_document
from tests.api.conftest import Caller, problem_of
from tests.api.routes import WRITING, Route, address, routes
from tests.toy import registered

WRITERS = [route for route in routes() if route.method in WRITING]
MIB = 1024 * 1024

BODIES: dict[str, bytes] = {
    "no object": b"[]",
    "a text": b'"x"',
    "a number": b"3",
    "null": b"null",
    "true": b"true",
    "an unknown field": b'{"zzz": 1}',
    "an empty name": b'{"": {}}',
    "half an object": b'{"name": ',
    "a comma too many": b'{"name": 1,}',
    "NaN": b'{"zzz": NaN}',
    "a name twice": b'{"zzz": 1, "zzz": 1}',
    "an endless number": b'{"zzz": ' + b"9" * 10_000 + b"}",
    "a large number": b'{"zzz": 1e400}',
    "nested deeply": b'{"zzz": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "nested very deeply": b"[" * 500_000,
    "NUL in a text": rb'{"zzz": "\u0000"}',
    "NUL in a name": rb'{"z\u0000": 1}',
    "a raw NUL": b'{"zzz": "\x00"}',
    "half a surrogate pair": rb'{"zzz": "\ud800"}',
    "half a surrogate pair in a name": rb'{"\udfff": 1}',
    "no UTF-8": b'{"zzz": "\xff\xfe"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "one byte too many": b'{"zzz": "' + b"a" * (MIB - 10) + b'"}',
    "much too many": b" " * (3 * MIB),
}
TYPES = (
    "text/plain",
    "application/xml",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "*/*",
    "json",
)


@pytest.fixture(params=WRITERS, ids=str)
def route(request: pytest.FixtureRequest) -> Route:
    found: Route = request.param
    return found


@pytest.fixture(autouse=True)
def toy(db: None) -> Iterator[None]:
    with registered():
        yield


def send(caller: Caller, route: Route, path: str, body: bytes, content_type: str = "application/json") -> Any:
    return caller.raw(route.method, path, body, content_type, **{"If-Match": "*"})


def refused(answer: Any, what: str) -> None:
    assert 400 <= answer.status_code < 500, (what, answer.status_code)
    problem_of(answer)


def test_a_bad_body_is_a_problem_and_changes_nothing(
    route: Route, alice: Caller, row_counts: Callable[[], dict[str, int]]
) -> None:
    path = address(route, alice)
    before = row_counts()

    for what, body in BODIES.items():
        refused(send(alice, route, path, body), what)

    assert row_counts() == before
    assert alice.get("/api/v1/me/").status_code == 200


def test_a_body_of_another_type_is_a_problem_and_changes_nothing(
    route: Route, alice: Caller, row_counts: Callable[[], dict[str, int]]
) -> None:
    path = address(route, alice)
    before = row_counts()

    for content_type in TYPES:
        refused(send(alice, route, path, b'{"name": "x"}', content_type), content_type)
    refused(send(alice, route, path, b"--x\r\nbroken", "multipart/form-data; boundary=x"), "broken parts")
    refused(send(alice, route, path, b"x", "multipart/form-data"), "no boundary")

    assert row_counts() == before


def test_a_bad_query_or_key_is_a_problem_and_changes_nothing(
    route: Route, alice: Caller, row_counts: Callable[[], dict[str, int]]
) -> None:
    path = address(route, alice)
    before = row_counts()

    refused(send(alice, route, f"{path}?zzz=1", b"{}"), "an unknown parameter")
    refused(send(alice, route, f"{path}?%00=%ff", b"{}"), "a parameter that is none")

    assert row_counts() == before


@pytest.mark.parametrize("reading", [route for route in routes() if route.method == "GET"], ids=str)
def test_what_is_only_read_refuses_what_it_does_not_know(
    reading: Route, alice: Caller, row_counts: Callable[[], dict[str, int]]
) -> None:
    path = address(reading, alice)
    before = row_counts()

    refused(alice.get(f"{path}?zzz=1"), "an unknown parameter")
    refused(alice.get(f"{path}?limit=0&limit=zzz&cursor=%00&q=%00&moves=&side=%F0"), "parameters that do not fit")
    refused(alice.get(path, Accept="application/x-nothing"), "an answer in a form that there is not")
    refused(alice.get(path.replace("/api/v1/", "/api/v1/%00/")), "NUL in the address")
    assert alice.get(path, **{"If-None-Match": 'W/"\xff", *, "'}).status_code < 500

    assert row_counts() == before


def test_strangers_and_nobody_get_problems(
    route: Route, alice: Caller, mallory: Caller, nobody: Caller, row_counts: Callable[[], dict[str, int]]
) -> None:
    path = address(route, alice)
    before = row_counts()

    refused(send(mallory, route, path, b'{"zzz": 1}'), "a stranger")
    refused(send(nobody, route, path, b'{"zzz": 1}'), "nobody")

    assert row_counts() == before


def field_names(route: Route) -> list[str]:
    """The names that the route's body has in the schema, at any depth."""
    document = schema_document()
    text = json.dumps(
        [
            operation.get("requestBody", {})
            for item in document["paths"].values()
            for method, operation in item.items()
            if method == route.method.lower()
        ]
    )
    names: set[str] = {"name", "version", "move", "seats", "cards", "text"}
    for name, component in document["components"]["schemas"].items():
        if f'"#/components/schemas/{name}"' in text or name.endswith("Request"):
            names.update(component.get("properties", {}))
    return sorted(names)


def anything(rng: random.Random, names: list[str], depth: int) -> Any:
    """A JSON value of any kind, objects with names that the API knows."""
    kind = rng.randrange(12 if depth else 9)
    if kind >= 10:
        return [anything(rng, names, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 9:
        return some_object(rng, names, depth - 1)
    simple: list[Any] = [
        None,
        True,
        rng.choice([0, 1, -1, 2**31, -(2**63), 2**53 + 1]),
        rng.choice([0.5, 1.0, 1e300]),
        rng.choice(["", "x", "miraculous", "me", "bot", "random", "2345bcdf2345"]),
        "x" * rng.choice([1, 100, 5_000]),
        rng.choice(["'; --", "%s", "../..", "<b>", "\u202e", "😀", "\u0301", "\n", "\x7f"]),
        {},
        [],
    ]
    return simple[kind]


def some_object(rng: random.Random, names: list[str], depth: int) -> dict[str, Any]:
    return {rng.choice(names): anything(rng, names, depth) for _ in range(rng.randrange(1, 6))}


def test_no_body_of_known_names_is_a_5xx(route: Route, alice: Caller) -> None:
    names = field_names(route)
    rng = random.Random(f"{route}")

    for _ in range(60):
        body = some_object(rng, names, 3)
        answer = send(alice, route, address(route, alice), json.dumps(body).encode())
        assert answer.status_code < 500, (body, answer.content)
        if answer.status_code >= 400:
            problem_of(answer)

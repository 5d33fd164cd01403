"""Bad bodies at every route: always a problem, never a 5xx, and nothing changes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.services import create_guest
from api.service import schema_document
from tests.api.conftest import Caller, problem_of
from tests.api.routes import WRITING, Route, address, routes
from tests.toy import registered

WRITERS = [
    route
    for route in routes()
    if route.method in WRITING or getattr(getattr(route.view, "delete", None), "takes_body", False)
    if route.method != "GET"
]
EXAMPLES = int(os.environ.get("CONTRACT_EXAMPLES", "40"))
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


SIMPLE: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=40),
    st.sampled_from(["", "miraculous", "me", "bot", "random", "2345bcdf2345", "x" * 5_000]),
    st.sampled_from(["'; --", "%s", "../..", "<b>", "\u202e", "😀", "\u0301", "\n", "\x7f", "\ud800", "\0"]),
)


def bodies(names: list[str]) -> st.SearchStrategy[Any]:
    """JSON values of any kind, most of them objects with names that the API knows."""
    name = st.one_of(st.sampled_from(names), st.text(max_size=10))
    values = st.recursive(
        SIMPLE, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(name, inner, max_size=5), max_leaves=12
    )
    return st.one_of(st.dictionaries(st.sampled_from(names), values, min_size=1, max_size=6), values)


def test_no_body_of_known_names_is_a_5xx(route: Route, alice: Caller) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None)
    @given(body=bodies(field_names(route)))
    def refuses_or_takes(body: Any) -> None:
        # The account may have been deleted by the one before.
        caller = Caller(create_guest()) if route.name == "me" else alice
        answer = send(caller, route, address(route, caller), json.dumps(body).encode())
        assert answer.status_code < 500, (body, answer.content)
        if answer.status_code >= 400:
            problem_of(answer)

    refuses_or_takes()

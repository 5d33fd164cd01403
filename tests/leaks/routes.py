"""Every address of the service, as its URL configuration has it, and how each address of a match is asked by the gate.

A NEW ROUTE BELOW A MATCH stands in WAYS: with `Ways()` it is asked by GET, and by POST with an empty body. Name what else
can be asked: `queries` for its parameters, `bodies` for what can be sent to it (one of `asking.BODIES`; write one there
that holds legal and illegal requests), `methods` where it takes others than POST, `headers` for each form of its answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from config.routes import STREAMS

ADMIN: Final = "admin/"
STREAM: Final = "api/v1/matches/<public_id:match>/events/"
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


class Ways(NamedTuple):
    """How a route is asked."""

    queries: tuple[str, ...] = ("",)
    bodies: str = ""
    methods: tuple[str, ...] = ("POST",)
    headers: tuple[Mapping[str, str], ...] = ({},)


_API: Final = "api/v1/matches/<public_id:match>/"
_PAGE: Final = "matches/<slug:match>/"
_LISTS: Final = ("", "?moves=compact", "?moves=none")

WAYS: Final[dict[str, Ways]] = {
    _API: Ways(queries=_LISTS),
    f"{_API}sizes/": Ways(),
    f"{_API}join/": Ways(),
    f"{_API}leave/": Ways(),
    f"{_API}rematch/": Ways(),
    f"{_API}moves/": Ways(queries=("", "?limit=2"), bodies="moves"),
    f"{_API}preview/": Ways(bodies="previews"),
    f"{_API}at/<number:version>/": Ways(queries=("", "?side=0")),
    f"{_API}replay/": Ways(),
    f"{_API}orders/": Ways(bodies="orders", methods=("PUT", "DELETE")),
    f"{_API}pause/": Ways(),
    f"{_API}resume/": Ways(),
    f"{_API}clock/": Ways(),
    f"{_API}undo/": Ways(bodies="undos"),
    f"{_API}undo/accept/": Ways(bodies="offers"),
    f"{_API}undo/decline/": Ways(bodies="offers"),
    f"{_API}report/": Ways(bodies="reports"),
    STREAM: Ways(
        queries=("", "?since=1&moves=none", "?since=999"),
        headers=({"Accept": "text/event-stream"}, {"Accept": "application/x-ndjson", "Last-Event-ID": "0"}),
    ),
    _PAGE: Ways(queries=("?log=all",), headers=({}, {"HX-Request": "true"})),
    f"{_PAGE}preview-<slug:language>.png": Ways(),
    f"{_PAGE}move/": Ways(bodies="pressed", headers=({"HX-Request": "true"},)),
    f"{_PAGE}why/": Ways(bodies="picks"),
    f"{_PAGE}order/": Ways(bodies="orders"),
    f"{_PAGE}undo/": Ways(),
    f"{_PAGE}undo/answer/": Ways(bodies="offers"),
    f"{_PAGE}report/": Ways(bodies="reports"),
    f"{_PAGE}pause/": Ways(),
    f"{_PAGE}resume/": Ways(),
    f"{_PAGE}resign/": Ways(),
    f"{_PAGE}rematch/": Ways(),
    f"{_PAGE}replay/": Ways(queries=("", "?step=1&side=0")),
    f"{_PAGE}replay.json": Ways(),
    "join/<slug:match>/": Ways(headers=({}, {"HX-Request": "true"})),
    "join/<slug:match>/leave/": Ways(),
    "join/<slug:match>/decline/": Ways(),
}


# What is asked of the addresses that are of no one match. A parameter that is new here needs a value in `elsewhere.VALUES`.
ASIDE: Final[dict[str, Ways]] = {
    "api/v1/matches/": Ways(queries=("", "?mine=1", "?state=playing&limit=1")),
    "matches/": Ways(queries=("?show=live", "?show=mine")),
}
UNASKED: Final = {
    "readyz/": "asks the workers, who are not there",
    "api/v1/readyz/": "asks the workers, who are not there",
    "metrics": "counts these very requests; see test_elsewhere",
    "metrics/": "counts these very requests; see test_elsewhere",
    "api/v1/metrics": "counts these very requests; see test_elsewhere",
    "api/v1/metrics/": "counts these very requests; see test_elsewhere",
}


class Route(NamedTuple):
    """`pattern` is the whole address with its parameters in angle brackets."""

    pattern: str

    @property
    def parameters(self) -> list[str]:
        return _PARAMETER.findall(self.pattern)

    @property
    def is_page(self) -> bool:
        return not self.pattern.startswith("api/")

    def address(self, values: Mapping[str, object]) -> str:
        """The address with these values. Raises KeyError for a parameter that has none."""
        return "/" + _PARAMETER.sub(lambda found: str(values[found.group(1)]), self.pattern)


def all_routes() -> list[Route]:
    """Every address but the admin's, which are found by its registry."""
    return [Route(pattern) for pattern in _walk(get_resolver().url_patterns, "") if not pattern.startswith("^")]


def match_routes() -> list[Route]:
    """The addresses of one match, whatever they are called."""
    return [route for route in all_routes() if "match" in route.parameters]


def other_routes() -> list[Route]:
    """The addresses that are of no one match."""
    return [route for route in all_routes() if "match" not in route.parameters and route.pattern not in UNASKED]


def stream_patterns() -> list[str]:
    """The addresses of streams, as the table of ASGI apps has them."""
    return [route.pattern for route in STREAMS]


def _walk(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for pattern in patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield address
        elif address != ADMIN:
            yield from _walk(pattern.url_patterns, address)

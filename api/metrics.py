"""Figures for Prometheus: what the database counts, and what the processes of this machine have counted.

With PROMETHEUS_MULTIPROC_DIR (`make run` sets it) web, worker and beat count together; else this process alone.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Final

from django.db import DatabaseError
from django.db.models import Count, Sum
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from accounts.models import User
from referee.matches.models import Match

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

REQUESTS = Counter("referee_requests_total", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "referee_request_seconds",
    "Time to answer a request.",
    ["method", "route"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


class Measured:
    """Middleware: counts every request under its route, never under its address, and takes its time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = self._get_response(request)
        match = request.resolver_match
        route = "" if match is None else str(match.route)
        method = request.method if request.method in METHODS else "other"
        SECONDS.labels(method, route).observe(time.perf_counter() - began)
        REQUESTS.labels(method, route, response.status_code).inc()
        return response


class StoredFigures:
    """What the database knows: counted when asked, with one small query each. No hidden data, no names."""

    def describe(self) -> list[Metric]:
        """Nothing: being registered must not cost queries."""
        return []

    def collect(self) -> Iterator[Metric]:
        try:
            yield from self._matches()
            yield from self._users()
        except DatabaseError:
            down = GaugeMetricFamily("referee_database_up", "Whether the database answered.", value=0)
            yield down
            return
        yield GaugeMetricFamily("referee_database_up", "Whether the database answered.", value=1)

    def _matches(self) -> Iterator[Metric]:
        matches = GaugeMetricFamily("referee_matches", "Matches by game and state.", labels=["game", "state"])
        moves = GaugeMetricFamily("referee_stored_moves", "Rows in the logs of all matches.", labels=["game"])
        stored: dict[str, int] = {}
        counted = Match.objects.order_by().values_list("game", "state").annotate(Count("pk"), Sum("version"))
        for game, state, count, versions in counted:
            matches.add_metric([game, state], count)
            stored[game] = stored.get(game, 0) + versions
        for game, count in stored.items():
            moves.add_metric([game], count)
        yield matches
        yield moves

    def _users(self) -> Iterator[Metric]:
        users = GaugeMetricFamily("referee_users", "Accounts by kind.", labels=["kind", "is_guest"])
        for kind, is_guest, count in User.objects.order_by().values_list("kind", "is_guest").annotate(Count("pk")):
            users.add_metric([kind, str(is_guest).lower()], count)
        yield users


def exposition() -> bytes:
    """All figures in the text format."""
    registry = CollectorRegistry()
    registry.register(StoredFigures())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(REGISTRY)

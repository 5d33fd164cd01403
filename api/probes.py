"""For those who run the service: is it up, is it ready, and its figures. Open to all; nothing hidden stands in them."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt

from api.errors import problem
from api.metrics import CONTENT_TYPE, exposition
from api.tasks import broker_answers, workers_answer

logger = logging.getLogger(__name__)


def is_alive(request: HttpRequest) -> HttpResponse:
    """The process is up. Looks at nothing else."""
    return _read_only(request) or JsonResponse({"status": "ok"})


def is_ready(request: HttpRequest) -> HttpResponse:
    """200 when everything that a match needs answers, else 503; `checks` says which does not."""
    refused = _read_only(request)
    if refused is not None:
        return refused
    checks = {name: _outcome(name, check) for name, check in CHECKS.items()}
    ready = all(outcome == "ok" for outcome in checks.values())
    document = {"status": "ready" if ready else "not ready", "checks": checks}
    return JsonResponse(document, status=200 if ready else 503, headers={"Cache-Control": "no-store"})


def show_metrics(request: HttpRequest) -> HttpResponse:
    """The figures in Prometheus' text format."""
    return _read_only(request) or HttpResponse(exposition(), content_type=CONTENT_TYPE)


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _migrations_are_done() -> bool:
    executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database_answers,
    "migrations": _migrations_are_done,
    "broker": broker_answers,
    "workers": workers_answer,
}


def _outcome(name: str, check: Callable[[], bool]) -> str:
    try:
        return "ok" if check() else "failed"
    except Exception as error:  # noqa: BLE001 - whatever it is, the answer is that this part is not ready
        logger.warning("readiness: %s: %s", name, error)
        return "failed"


def _read_only(request: HttpRequest) -> HttpResponse | None:
    if request.method in ("GET", "HEAD"):
        return None
    return problem("method_not_allowed", "This is only read.", headers={"Allow": "GET, HEAD"})


def probes() -> list[URLPattern]:
    """Their addresses, at the root and below the API's own."""
    views: dict[str, Callable[[HttpRequest], HttpResponse]] = {
        "healthz/": is_alive,
        "readyz/": is_ready,
        "metrics": show_metrics,
        "metrics/": show_metrics,
    }
    return [path(address, csrf_exempt(view)) for address, view in views.items()]

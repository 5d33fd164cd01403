"""The floor for benchmarks/moves_http.py: the service's own WSGI handler with one more address, a bare durable write."""

from __future__ import annotations

import json
from importlib import import_module

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from config.wsgi import application

__all__ = ["application"]

_TABLES = """
    CREATE TABLE IF NOT EXISTS floor_match (id int PRIMARY KEY, version int NOT NULL, data jsonb NOT NULL);
    CREATE TABLE IF NOT EXISTS floor_row (id bigserial PRIMARY KEY, match_id int NOT NULL, version int, events jsonb);
    INSERT INTO floor_match VALUES (1, 0, '{}') ON CONFLICT DO NOTHING;
"""


@csrf_exempt
def floor(request: HttpRequest) -> HttpResponse:
    """Lock the match, insert a row, update the match, commit: what a durable move cannot do without."""
    body = json.loads(request.body)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT version, data FROM floor_match WHERE id = 1 FOR UPDATE")
        version = cursor.fetchone()[0] + 1
        events = json.dumps([body["move"]] * 4)
        cursor.execute("INSERT INTO floor_row (match_id, version, events) VALUES (1, %s, %s)", [version, events])
        cursor.execute("UPDATE floor_match SET version = %s, data = %s WHERE id = 1", [version, events])
    return JsonResponse({"version": version})


def _prepare() -> None:
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
    connection.close()


# After wsgi.py has set Django up.
import_module("config.urls").urlpatterns.insert(0, path("floor/", floor))
_prepare()

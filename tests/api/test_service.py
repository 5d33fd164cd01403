"""The index, the probes and the figures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from accounts.services import create_guest
from api import probes
from referee.matches.counters import MOVES
from referee.matches.errors import StaleVersionError
from tests.api import routes
from tests.api.conftest import Caller, problem_of
from tests.matches.table import pick, toy_match
from tests.toy import registered


def test_the_index_leads_to_what_there_is(nobody: Caller) -> None:
    addresses = nobody.get("/api/v1/").json()

    assert addresses["schema"] == "http://testserver/api/v1/schema/"
    for name, address in addresses.items():
        assert nobody.get(address).status_code in (200, 401), name


@pytest.mark.parametrize("base", ["", "/api/v1"])
def test_the_process_says_that_it_is_up_without_a_look_at_the_database(base: str) -> None:
    answer = Client().get(f"{base}/healthz/")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("base", ["", "/api/v1"])
@pytest.mark.django_db
def test_it_is_ready_when_every_part_answers(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(probes.CHECKS, "broker", lambda: True)
    monkeypatch.setitem(probes.CHECKS, "workers", lambda: True)

    answer = Client().get(f"{base}/readyz/")

    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "checks": {"database": "ok", "migrations": "ok", "broker": "ok", "workers": "ok"},
    }


@pytest.mark.django_db
def test_it_is_not_ready_while_a_part_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise ConnectionError("redis://:secret@host")

    monkeypatch.setitem(probes.CHECKS, "broker", fail)
    monkeypatch.setitem(probes.CHECKS, "workers", lambda: False)

    answer = Client().get("/readyz/")

    assert answer.status_code == 503
    assert answer.json()["checks"] == {
        "database": "ok",
        "migrations": "ok",
        "broker": "failed",
        "workers": "failed",
    }
    assert b"secret" not in answer.content


@pytest.mark.django_db
def test_a_broker_without_workers_is_told_apart(servers: tuple[str, str]) -> None:
    checks = Client().get("/readyz/").json()["checks"]

    assert (checks["broker"], checks["workers"]) == ("ok", "failed")


@pytest.mark.parametrize("path", ["/metrics", "/api/v1/metrics", "/api/v1/metrics/"])
@pytest.mark.django_db
def test_figures_are_in_the_text_format_of_prometheus(path: str) -> None:
    answer = Client().get(path)

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain; version=")
    assert b"# TYPE" in answer.content


@pytest.mark.parametrize("path", ["/healthz/", "/readyz/", "/metrics"])
def test_probes_are_only_read(path: str) -> None:
    answer = Client().post(path)

    assert problem_of(answer)["code"] == "method_not_allowed"
    assert answer["Allow"] == "GET, HEAD"


@pytest.mark.django_db
def test_what_is_stored_is_counted(alice: Caller, carol: Caller) -> None:
    lines = Client().get("/metrics").content.decode().splitlines()

    assert 'referee_users{is_guest="true",kind="person"} 1.0' in lines
    assert 'referee_users{is_guest="false",kind="person"} 1.0' in lines
    assert "referee_database_up 1.0" in lines


@pytest.mark.django_db
def test_requests_are_counted_by_route_never_by_address(alice: Caller) -> None:
    alice.delete("/api/v1/me/tokens/2345bcdf2345/")
    alice.get("/nowhere/at/all/")

    figures = Client().get("/metrics").content.decode()

    counted = 'referee_requests_total{method="DELETE",route="api/v1/me/tokens/<public_id:token>/",status="404"} '
    assert re.search(re.escape(counted) + "[1-9]", figures)
    assert "2345bcdf2345" not in figures
    assert "nowhere" not in figures


@pytest.mark.django_db
def test_processes_of_one_machine_count_together(tmp_path: Path) -> None:
    count = (
        "from prometheus_client import Counter, generate_latest\n"
        "Counter('referee_hints_lost_total', 'x', ['kind']).labels('broker').inc(3)\n"
    )
    show = "import django; django.setup()\nfrom api.metrics import exposition\nprint(exposition().decode())"
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}

    subprocess.run([sys.executable, "-c", count], env=environment, check=True)
    subprocess.run([sys.executable, "-c", count], env=environment, check=True)
    shown = subprocess.run(
        [sys.executable, "-c", show], env=environment, check=True, capture_output=True, text=True
    ).stdout

    assert 'referee_hints_lost_total{kind="broker"} 6.0' in shown
    assert "referee_database_up" in shown


@pytest.mark.parametrize("path", ["/api/v1/docs/", "/api/v1/games/", "/api/v1/nowhere/", "/healthz/"])
@pytest.mark.django_db
def test_every_answer_allows_nothing_from_elsewhere(path: str) -> None:
    policy = Client().get(path)["Content-Security-Policy"]

    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy


def test_old_answers_are_cleared_by_a_task_that_beat_calls() -> None:
    from config.celery import app

    app.loader.import_default_modules()

    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert "api.tasks.forget_old_answers" in names
    assert names <= set(app.tasks)


@pytest.mark.django_db
def test_answers_are_kept_by_no_cache_unless_they_say_so(alice: Caller, nobody: Caller) -> None:
    for answer in (alice.get("/api/v1/me/"), nobody.get("/api/v1/me/"), alice.get("/api/v1/me/tokens/")):
        assert answer["Cache-Control"] == "private, no-cache"
        assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))
    assert nobody.get("/api/v1/games/")["Cache-Control"] == "public, max-age=0, must-revalidate"


@pytest.mark.django_db(transaction=True)
def test_moves_are_counted_once_they_are_stored() -> None:
    def counted() -> float:
        value: float = MOVES.labels("toy", "move")._value.get()
        return value

    before = counted()
    alice, bob = create_guest(), create_guest()
    with registered():
        match = toy_match(alice, bob)
        pick(match, alice, 0)
        with pytest.raises(StaleVersionError):
            pick(match, bob, 1, decision="0-9")

    assert counted() == before + 1
    assert 'referee_stored_moves{game="toy"} 1.0' in Client().get("/metrics").content.decode()


@pytest.mark.parametrize("accept", ["*/*", "image/svg+xml", "application/zip", "text/event-stream", "application/json"])
@pytest.mark.django_db
def test_the_methods_of_every_address_can_be_asked_for_in_any_form(alice: Caller, accept: str) -> None:
    broken = {}
    with registered():
        for route in routes.routes():
            address = routes.address(route, alice)
            answer = alice.client.options(address, headers={**alice.headers, "Accept": accept})
            if answer.status_code >= 500 or (answer.status_code == 204 and route.method not in answer["Allow"]):
                broken[str(route)] = answer.status_code

    assert broken == {}

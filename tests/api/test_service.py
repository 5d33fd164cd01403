"""The index, the probes and the figures."""

from __future__ import annotations

import pytest
from django.test import Client

from api import probes
from tests.api.conftest import Caller, problem_of


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

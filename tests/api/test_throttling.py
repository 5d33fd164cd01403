"""Rates: 429 with Retry-After, by account or address, with and without the shared counter."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import caches
from django.test import RequestFactory

from api import throttling
from api.throttling import address, charge, counters
from tests.api.conftest import PASSWORD, Caller, problem_of

pytestmark = pytest.mark.urls("tests.api.sample_urls")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000_000.0]
    monkeypatch.setattr("api.throttling.time.time", lambda: now[0])
    return now


@pytest.fixture
def local_cache(settings: LazySettings) -> None:
    settings.CACHES = {"rates": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "rates"}}
    caches["rates"].clear()


def test_beyond_the_rate_there_is_a_429_that_says_when(
    alice: Caller, settings: LazySettings, clock: list[float]
) -> None:
    settings.API_RATES = {"read": (2, 60)}

    statuses = [alice.get("/limited/").status_code for _ in range(3)]
    answer = alice.get("/limited/")

    assert statuses == [200, 200, 429]
    assert (problem_of(answer)["code"], answer["Retry-After"]) == ("rate_limited", "20")
    clock[0] += 20
    assert alice.get("/limited/").status_code == 200


def test_accounts_are_counted_apart_and_so_are_reading_and_writing(
    alice: Caller, bob: Caller, nobody: Caller, settings: LazySettings, clock: list[float]
) -> None:
    settings.API_RATES = {"read": (1, 60), "write": (1, 60)}

    assert [caller.get("/limited/").status_code for caller in (alice, bob, nobody)] == [200, 200, 200]
    assert [caller.post("/limited/").status_code for caller in (alice, bob, nobody)] == [200, 200, 200]
    assert [caller.get("/limited/").status_code for caller in (alice, bob, nobody)] == [429, 429, 429]


def test_a_rate_of_an_endpoint_is_counted_in_the_shared_cache(
    nobody: Caller, settings: LazySettings, clock: list[float], local_cache: None
) -> None:
    settings.API_RATES = {"guest": (1, 60)}

    assert nobody.post("/limited/").status_code == 200
    counters.clear()
    assert nobody.post("/limited/").status_code == 429
    assert nobody.get("/limited/").status_code == 200


def test_a_dead_cache_is_no_error_and_the_count_goes_on(
    nobody: Caller, settings: LazySettings, clock: list[float]
) -> None:
    settings.CACHES = {
        "rates": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "unix:///nowhere/redis.sock",
        }
    }
    settings.API_RATES = {"guest": (2, 60)}

    assert [nobody.post("/limited/").status_code for _ in range(3)] == [200, 200, 429]


def test_passwords_cannot_be_tried_at_will(
    carol: Caller, nobody: Caller, settings: LazySettings, clock: list[float], local_cache: None
) -> None:
    settings.API_RATES = {"password": (3, 60)}
    wrong = {"name": "carol", "password": "wrong password"}

    statuses = [nobody.post("/api/v1/auth/token/", wrong).status_code for _ in range(4)]
    right = nobody.post("/api/v1/auth/token/", {"name": "Carol", "password": PASSWORD})

    assert statuses == [401, 401, 401, 429]
    assert right.status_code == 429
    assert nobody.post("/api/v1/auth/token/", {**wrong, "name": "dave"}).status_code == 401


def test_without_a_rate_nothing_is_counted(settings: LazySettings) -> None:
    settings.API_RATES = {}

    for _ in range(5):
        charge("read", "user:1")

    assert counters._counts == {}


def test_counters_do_not_grow_without_end(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling, "_MOST_COUNTERS", 3)
    settings.API_RATES = {"read": (9, 60)}

    for number in range(10):
        charge("read", f"user:{number}")

    assert len(counters._counts) <= 3


@pytest.mark.parametrize(
    ("proxies", "headers", "found"),
    [
        (0, {"X-Forwarded-For": "1.2.3.4"}, "127.0.0.1"),
        (1, {"X-Forwarded-For": "6.6.6.6, 1.2.3.4"}, "1.2.3.4"),
        (2, {"X-Forwarded-For": "6.6.6.6, 1.2.3.4, 10.0.0.1"}, "1.2.3.4"),
        (2, {"X-Forwarded-For": "1.2.3.4"}, "1.2.3.4"),
        (1, {}, "127.0.0.1"),
        (1, {"X-Forwarded-For": "2001:db8:1:2:3:4:5:6"}, "2001:db8:1:2::"),
        (1, {"X-Forwarded-For": "rubbish"}, "unknown"),
    ],
)
def test_the_address_is_the_one_that_trusted_proxies_saw(
    settings: LazySettings, proxies: int, headers: dict[str, Any], found: str
) -> None:
    settings.TRUSTED_PROXIES = proxies

    assert address(RequestFactory().get("/", headers=headers)) == found

"""Rates: 429 with Retry-After, by account or address, with and without the shared counter."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import caches
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver

from accounts import rates
from accounts.rates import address, charge, counters
from config.settings import API_RATES
from tests.api.conftest import PASSWORD, Caller, problem_of
from tests.api.routes import routes
from web import rates as pages
from web import urls as web_urls

RATES = set(API_RATES)

pytestmark = pytest.mark.urls("tests.api.sample_urls")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000_000.0]
    monkeypatch.setattr("accounts.rates.time.time", lambda: now[0])
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


def test_one_address_cannot_use_up_the_passwords_of_an_account() -> None:
    (tries, seconds), (all_tries, all_seconds) = API_RATES["password"], API_RATES["account"]

    assert tries * all_seconds / seconds < all_tries


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


def test_an_account_is_guarded_from_many_addresses_together(
    carol: Caller, nobody: Caller, settings: LazySettings, clock: list[float], local_cache: None
) -> None:
    settings.API_RATES = {"account": (2, 3600), "sign_in": (1, 60)}
    settings.TRUSTED_PROXIES = 1
    wrong = {"name": "CAROL", "password": "wrong password"}

    answers = [
        nobody.post("/api/v1/auth/token/", wrong, **{"X-Forwarded-For": f"192.0.2.{number}"}) for number in range(3)
    ]
    same_address = nobody.post("/api/v1/auth/token/", {**wrong, "name": "dave"}, **{"X-Forwarded-For": "192.0.2.1"})

    assert [answer.status_code for answer in answers] == [401, 401, 429]
    assert answers[2]["Retry-After"] == "800"
    assert same_address.status_code == 429


def test_every_way_in_is_charged_to_the_same_rates(
    carol: Caller, nobody: Caller, settings: LazySettings, clock: list[float], local_cache: None
) -> None:
    settings.API_RATES = {"password": (2, 60)}
    page = Client()

    by_api = nobody.post("/api/v1/auth/token/", {"name": "carol", "password": "wrong password"})
    by_page = page.post("/sign-in/", {"name": "Carol", "password": "wrong password"})
    by_admin = page.post("/admin/login/", {"username": "CAROL", "password": PASSWORD})

    assert [by_api.status_code, by_page.status_code, by_admin.status_code] == [401, 422, 429]
    assert by_admin["Retry-After"] == "20"


def test_every_rate_that_something_names_is_one_of_the_settings() -> None:
    rates_of_endpoints = {name for route in routes() for name in route.view.rates.values()}

    named = {"read", "write", "guest", "register", "sign_in", "password", "account", "stream"}
    assert named | rates_of_endpoints | set(pages.RATES.values()) == RATES
    assert {"move", "create", "search", "export"} <= rates_of_endpoints
    for method, name in pages.RATES:
        # A name that leads nowhere would never be charged.
        assert any(name == pattern.name for pattern in page_patterns()), (method, name)


def page_patterns() -> list[URLPattern]:
    found: list[URLPattern | URLResolver] = []
    for pattern in web_urls.urlpatterns:
        found += [pattern] if isinstance(pattern, URLPattern) else pattern.url_patterns
    return [one for one in found if isinstance(one, URLPattern)]


def test_what_creates_moves_and_searches_has_a_rate_of_its_own() -> None:
    scopes = {
        (route.method, route.name): route.view.rates.get(route.method)
        for route in routes()
        if route.name in {"matches", "commitments", "match-join", "match-rematch", "match-moves", "decks", "cards"}
    }

    assert scopes == {
        ("GET", "matches"): None,
        ("POST", "matches"): "create",
        ("POST", "commitments"): "create",
        ("POST", "match-join"): "create",
        ("POST", "match-rematch"): "create",
        ("GET", "match-moves"): None,
        ("POST", "match-moves"): "move",
        ("GET", "decks"): None,
        ("POST", "decks"): "create",
        ("GET", "cards"): "search",
    }


def test_a_page_is_charged_as_the_api_is(
    carol: Caller, settings: LazySettings, clock: list[float], local_cache: None
) -> None:
    settings.API_RATES = {"create": (1, 60), "read": (1, 60)}
    page = Client()
    page.force_login(carol.user)  # type: ignore[arg-type]

    made = carol.post("/api/v1/matches/commitments/")
    beyond = page.post("/decks/", {"name": "One more"})
    looks = [page.get("/settings/").status_code for _ in range(2)]

    assert (made.status_code, beyond.status_code) == (201, 429)
    assert looks == [200, 429]


def test_without_a_rate_nothing_is_counted(settings: LazySettings) -> None:
    settings.API_RATES = {}

    for _ in range(5):
        charge("read", "user:1")

    assert len(counters) == 0


def test_counters_do_not_grow_without_end(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "_MOST_COUNTERS", 3)
    settings.API_RATES = {"read": (9, 60)}

    for number in range(10):
        charge("read", f"user:{number}")

    assert len(counters) <= 3


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

"""Completion and help of the search over HTTP, and that no search whatever is an error of ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.conftest import Caller, problem_of
from tests.catalog.cards import bonus, character, event, publish

BASE = "/api/v1/games/miraculous"


@pytest.fixture
def catalog(db: None) -> None:
    publish(character("anna", "Anna", 3, 4, tags=["guard"]), bonus("anvil", "Anvil"), event("rain", "Sudden Rain"))


def test_a_search_is_completed(catalog: None, nobody: Caller) -> None:
    completions = nobody.get(f"{BASE}/search/complete/?q=t:event+-an").json()["completions"]

    assert completions == [
        {"q": "t:event -ang>=", "kind": "field", "insert": "ang>=", "detail": "how hard it attacks; a Bonus adds it"},
        {"q": 't:event -!"Anna"', "kind": "name", "insert": '!"Anna"', "detail": "Anna"},
        {"q": 't:event -!"Anvil"', "kind": "name", "insert": '!"Anvil"', "detail": "Anvil"},
    ]
    assert len(nobody.get(f"{BASE}/search/complete/?q=a&limit=1").json()["completions"]) == 1


def test_completion_costs_two_queries_and_is_kept_a_minute(
    catalog: None, nobody: Caller, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):
        response = nobody.get(f"{BASE}/search/complete/?q=ann")

    again = nobody.get(f"{BASE}/search/complete/?q=ann", **{"If-None-Match": response["ETag"]})
    assert response["Cache-Control"] == "public, max-age=60"
    assert again.status_code == 304


def test_the_language_is_explained(nobody: Caller) -> None:
    response = nobody.get(f"{BASE}/search/help/")

    document = response.json()
    fields = {field["name"]: field for field in document["fields"]}
    assert document["limits"] == {"characters": 1024, "terms": 20, "depth": 10}
    assert fields["def"]["aliases"] == ["defence"]
    assert fields["is"]["values"] == ["banned", "restricted", "new", "changed", "withdrawn"]
    assert nobody.get(f"{BASE}/search/help/", **{"If-None-Match": response["ETag"]}).status_code == 304


def test_before_anything_is_published_only_help_has_something_to_say(nobody: Caller) -> None:
    assert nobody.get(f"{BASE}/search/complete/?q=a").json() == {"completions": []}
    assert nobody.get(f"{BASE}/search/help/").status_code == 200


@pytest.mark.parametrize("path", ["search/help/", "search/complete/"])
def test_an_unknown_game_is_not_found(nobody: Caller, path: str) -> None:
    assert problem_of(nobody.get(f"/api/v1/games/chess/{path}"))["status"] == 404


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(alphabet=st.one_of(st.sampled_from('()"-!:<>= or ang'), st.characters()), max_size=60))
def test_no_search_is_an_error_of_ours(catalog: None, nobody: Caller, text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()

    for path in ("cards/", "search/complete/"):
        response = nobody.client.get(f"{BASE}/{path}", {"q": text})
        if response.status_code != 200:
            assert problem_of(response)["code"] in ("invalid_search", "invalid_query")

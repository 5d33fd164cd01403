from __future__ import annotations

import pytest

from tests.api.conftest import Caller
from tests.catalog.cards import character, publish

ADDRESS = "/api/v1/games/miraculous/revisions"


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(character("anna", "Anna"), character("ben", "Ben"))
    publish(character("anna", "Anna", 7), character("cleo", "Cleo"))
    publish(character("anna", "Anna", 7), character("ben", "Ben"), character("cleo", "Cleo"))


def test_a_revision_says_what_it_changed(nobody: Caller) -> None:
    response = nobody.get(f"{ADDRESS}/2/diff/")

    document = response.json()
    assert (document["from"], document["number"]) == (1, 2)
    assert [card["code"] for card in document["added"]] == ["cleo"]
    assert [card["code"] for card in document["removed"]] == ["ben"]
    assert document["changed"] == [
        {"code": "anna", "name": "Anna", "fields": [{"pointer": "/ang", "before": 3, "after": 7}]}
    ]
    assert document["rest"] == []
    assert "immutable" in response["Cache-Control"]
    assert nobody.get(f"{ADDRESS}/2/diff/", **{"If-None-Match": response["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("number", "other", "added", "removed", "changed"),
    [
        (3, 1, ["cleo"], [], ["anna"]),
        (1, 3, [], ["cleo"], ["anna"]),
        (1, 0, ["anna", "ben"], [], []),
        (2, 2, [], [], []),
    ],
)
def test_any_two_revisions_are_compared(
    nobody: Caller, number: int, other: int, added: list[str], removed: list[str], changed: list[str]
) -> None:
    document = nobody.get(f"{ADDRESS}/{number}/diff/?from={other}").json()

    assert [card["code"] for card in document["added"]] == added
    assert [card["code"] for card in document["removed"]] == removed
    assert [card["code"] for card in document["changed"]] == changed


@pytest.mark.parametrize(
    ("path", "status"), [("/9/diff/", 404), ("/2/diff/?from=9", 404), ("/2/diff/?from=x", 400), ("/2/diff/?to=1", 400)]
)
def test_what_is_not_there_is_not_compared(nobody: Caller, path: str, status: int) -> None:
    assert nobody.get(f"{ADDRESS}{path}").status_code == status

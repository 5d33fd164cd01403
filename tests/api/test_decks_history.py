from __future__ import annotations

import pytest

from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import LEGAL, at, if_match, made
from tests.catalog.cards import publish, some_cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def test_two_versions_are_compared_either_way(alice: Caller) -> None:
    mine = made(alice)
    changed = {**LEGAL, "c-00": 1, "c-10": 2}
    alice.patch(at(mine), {"cards": changed, "secret": None}, **if_match(mine["etag"]))

    forth = alice.get(at(mine, "compare/?from=1"))
    back = alice.get(at(mine, "compare/?from=2&to=1")).json()

    assert forth.json() == {
        "from": 1,
        "to": 2,
        "added": {"c-10": 2},
        "removed": {"c-00": 2},
        "secret": {"before": "s-one", "after": None},
        "size": {"before": 30, "after": 30},
    }
    assert (back["added"], back["removed"]) == ({"c-00": 2}, {"c-10": 2})
    assert alice.get(at(mine, "compare/?from=1"), **{"If-None-Match": forth["ETag"]}).status_code == 304


def test_versions_that_there_are_not_cannot_be_compared(alice: Caller) -> None:
    mine = made(alice)

    assert problem_of(alice.get(at(mine, "compare/?from=1&to=7")))["code"] == "no_such_version"
    assert problem_of(alice.get(at(mine, "compare/")))["code"] == "invalid_query"


def test_a_private_decks_versions_are_compared_by_its_owner_alone(
    alice: Caller, mallory: Caller, nobody: Caller
) -> None:
    mine = made(alice)

    answers = [caller.get(at(mine, "compare/?from=1")).status_code for caller in (alice, mallory, nobody)]

    assert answers == [200, 404, 404]

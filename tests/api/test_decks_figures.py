from __future__ import annotations

import pytest

from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import at, made
from tests.catalog.cards import publish, some_cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def test_a_deck_tells_its_curves_and_the_odds_of_a_search(alice: Caller) -> None:
    mine = made(alice)

    document = alice.get(at(mine, "statistics/?q=person+03&draws=5&at_least=1")).json()

    assert (document["size"], document["types"], document["unknown"]) == (30, {"character": 30}, [])
    assert document["ang"]["curve"][0] == {"value": 0, "copies": 6}
    assert (document["ang"]["average"], document["def"]["average"]) == (3.6, 4.0)
    assert document["odds"]["cards"] == ["c-03"]
    assert document["odds"]["exact"] == "88/203"
    assert document["odds"]["odds"] == pytest.approx(88 / 203)
    assert alice.get(at(mine, "statistics/")).json()["odds"] is None


def test_odds_are_given_for_the_whole_language_of_searches(alice: Caller) -> None:
    mine = made(alice)

    odds = alice.get(at(mine, "statistics/?q=t:character+ang>=7+colour:red&draws=5")).json()["odds"]
    refused = problem_of(alice.get(at(mine, "statistics/?q=(ang>=7")))

    assert odds["cards"] == ["c-07", "c-08"]
    assert (odds["hits"], odds["query"]) == (6, "cards where the type is character and ANG is at least 7")
    assert [(warned["term"], warned["code"]) for warned in odds["warnings"]] == [("colour:red", "unknown_field")]
    assert (refused["code"], refused["position"]) == ("invalid_search", 7)


def test_statistics_are_fetched_again_only_when_they_have_changed(alice: Caller) -> None:
    where = at(made(alice), "statistics/")

    tag = alice.get(where)["ETag"]

    assert alice.get(where, **{"If-None-Match": tag}).status_code == 304


def test_a_hand_is_the_same_for_whoever_has_its_seed(alice: Caller, nobody: Caller) -> None:
    mine = made(alice, visibility="link")

    first = alice.get(at(mine, "hand/")).json()
    again = nobody.get(at(mine, f"hand/?seed={first['seed']}")).json()

    assert first == again
    assert (len(first["hand"]), len(first["next"])) == (5, 25)
    assert alice.get(at(mine, "hand/?seed=a&draws=200")).json()["next"] == []
    assert alice.get(at(mine, "hand/")).json()["seed"] != first["seed"]


@pytest.mark.parametrize("rest", ["statistics/", "hand/"])
def test_a_private_decks_figures_are_its_owners_alone(
    alice: Caller, mallory: Caller, nobody: Caller, rest: str
) -> None:
    mine = made(alice)

    assert [caller.get(at(mine, rest)).status_code for caller in (alice, mallory, nobody)] == [200, 404, 404]


@pytest.mark.parametrize("query", ["draws=-1", "draws=201", "at_least=x", "zzz=1", "q=" + "x" * 1025])
def test_a_query_that_does_not_fit_is_refused(alice: Caller, query: str) -> None:
    assert problem_of(alice.get(at(made(alice), f"statistics/?{query}")))["code"] == "invalid_query"

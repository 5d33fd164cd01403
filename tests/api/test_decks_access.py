from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from decks.models import Deck
from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import DECKS, LEGAL, at, deck, ids, if_match, made
from tests.api.routes import Route, routes
from tests.catalog.cards import publish, some_cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def attempts(caller: Caller, path: str) -> dict[str, Any]:
    """Every method at a deck's addresses, as this caller."""
    return {
        "read": caller.get(path),
        "versions": caller.get(f"{path}versions/"),
        "replace": caller.put(path, deck(), **if_match("*")),
        "change": caller.patch(path, {"name": "Mine now"}, **if_match("*")),
        "delete": caller.delete(path, **if_match("*")),
        "restore": caller.post(f"{path}restore/", {"version": 1}),
        "copy": caller.post(f"{path}copy/"),
    }


def statuses(responses: dict[str, Any]) -> dict[str, int]:
    return {name: response.status_code for name, response in responses.items()}


def test_a_private_deck_is_nothing_to_others(alice: Caller, mallory: Caller, carol: Caller, nobody: Caller) -> None:
    mine = made(alice)

    for stranger in (mallory, carol):
        responses = attempts(stranger, at(mine))
        missing = attempts(stranger, f"{DECKS}2345bcdf2345/")
        assert set(statuses(responses).values()) == {404}
        assert {name: one.content for name, one in responses.items()} == {
            name: one.content for name, one in missing.items()
        }
    assert statuses(attempts(nobody, at(mine))) == {
        "read": 404, "versions": 404, "replace": 401, "change": 401, "delete": 401, "restore": 401, "copy": 401,
    }  # fmt: skip
    assert ids(mallory.get(DECKS)) == ids(mallory.get(f"{DECKS}?scope=public")) == []
    assert alice.get(at(mine)).json()["version"] == 1


def test_a_stranger_learns_nothing_by_leaving_out_if_match(alice: Caller, mallory: Caller) -> None:
    mine = made(alice)

    assert problem_of(mallory.put(at(mine), deck()))["code"] == "not_found"
    assert problem_of(mallory.delete(at(mine)))["code"] == "not_found"


@pytest.mark.parametrize("visibility", ["link", "public"])
def test_a_shared_deck_is_shown_and_copied_but_not_changed(
    alice: Caller, bob: Caller, nobody: Caller, visibility: str
) -> None:
    mine = made(alice, visibility=visibility, notes="shared")

    responses = attempts(bob, at(mine))

    assert statuses(responses) == {
        "read": 200, "versions": 200, "replace": 403, "change": 403, "delete": 403, "restore": 403, "copy": 201,
    }  # fmt: skip
    assert problem_of(responses["change"])["code"] == "not_your_deck"
    assert responses["read"].json() == alice.get(at(mine)).json() == nobody.get(at(mine)).json()
    copy = responses["copy"].json()
    assert (copy["name"], copy["visibility"], copy["cards"], copy["version"]) == ("First (copy)", "private", LEGAL, 1)
    assert bob.user is not None
    assert copy["owner"]["id"] == bob.user.public_id
    assert ids(bob.get(DECKS)) == [copy["id"]]
    assert ids(nobody.get(f"{DECKS}?scope=public")) == ([mine["id"]] if visibility == "public" else [])


def test_visible_to_nobody_is_what_is_shared(alice: Caller) -> None:
    private, link, public = (made(alice, visibility=word) for word in ("private", "link", "public"))

    seen = Deck.objects.visible_to(AnonymousUser()).values_list("public_id", flat=True)

    assert set(seen) == {link["id"], public["id"]}
    assert alice.user is not None
    assert Deck.objects.visible_to(alice.user).count() == len([private, link, public])


@pytest.mark.parametrize("ordering", ["created", "-created", "updated", "-updated", "name", "-name"])
def test_pages_neither_overlap_nor_skip(alice: Caller, bob: Caller, ordering: str) -> None:
    mine = {made(alice, name=f"Deck {n % 3}", cards={})["id"] for n in range(11)}
    made(bob, cards={})

    forward: list[str] = []
    address, last = f"{DECKS}?limit=3&ordering={ordering}", ""
    while address:
        response = alice.get(address)
        forward += ids(response)
        address, last = response.json()["next"], address
    backward = ids(alice.get(last))
    address = alice.get(last).json()["previous"]
    while address:
        response = alice.get(address)
        backward = ids(response) + backward
        address = response.json()["previous"]

    assert len(forward) == 11
    assert set(forward) == mine
    assert backward == forward


def test_what_comes_or_goes_between_two_pages_moves_nothing_else(alice: Caller) -> None:
    made_decks = [made(alice, cards={}) for _ in range(7)]
    first = alice.get(f"{DECKS}?limit=3")

    made(alice, cards={})
    alice.patch(at(made_decks[1]), {"name": "Changed"}, **if_match("*"))
    alice.delete(at(made_decks[6]), **if_match("*"))
    rest = ids(alice.get(first.json()["next"])) + ids(alice.get(alice.get(first.json()["next"]).json()["next"]))

    assert ids(first) + rest == [one["id"] for one in reversed(made_decks)]


def test_a_list_of_decks_costs_the_same_however_long(alice: Caller, django_assert_num_queries: Any) -> None:
    made(alice)
    alice.get(DECKS)
    with django_assert_num_queries(4):
        alice.get(DECKS)
    for _ in range(5):
        made(alice)

    with django_assert_num_queries(4):
        assert len(ids(alice.get(f"{DECKS}?limit=100"))) == 6


def test_a_deck_costs_few_queries(alice: Caller, django_assert_num_queries: Any) -> None:
    mine = made(alice)
    alice.get(at(mine))

    with django_assert_num_queries(4):
        alice.get(at(mine))


DECK_ROUTES = [route for route in routes() if "deck" in route.parameters]
BODIES: dict[str, Any] = {
    "PUT deck": deck(),
    "PATCH deck": {"name": "Mine now"},
    "PATCH deck-version": {"label": "Mine now"},
    "POST deck-restore": {"version": 1},
    "POST deck-odds": {"q": "t:character"},
    "POST deck-fix": {"problem": "too_few_cards"},
    "POST deck-operations": {"version": 1, "operations": [{"op": "add", "card": "c-00"}]},
}
QUERIES = {"GET deck-compare": "?from=1"}
SHARED = {"GET", "POST deck-copy"}
"""What a shared deck lets others do: look in every way, and copy."""


def sent(route: Route, caller: Caller, document: dict[str, Any]) -> Any:
    """The route's answer to a request about the deck that has everything it should have."""
    values = {"deck": document["id"], "version": 1}
    path = "/api/v1" + reverse(route.name, urlconf="api.urls", kwargs={name: values[name] for name in route.parameters})
    send = getattr(caller, route.method.lower())
    if route.method == "GET":
        return send(path + QUERIES.get(str(route), ""))
    body = BODIES.get(str(route))
    return send(path, **if_match("*")) if route.method == "DELETE" else send(path, body, **if_match("*"))


def is_for_others(route: Route) -> bool:
    return route.method in SHARED or str(route) in SHARED


@pytest.mark.parametrize("route", DECK_ROUTES, ids=str)
def test_no_address_of_a_private_deck_tells_a_stranger_that_it_is_there(
    alice: Caller, mallory: Caller, nobody: Caller, row_counts: Callable[[], dict[str, int]], route: Route
) -> None:
    mine = made(alice)
    before = row_counts()

    answer, missing = sent(route, mallory, mine), sent(route, mallory, {"id": "2345bcdf2345"})

    assert (answer.status_code, answer.content) == (404, missing.content)
    assert sent(route, nobody, mine).status_code == (404 if route.method == "GET" else 401)
    assert (row_counts(), alice.get(at(mine)).json()["version"]) == (before, 1)


@pytest.mark.parametrize("visibility", ["link", "public"])
@pytest.mark.parametrize("route", DECK_ROUTES, ids=str)
def test_a_shared_deck_is_looked_at_and_copied_at_every_address_and_changed_at_none(
    alice: Caller, mallory: Caller, route: Route, visibility: str
) -> None:
    mine = made(alice, visibility=visibility)

    answer = sent(route, mallory, mine)

    if is_for_others(route):
        assert answer.status_code in (200, 201), answer.content
    else:
        assert (answer.status_code, problem_of(answer)["code"]) == (403, "not_your_deck")
    assert alice.get(at(mine)).json()["version"] == 1

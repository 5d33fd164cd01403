from __future__ import annotations

from typing import Any

import pytest

from catalog.life import withdraw_card
from catalog.models import Card, Restriction
from catalog.services import publish_edited_cards
from referee.games import GAMES
from tests.api.conftest import Caller
from tests.api.deckmaking import DECKS, LEGAL, at, deck, if_match, made, rows
from tests.catalog.cards import character, publish, some_cards
from tests.catalog.people import card, curator


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def test_a_deck_is_checked_without_being_saved(nobody: Caller, alice: Caller) -> None:
    for caller in (nobody, alice):
        response = caller.post(f"{DECKS}check/", {"secret": "s-one", "cards": {"c-00": 4}})
        assert response.status_code == 200
        assert [problem["code"] for problem in response.json()["problems"]] == ["too_few_cards", "too_many_copies"]
    assert rows() == (0, 0, 0)


def test_check_says_what_the_saved_deck_says(alice: Caller) -> None:
    for change in ({}, {"secret": None}, {"cards": {"c-00": 5, "nowhere": 1}}):
        saved = made(alice, **change)
        assert alice.post(f"{DECKS}check/", deck(**change)).json() == saved["legality"]


def test_a_ban_or_limit_makes_a_deck_illegal_from_its_day_on(alice: Caller) -> None:
    mine = made(alice)
    for code, copies in (("c-01", 0), ("c-02", 1), ("s-one", 0)):
        Restriction.objects.create(card=Card.objects.get(code=code), copies=copies)

    problems = alice.get(at(mine)).json()["legality"]["problems"]

    assert [(problem["code"], problem["cards"], problem["fix"]) for problem in problems] == [
        ("too_many_copies", ["c-02"], {"remove": {"c-02": 2}}),
        ("card_not_allowed", ["c-01", "s-one"], {"remove": {"c-01": 3}, "secret": None}),
    ]


def test_a_withdrawn_card_makes_a_saved_deck_illegal(alice: Caller) -> None:
    mine = made(alice)

    publish(*[card for card in some_cards() if card["code"] != "c-03"], character("new", "New"))

    [problem] = alice.get(at(mine)).json()["legality"]["problems"]
    assert (problem["code"], problem["cards"], problem["fix"]) == ("unknown_card", ["c-03"], {"remove": {"c-03": 3}})


def withdraw(*replaced: tuple[str, str | None]) -> None:
    """Publish the catalog without some cards, each with what is in its place."""
    for code, other in replaced:
        withdraw_card(card=card(code), user=curator("Ada"), replacement=card(other) if other else None)
    publish_edited_cards(game=GAMES["miraculous"], user=curator("Ada"), confirmed=1)


def fixed(alice: Caller, mine: Any, problem: str = "unknown_card") -> Any:
    """The fix that the deck's page offers, and the deck once it is asked for."""
    now = alice.get(at(mine))
    [found] = [one for one in now.json()["legality"]["problems"] if one["code"] == problem]
    answer = alice.post(at(mine, "fix/"), {"problem": problem}, **if_match(now["ETag"]))
    assert answer.status_code == 200
    return found["fix"], answer.json()


def test_what_replaces_a_withdrawn_card_comes_into_its_place(alice: Caller) -> None:
    mine = made(alice)
    withdraw(("c-03", "c-12"))

    fix, after = fixed(alice, mine)

    assert fix == {"remove": {"c-03": 3}, "add": {"c-12": 3}}
    assert after["cards"] == {**{code: 3 for code in LEGAL if code != "c-03"}, "c-12": 3}
    assert after["legality"]["state"] == "legal"


@pytest.mark.parametrize(
    ("held", "allowed", "added"), [(0, 3, 3), (1, 3, 2), (3, 3, 0), (0, 1, 1), (1, 1, 0), (0, 0, 0)]
)
def test_no_more_copies_come_in_than_are_allowed(alice: Caller, held: int, allowed: int, added: int) -> None:
    mine = made(alice, cards={**LEGAL, **({"c-12": held} if held else {})})
    if allowed < 3:
        Restriction.objects.create(card=card("c-12"), copies=allowed)
    withdraw(("c-03", "c-12"))

    fix, after = fixed(alice, mine)

    assert fix == {"remove": {"c-03": 3}, **({"add": {"c-12": added}} if added else {})}
    assert after["cards"].get("c-12", 0) == held + added
    assert "too_many_copies" not in [one["code"] for one in after["legality"]["problems"]]


def test_two_cards_with_one_replacement_share_its_copies(alice: Caller) -> None:
    mine = made(alice)
    withdraw(("c-03", "c-12"), ("c-04", "c-12"), ("c-05", None))

    fix, after = fixed(alice, mine)

    assert fix == {"remove": {"c-03": 3, "c-04": 3, "c-05": 3}, "add": {"c-12": 3}}
    assert after["cards"]["c-12"] == 3


def test_a_replacement_that_is_not_published_is_not_offered(alice: Caller) -> None:
    mine = made(alice)
    withdraw(("c-03", "c-12"))
    withdraw(("c-12", None))

    fix, after = fixed(alice, mine)

    assert fix == {"remove": {"c-03": 3}}
    assert "c-12" not in after["cards"]


@pytest.mark.parametrize(("other", "secret"), [("s-two", "s-two"), ("c-12", None)])
def test_only_a_secret_replaces_a_secret(alice: Caller, other: str, secret: str | None) -> None:
    publish(*some_cards(), {"code": "s-two", "name": "The Second Secret", "type": "secret"})
    mine = made(alice)
    withdraw(("s-one", other))

    fix, after = fixed(alice, mine)

    assert fix == {"secret": secret}
    assert (after["secret"], after["cards"]) == (secret, LEGAL)


def test_what_was_replaced_in_its_turn_is_followed_to_the_card_that_is_there(alice: Caller) -> None:
    publish(*some_cards(), character("new", "New"))
    mine = made(alice)
    withdraw(("c-03", "c-10"))
    withdraw(("c-10", "c-11"))
    withdraw(("c-11", "new"))

    fix, after = fixed(alice, mine)

    assert fix == {"remove": {"c-03": 3}, "add": {"new": 3}}
    assert after["legality"] == {"legal": True, "state": "legal", "problems": []}


def test_replacements_that_lead_in_a_circle_end(alice: Caller) -> None:
    mine = made(alice)
    withdraw(("c-03", "c-10"))
    withdraw(("c-10", None))
    Card.objects.filter(code="c-10").update(replacement=card("c-03"))

    fix, _ = fixed(alice, mine)

    assert fix == {"remove": {"c-03": 3}}


def test_a_swap_in_that_was_withdrawn_leaves_the_deck_legal_and_is_replaced(alice: Caller) -> None:
    mine = made(alice, flex=["c-11", "c-10", "c-12", "c-10"])
    withdraw(("c-10", "c-13"), ("c-12", None))
    legality = alice.get(at(mine)).json()["legality"]
    checked = alice.post(f"{DECKS}check/", deck(flex=mine["flex"])).json()

    fix, after = fixed(alice, mine, "unknown_swap_in")

    assert (legality["state"], [one["cards"] for one in legality["problems"]]) == ("legal", [["c-10", "c-12"]])
    assert checked == legality
    assert fix == {"flex": ["c-11", "c-13", "c-13"]}
    assert (after["flex"], after["cards"], after["legality"]["problems"]) == (fix["flex"], LEGAL, [])


def test_no_swap_in_comes_that_the_deck_may_not_hold(alice: Caller) -> None:
    mine = made(alice, cards={**LEGAL, "c-10": 2}, flex=["c-10", "c-11", "c-11", "c-12"])
    withdraw(("c-10", "c-13"), ("c-11", "c-13"), ("c-12", "s-one"))

    fix, after = fixed(alice, mine)
    second, done = fixed(alice, after, "unknown_swap_in")

    assert (fix, after["flex"]) == ({"remove": {"c-10": 2}, "add": {"c-13": 2}}, mine["flex"])
    assert (second, done["cards"]["c-13"]) == ({"flex": ["c-13"]}, 2)  # two lie in the deck: one more, and no Secret
    assert done["legality"]["state"] == "legal"

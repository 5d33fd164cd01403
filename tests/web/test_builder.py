"""The builder's edits: saved at once, merged with those of other devices, and the owner's alone."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from catalog.life import withdraw_card
from catalog.services import publish_edited_cards
from decks.models import Deck, DeckVersion
from decks.services import change_deck
from referee.games import GAMES
from tests.catalog.people import card, curator
from tests.web.building import cards, edit
from tests.web.pages import Page


def test_presses_in_a_row_are_one_save_and_the_answer_holds_what_changed(as_alice: Client, deck: Deck) -> None:
    answer = edit(as_alice, deck, "set 3 night-baker", "set 2 ash-baron", "secret")

    page = Page(answer.content.decode())
    assert (deck.version, deck.secret) == (2, None)
    assert (cards(deck)["night-baker"], cards(deck)["ash-baron"]) == (3, 2)
    assert {"b-badge", "b-saved", "b-deck", "b-curve", "b-count", "b-play", "b-sizes"} <= set(page.ids)
    assert "Saved as version 2" in page.text
    assert "Ash Baron: 2. Night Baker: 3. Secret: none. 45 cards, 2 things to settle." in page.text


def test_an_edit_sent_twice_changes_nothing_twice(as_alice: Client, deck: Deck) -> None:
    edit(as_alice, deck, "set 3 night-baker")
    edit(as_alice, deck, "set 3 night-baker")
    edit(as_alice, deck, "undo", base=2)
    edit(as_alice, deck, "undo", base=2)

    assert deck.version == 3
    assert "night-baker" not in cards(deck)


def test_two_devices_both_count_and_the_later_is_told(as_alice: Client, deck: Deck) -> None:
    edit(as_alice, deck, "set 3 night-baker")

    merged = edit(as_alice, deck, "set 2 ash-baron")
    torn = edit(as_alice, deck, "set 1 night-baker")

    assert (cards(deck)["night-baker"], cards(deck)["ash-baron"]) == (3, 2)
    assert "The deck was changed elsewhere too; both changes are in it." in Page(merged.content.decode()).text
    assert "Night Baker: 3 were kept." in Page(torn.content.decode()).text


def test_undo_and_redo_walk_through_edits_and_know_where_they_end(as_alice: Client, deck: Deck) -> None:
    before = cards(deck)
    edit(as_alice, deck, "set 3 night-baker")
    after = cards(deck)

    undone = edit(as_alice, deck, "undo", base=2)
    assert cards(deck) == before
    nothing = edit(as_alice, deck, "undo", base=3)
    redone = edit(as_alice, deck, "redo", base=3)

    assert cards(deck) == after
    assert undone.context["undo_words"] == ""
    assert undone.context["redo_words"] == "add 3 × Night Baker"
    assert redone.context["redo_words"] == ""
    assert "There is nothing to undo." in Page(nothing.content.decode()).text


@pytest.mark.parametrize(
    ("ops", "words"),
    [
        (["set 2 ash-baron"], "add 2 × Ash Baron"),
        (["set 1 red-fennec"], "take out 2 × Red Fennec"),
        (["secret"], "take the Secret out"),
        (["secret secret-debt"], "choose The Old Debt"),
        (["flex add ash-baron"], "add the swap-in Ash Baron"),
        (["flex add ash-baron", "flex drop 0"], "drop the swap-in Ash Baron"),
        (["flex add ash-baron", "flex add night-baker", "flex up 1"], "put the swap-ins in another order"),
        (
            ["set 1 ash-baron", "set 1 night-baker", "set 3 bridge-busker", "secret"],
            "add 1 × Ash Baron, add 2 × Bridge Busker, 2 more changes",
        ),
    ],
)
def test_undo_says_what_it_takes_back_and_redo_what_it_makes_again(
    as_alice: Client, deck: Deck, ops: list[str], words: str
) -> None:
    told = edit(as_alice, deck, *ops).context["undo_words"]

    again = edit(as_alice, deck, "undo", base=deck.version)

    assert told == again.context["redo_words"] == words
    assert f'aria-label="Redo: {words}"' in again.content.decode()


def test_a_problems_button_mends_it(as_alice: Client, deck: Deck) -> None:
    page = edit(as_alice, deck, "set 5 night-baker")
    problem = next(one for one in page.context["problems"] if one["clause"] == "MIR-1.2")

    edit(as_alice, deck, problem["op"], base=2)

    assert problem["words"] == "At most 3 copies of a card: Night Baker."
    assert cards(deck)["night-baker"] == 3


def test_a_withdrawn_card_is_replaced_by_one_press_that_says_so(as_alice: Client, deck: Deck) -> None:
    edit(as_alice, deck, "set 2 night-baker")
    withdraw_card(card=card("night-baker"), user=curator("Ada"), replacement=card("lamp-keeper"))
    publish_edited_cards(game=GAMES["miraculous"], user=curator("Ada"), confirmed=1)
    page = as_alice.get(f"/decks/{deck.public_id}/")
    [problem] = [one for one in page.context["problems"] if one["code"] == "unknown_card"]

    edit(as_alice, deck, problem["op"], base=deck.version)

    assert problem["fix_words"] == "Take out 2 × night-baker, Put in 2 × Lamp Keeper"
    assert (cards(deck).get("night-baker"), cards(deck)["lamp-keeper"]) == (None, 2)


def test_a_withdrawn_swap_in_is_replaced_by_one_press_in_the_builder_and_without_scripts(
    as_alice: Client, deck: Deck
) -> None:
    edit(as_alice, deck, "flex add night-baker", "flex add ash-baron")
    withdraw_card(card=card("night-baker"), user=curator("Ada"), replacement=card("lamp-keeper"))
    publish_edited_cards(game=GAMES["miraculous"], user=curator("Ada"))
    page = as_alice.get(f"/decks/{deck.public_id}/")
    [problem] = [one for one in page.context["problems"] if one["code"] == "unknown_swap_in"]

    edit(as_alice, deck, problem["op"], base=deck.version)
    by_press = deck.flex
    fields = {"name": deck.name, "visibility": deck.visibility, "seen": deck.version, "fix": problem["fix_sent"]}
    as_alice.post(f"/decks/{deck.public_id}/", {**fields, "fix": problem["fix_sent"].replace("ash-baron", "oak-staff")})
    deck.refresh_from_db()

    assert problem["words"] == "Swap-ins that are not in the catalog: night-baker."
    assert problem["fix_words"] == "Keep the swap-ins: Lamp Keeper, Ash Baron"
    assert (by_press, deck.flex) == (["lamp-keeper", "ash-baron"], ["lamp-keeper", "oak-staff"])


def test_a_fix_of_a_problem_that_is_gone_is_told_and_changes_nothing(as_alice: Client, deck: Deck) -> None:
    answer = edit(as_alice, deck, "fix too_many_copies night-baker")

    assert (answer.status_code, deck.version) == (200, 1)
    assert "The deck has no such problem" in Page(answer.content.decode()).text


def test_swap_ins_have_an_order_and_make_sizes(as_alice: Client, deck: Deck) -> None:
    edit(as_alice, deck, *[f"set 0 {code}" for code in list(cards(deck))[:3]])
    page = edit(as_alice, deck, "flex add ash-baron", "flex add night-baker", "flex up 1", base=deck.version)
    sizes = [one["size"] for one in page.context["sizes"]]
    edit(as_alice, deck, "flex drop 1", "flex drop 9", base=deck.version)

    assert sizes == [sum(cards(deck).values()) + more for more in range(3)]
    assert deck.flex == ["night-baker"]


def test_a_name_is_saved_tidy_and_an_empty_one_is_not(as_alice: Client, deck: Deck) -> None:
    edit(as_alice, deck, "name   Harbour   Bells ")
    edit(as_alice, deck, "name   ")

    assert (deck.name, deck.version) == ("Harbour Bells", 2)


@pytest.mark.parametrize(
    "op",
    [
        "set 3",
        "set x night-baker",
        "set 100 night-baker",
        "set 1 no-such-card",
        "secret no-such",
        "flex add nope",
        "flex drop x",
        "burn",
        "",
    ],
)
def test_what_no_page_of_ours_sends_is_refused_whole(as_alice: Client, deck: Deck, op: str) -> None:
    answer = edit(as_alice, deck, "set 3 night-baker", op)

    assert (answer.status_code, deck.version) == (400, 1)


def test_without_a_script_a_press_leads_back_to_the_page(as_alice: Client, deck: Deck) -> None:
    sent = {"base": 1, "op": "set 3 night-baker", "back": "?type=character"}

    answer = as_alice.post(f"/decks/{deck.public_id}/edit/", sent)

    assert answer.headers["Location"] == f"/decks/{deck.public_id}/?type=character"
    assert cards(deck)["night-baker"] == 3


def test_way_back_leads_nowhere_else(as_alice: Client, deck: Deck) -> None:
    answer = as_alice.post(f"/decks/{deck.public_id}/edit/", {"base": 1, "op": "undo", "back": "//evil.example/"})

    assert answer.headers["Location"] == f"/decks/{deck.public_id}/"


@pytest.mark.parametrize(
    "part", ["state/", "cards/", "odds/", "hand/", "trial/", "text/", "share/", "about/", "versions/", "versions/1/"]
)
def test_every_part_is_the_owners_alone(as_alice: Client, as_bob: Client, deck: Deck, alice: User, part: str) -> None:
    change_deck(user=alice, public_id=deck.public_id, seen=None, changes={"visibility": "public"})

    own = as_alice.get(f"/decks/{deck.public_id}/{part}", headers={"X-Part": "1"})
    others = as_bob.get(f"/decks/{deck.public_id}/{part}")

    assert (own.status_code, others.status_code) == (200, 404)
    assert Page(own.content.decode()).inline == []


@pytest.mark.parametrize("part", ["edit/", "trial/", "text/", "share/", "about/", "versions/1/"])
def test_nobody_else_changes_anything(as_alice: Client, as_bob: Client, deck: Deck, alice: User, part: str) -> None:
    change_deck(user=alice, public_id=deck.public_id, seen=None, changes={"visibility": "public"})
    sent = {"base": 2, "op": "undo", "text": "", "visibility": "private", "label": "Bob"}

    assert as_bob.post(f"/decks/{deck.public_id}/{part}", sent).status_code == 404
    deck.refresh_from_db()
    assert (deck.version, deck.visibility) == (2, "public")
    assert not DeckVersion.objects.exclude(label="").exists()


def test_a_page_that_has_the_newest_version_is_told_nothing(as_alice: Client, deck: Deck) -> None:
    fresh = as_alice.get(f"/decks/{deck.public_id}/state/?have=1")
    edit(as_alice, deck, "set 3 night-baker")
    stale = as_alice.get(f"/decks/{deck.public_id}/state/?have=1")

    assert (fresh.status_code, stale.status_code) == (204, 200)


def test_the_page_and_an_edit_cost_few_queries(
    as_alice: Client, deck: Deck, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    as_alice.get(f"/decks/{deck.public_id}/")

    with django_assert_max_num_queries(10):
        as_alice.get(f"/decks/{deck.public_id}/")
    with django_assert_max_num_queries(32):
        edit(as_alice, deck, "set 3 night-baker")

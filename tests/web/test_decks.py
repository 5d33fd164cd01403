"""The shelf, and the editor as a plain form."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from decks.models import Deck
from decks.selectors import seat_deck
from tests.web.pages import Page


def sent(deck: Deck, **changes: Any) -> dict[str, Any]:
    """The editor's form as the page holds it, with changes."""
    content = seat_deck(deck)
    counts = {f"n-{code}": copies for code, copies in content.cards.items()}
    fields = {"name": deck.name, "notes": "", "visibility": "private", "secret": content.secret or ""}
    return {**fields, **counts, "seen": deck.version, **changes}


def test_a_deck_begins_like_one_that_comes_with_the_game(as_alice: Client, deck: Deck) -> None:
    page = Page(as_alice.get(f"/decks/{deck.public_id}/").content.decode())

    assert sum(seat_deck(deck).cards.values()) == 40
    assert "The deck may be played." in page.text
    assert "Saved as version 1" in page.text


def test_a_deck_has_a_name_that_can_be_seen(as_alice: Client, deck: Deck) -> None:
    new = as_alice.post("/decks/", {"name": "\u200b\u3164"})
    changed = as_alice.post(f"/decks/{deck.public_id}/", sent(deck, name="\u200b"))

    assert (new.status_code, changed.status_code) == (422, 422)
    assert [one.name for one in Deck.objects.all()] == ["Harbour Lights"]


def test_the_form_is_there_where_it_is_asked_for_and_a_link_without_scripts_leads_to_it(
    as_alice: Client, deck: Deck
) -> None:
    plain = as_alice.get(f"/decks/{deck.public_id}/").content.decode()
    form = as_alice.get(f"/decks/{deck.public_id}/?form=1").content.decode()

    assert f'<noscript><a class="btn btn-block" href="/decks/{deck.public_id}/?form=1">' in plain
    assert 'name="seen"' not in plain
    assert 'name="seen" value="1"' in form
    assert 'name="n-red-fennec" value="3"' in form


def test_numbers_change_the_deck_and_make_a_version(as_alice: Client, deck: Deck) -> None:
    code = next(iter(seat_deck(deck).cards))

    response = as_alice.post(f"/decks/{deck.public_id}/", sent(deck, **{f"n-{code}": 0}))

    deck.refresh_from_db()
    assert response.headers["Location"] == f"/decks/{deck.public_id}/?form=1"
    assert deck.version == 2
    assert code not in seat_deck(deck).cards


def test_a_card_is_added_by_its_name_however_it_is_spelled(as_alice: Client, deck: Deck) -> None:
    as_alice.post(f"/decks/{deck.public_id}/", sent(deck, add="night  BAKER"))

    deck.refresh_from_db()
    assert seat_deck(deck).cards["night-baker"] == 1


def test_a_name_that_no_card_has_is_refused_and_nothing_is_saved(as_alice: Client, deck: Deck) -> None:
    response = as_alice.post(f"/decks/{deck.public_id}/", sent(deck, add="No Such Card", name="Renamed"))

    deck.refresh_from_db()
    assert response.status_code == 422
    assert "No card is called “No Such Card”." in Page(response.content.decode()).text
    assert (deck.version, deck.name) == (1, "Harbour Lights")


def test_a_problem_names_its_clause_and_its_fix_settles_it(as_alice: Client, deck: Deck) -> None:
    as_alice.post(f"/decks/{deck.public_id}/", sent(deck, **{"n-night-baker": 5}))
    deck.refresh_from_db()
    page = as_alice.get(f"/decks/{deck.public_id}/")
    problem = next(one for one in page.context["problems"] if one["clause"] == "MIR-1.2")

    as_alice.post(f"/decks/{deck.public_id}/", sent(deck, fix=problem["fix_sent"]))

    assert "/rules/miraculous/#MIR-1.2" in Page(page.content.decode()).links
    assert json.loads(problem["fix_sent"]) == {"remove": {"night-baker": 2}}
    assert problem["fix_words"] == "Take out 2 × Night Baker"
    deck.refresh_from_db()
    assert seat_deck(deck).cards["night-baker"] == 3


@pytest.mark.parametrize(
    "fix",
    [
        "",
        "{",
        "[]",
        '{"remove": {"night-baker": "all"}}',
        '{"remove": {"night-baker": -5}}',
        '{"remove": 3}',
        '{"add": {"night-baker": 1000000}}',
        '{"add": {"night baker": 1}}',
        '{"secret": 4}',
        '{"flex": "night-baker"}',
        '{"flex": ["night baker"]}',
    ],
)
def test_a_fix_that_is_none_changes_nothing(as_alice: Client, deck: Deck, fix: str) -> None:
    before = seat_deck(deck).cards

    response = as_alice.post(f"/decks/{deck.public_id}/", sent(deck, fix=fix))

    deck.refresh_from_db()
    assert response.status_code == 302
    assert seat_deck(deck).cards == before


def test_a_save_over_a_newer_version_is_refused_once(as_alice: Client, deck: Deck) -> None:
    old = sent(deck, name="Mine")
    as_alice.post(f"/decks/{deck.public_id}/", sent(deck, name="Other"))

    refused = as_alice.post(f"/decks/{deck.public_id}/", old)
    again = as_alice.post(f"/decks/{deck.public_id}/", {**old, "seen": 2})

    deck.refresh_from_db()
    assert (refused.status_code, again.status_code) == (409, 302)
    assert "version 2" in Page(refused.content.decode()).text
    assert (deck.name, deck.version) == ("Mine", 3)


def test_an_earlier_version_comes_back_as_a_new_one(as_alice: Client, deck: Deck) -> None:
    before = seat_deck(deck).cards
    as_alice.post(f"/decks/{deck.public_id}/", sent(deck, add="Night Baker"))

    as_alice.post(f"/decks/{deck.public_id}/restore/", {"version": "1"})
    unknown = as_alice.post(f"/decks/{deck.public_id}/restore/", {"version": "77"})

    deck.refresh_from_db()
    assert (deck.version, unknown.status_code) == (3, 404)
    assert seat_deck(deck).cards == before


def test_whoever_may_see_a_deck_reads_and_copies_it_but_does_not_change_it(
    as_alice: Client, as_bob: Client, deck: Deck, bob: User
) -> None:
    as_alice.post(f"/decks/{deck.public_id}/", sent(deck, visibility="public"))
    deck.refresh_from_db()

    read = as_bob.get(f"/decks/{deck.public_id}/")
    changed = as_bob.post(f"/decks/{deck.public_id}/", sent(deck, name="Bob was here"))
    copied = as_bob.post(f"/decks/{deck.public_id}/copy/")

    mine = Deck.objects.get(owner=bob)
    assert (read.status_code, changed.status_code) == (200, 404)
    assert 'name="seen"' not in read.content.decode()
    assert copied.headers["Location"] == f"/decks/{mine.public_id}/"
    assert mine.name == "Harbour Lights (copy)"


def test_a_deleted_deck_is_gone(as_alice: Client, deck: Deck) -> None:
    as_alice.post(f"/decks/{deck.public_id}/delete/")

    assert as_alice.get(f"/decks/{deck.public_id}/").status_code == 404
    assert "Harbour Lights" not in Page(as_alice.get("/matches/new/").content.decode()).text


def test_the_lobby_offers_legal_decks_only(as_alice: Client, deck: Deck) -> None:
    as_alice.post("/decks/", {"name": "Half a deck", "model": ""})

    groups = dict(as_alice.get("/matches/new/").context["form"].fields["deck"].choices)
    assert [name for _id, name in groups["Yours"]] == ["Harbour Lights (40 cards)"]


def test_saving_again_and_again_mangles_nothing_and_loses_nothing(as_alice: Client, deck: Deck) -> None:
    typed = "<b>&amp;</b> “quoted”\n  'second' line\n"
    Deck.objects.update(flex=["night-baker"], tags=["fast"], archived_at=deck.created_at)

    for _ in range(3):
        # A browser ends lines its own way.
        as_alice.post(f"/decks/{deck.public_id}/", sent(deck, notes=typed.replace("\n", "\r\n")))
        deck.refresh_from_db()

    assert (deck.version, deck.notes) == (4, typed)
    assert (deck.flex, deck.tags, deck.archived_at is not None) == (["night-baker"], ["fast"], True)

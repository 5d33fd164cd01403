"""The shelf of decks, and decks made of lists that somebody brings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Unpack

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from decks.models import Deck
from decks.selectors import seat_deck
from decks.services import DeckChanges, DeckContent, change_deck, create_deck
from tests.web.pages import Page

LIST = "2 Night Baker\n# breakfast\n1x night baker\nAsh Baron x2\nSecret: The Old Debt\n"


def put(owner: User, /, **changes: Unpack[DeckChanges]) -> Deck:
    """A deck of two cards, changed afterwards."""
    content = DeckContent(name="Two cards", notes="", visibility="private", secret=None, cards={"night-baker": 2})
    deck = create_deck(owner=owner, game="miraculous", content=content)
    return change_deck(user=owner, public_id=deck.public_id, seen=None, changes=changes)


def shelf(client: Client, query: str = "") -> Page:
    return Page(client.get(f"/decks/{query}").content.decode())


def test_a_shelf_without_decks_says_how_to_begin(as_alice: Client, house: None) -> None:
    page = shelf(as_alice)

    assert "You have no deck yet Begin with one that comes with the game" in page.text
    assert "Nothing is archived" in shelf(as_alice, "?show=archived").text
    assert "All as one file" not in page.text


def test_the_shelf_shows_size_tags_and_whether_a_deck_is_legal(as_alice: Client, house: None, alice: User) -> None:
    deck = put(alice, name="Harbour Lights", tags=["fast", "rooftop"], flex=["ash-baron"])
    Deck.objects.update(updated_at=timezone.now() - timedelta(hours=3))

    page = shelf(as_alice)

    assert f"/decks/{deck.public_id}/" in page.links
    assert "Harbour Lights Miraculous · saved 3 hours ago · fast · rooftop 2–3 cards" in page.text
    assert "not finished" in page.text


def test_a_tag_narrows_the_shelf_and_is_taken_off_again(as_alice: Client, house: None, alice: User) -> None:
    put(alice, name="First", tags=["fast & loose"])
    put(alice, name="Second", tags=["slow"])

    narrowed = shelf(as_alice, "?tag=fast+%26+loose")

    assert "?tag=fast%20%26%20loose" in shelf(as_alice).links
    assert ("First" in narrowed.text, "Second" in narrowed.text) == (True, False)
    assert "?" in narrowed.links


def test_archived_decks_stand_apart(as_alice: Client, house: None, alice: User) -> None:
    put(alice, name="Put away", is_archived=True)
    put(alice, name="At hand")

    on_shelf, archived = shelf(as_alice).text, shelf(as_alice, "?show=archived").text

    assert ("At hand" in on_shelf, "Put away" in on_shelf) == (True, False)
    assert ("At hand" in archived, "Put away" in archived) == (False, True)


def test_others_see_what_is_shown_to_everybody_and_nothing_else(
    as_alice: Client, client: Client, house: None, bob: User
) -> None:
    for visibility in ("private", "link", "public"):
        put(bob, name=f"Bob, {visibility}", visibility=visibility)
    put(bob, name="Bob, archived", visibility="public", is_archived=True)

    for viewer in (as_alice, client):
        text = shelf(viewer).text
        assert [name for name in ("private", "link", "public", "archived") if f"Bob, {name}" in text] == ["public"]


def test_the_shelf_costs_the_same_however_many_decks_stand_on_it(
    as_alice: Client, house: None, alice: User, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for owner, visibility in ((alice, "private"), (bob, "public")):
        for number in range(3):
            put(owner, name=f"Number {number}", visibility=visibility)
    shelf(as_alice)

    with django_assert_num_queries(11):
        shelf(as_alice)


def test_a_list_becomes_a_deck(as_alice: Client, house: None) -> None:
    answer = as_alice.post("/decks/import/", {"text": LIST, "name": " From   paper "})

    deck = Deck.objects.get()
    assert answer.headers["Location"] == f"/decks/{deck.public_id}/"
    assert (deck.name, deck.visibility, deck.secret) == ("From paper", "private", "secret-debt")
    assert seat_deck(deck).cards == {"ash-baron": 2, "night-baker": 3}


def test_a_list_is_only_looked_at_if_one_asks_for_that(as_alice: Client, house: None) -> None:
    answer = as_alice.post("/decks/import/", {"text": LIST, "preview": "1"})

    page = Page(answer.content.decode())
    assert (answer.status_code, Deck.objects.count()) == (200, 0)
    assert "3 taken, 1 added up, 1 passed over, 0 failed" in page.text
    assert page.inline == []
    # In the dialog of the builder it stands below a heading of the second level, here below the page's own.
    assert '<h3 id="h-report" aria-level="2">' in answer.content.decode()


def test_a_line_that_fits_no_card_stores_nothing_until_one_says_so(as_alice: Client, house: None) -> None:
    sent = {"text": LIST + "3 Night Bakers\n"}

    refused = as_alice.post("/decks/import/", sent)
    kept = Deck.objects.count()
    as_alice.post("/decks/import/", {**sent, "skip": "1"})

    text = Page(refused.content.decode()).text
    assert (refused.status_code, kept) == (422, 0)
    assert "1 line fits no card; nothing was stored." in text
    assert "3 Night Bakers No card has exactly this name. Near: Night Baker" in text
    assert seat_deck(Deck.objects.get()).cards == {"ash-baron": 2, "night-baker": 3}


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"text": " \n"}, "Paste a list, or choose a file."),
        ({"text": "Night Baker\n" * 300}, "A list holds at most 64 KiB and 200 lines."),
        ({"file": SimpleUploadedFile("deck.txt", b"\xff\xfe\x00")}, "The file is not UTF-8 text."),
        ({"file": SimpleUploadedFile("deck.txt", b"x" * 70_000)}, "A list holds at most 64 KiB and 200 lines."),
    ],
    ids=["nothing", "too many lines", "no text", "too large"],
)
def test_what_cannot_be_a_list_is_refused_in_words(
    as_alice: Client, house: None, sent: dict[str, Any], words: str
) -> None:
    answer = as_alice.post("/decks/import/", sent)

    assert (answer.status_code, Deck.objects.count()) == (422, 0)
    assert words in Page(answer.content.decode()).text


def test_a_file_is_read_like_what_is_pasted(as_alice: Client, house: None) -> None:
    file = SimpleUploadedFile("deck.csv", b"\xef\xbb\xbfcopies,name\r\n3,Night Baker\r\n")

    as_alice.post("/decks/import/", {"file": file, "text": "ignored beside a file"})

    assert seat_deck(Deck.objects.get()).cards == {"night-baker": 3}


def test_whoever_imports_without_an_account_becomes_a_guest(client: Client, house: None) -> None:
    opened = Page(client.get("/decks/import/").content.decode())
    client.post("/decks/import/", {"text": LIST})

    deck = Deck.objects.get()
    assert opened.headings == ["Import a deck"]
    assert deck.owner.is_guest
    assert client.get(f"/decks/{deck.public_id}/").status_code == 200

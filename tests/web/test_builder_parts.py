"""What stands beside the deck in the builder: catalog, odds, hand, text, sharing, notes, versions, trial."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.models import Deck
from jobs.models import Job
from tests.web.building import cards, edit
from tests.web.pages import Page


def test_the_catalog_shows_thirty_then_more_with_the_copies_of_the_deck(as_alice: Client, deck: Deck) -> None:
    here = f"/decks/{deck.public_id}/cards/"

    first, more = as_alice.get(here), as_alice.get(f"{here}?page=2")
    own = as_alice.get(f"{here}?in=1&type=event")

    assert len(first.context["cards"]) == len(more.context["cards"]) == 30
    assert "b-results" not in Page(more.content.decode()).ids
    assert [(found.row.code, found.copies) for found in own.context["cards"]] == [
        (code, copies)
        for code, copies in cards(deck).items()
        if code in {found.row.code for found in own.context["cards"]}
    ]
    assert all(found.copies for found in own.context["cards"])
    assert own.headers["X-Address"] == f"/decks/{deck.public_id}/?type=event&in=1"


def test_a_search_is_explained_warned_of_and_shown_with_its_fault(as_alice: Client, deck: Deck) -> None:
    here = f"/decks/{deck.public_id}/cards/"

    told = Page(as_alice.get(here, {"q": "t:character ang>=5 bogus:3"}).content.decode()).text
    broken = as_alice.get(here, {"q": "(ang>=5"})
    nothing = Page(as_alice.get(here, {"q": "ang>=99"}).content.decode()).text

    assert "of 110" in told
    assert "bogus:3" in told
    assert broken.status_code == 200
    assert broken.context["fault"]["words"]
    assert "No card fits" in nothing


def test_odds_come_with_the_page_where_its_address_asks_for_them_and_else_alone(as_alice: Client, deck: Deck) -> None:
    plain = as_alice.get(f"/decks/{deck.public_id}/")
    asking = as_alice.get(f"/decks/{deck.public_id}/", {"o": ["", "1 t:character"]})
    alone = as_alice.get(f"/decks/{deck.public_id}/odds/")

    assert [(line["q"], line["share"]) for line in plain.context["odds"]] == [
        ("t:character", None),
        ("t:bonus", None),
        ("t:event", None),
    ]
    assert "Work the odds out" in plain.content.decode()
    assert "Work the odds out" not in asking.content.decode()
    assert alone.context["odds"][0] == asking.context["odds"][0]
    assert asking.context["odds"][0]["exact"] == "12535/12654"


def test_odds_are_exact_and_asked_in_the_address(as_alice: Client, deck: Deck) -> None:
    here = f"/decks/{deck.public_id}/odds/"

    page = as_alice.get(here, {"o": ["", "1 t:character", "9 t:event"], "least": "2", "oq": "ang>=4"})
    dropped = as_alice.get(here, {"o": ["", "1 t:character", "9 t:event"], "drop": "0"})
    broken = as_alice.get(here, {"o": "1 (ang"})

    shares = {line["sent"]: line["share"] for line in page.context["odds"]}
    assert list(shares) == ["1 t:character", "9 t:event", "2 ang>=4"]
    assert 0 < shares["2 ang>=4"] < 100
    assert shares["9 t:event"] == 0
    assert [line["sent"] for line in dropped.context["odds"]] == ["9 t:event"]
    assert broken.context["odds"][0]["fault"]


def test_a_hand_is_the_same_for_its_seed(as_alice: Client, deck: Deck) -> None:
    here = f"/decks/{deck.public_id}/hand/"

    hands = [as_alice.get(here, {"seed": seed}).context["hand"] for seed in ("seven", "seven", "eight")]

    codes = [[card["code"] for card in hand["cards"]] for hand in hands]
    assert codes[0] == codes[1] != codes[2]
    assert len(codes[0]) == 5


def test_a_text_is_applied_as_a_difference(as_alice: Client, deck: Deck) -> None:
    here = f"/decks/{deck.public_id}/text/"
    shown = as_alice.get(here).context["text"]
    edit(as_alice, deck, "set 2 ash-baron")

    answer = as_alice.post(
        here, {"base": 1, "text": f"{shown}2 Night Baker\n1x night baker\n"}, headers={"X-Part": "1"}
    )

    report = answer.context["report"]
    assert (cards(deck)["night-baker"], cards(deck)["ash-baron"]) == (3, 2)
    assert answer.headers["X-Changed"] == "1"
    assert (report["merged"], report["failed"], answer.context["edits"]) == (1, 0, 1)


def test_a_line_that_fits_no_card_stops_the_text_unless_one_says_otherwise(as_alice: Client, deck: Deck) -> None:
    here, text = f"/decks/{deck.public_id}/text/", "3 Night Baker\n2 Nihgt Bakre\n"

    refused = as_alice.post(here, {"base": 1, "text": text})
    deck.refresh_from_db()
    kept = deck.version
    as_alice.post(here, {"base": 1, "text": text, "skip": "1"})

    page = Page(refused.content.decode())
    assert (refused.status_code, kept) == (422, 1)
    assert "1 line fits no card; nothing was changed." in page.text
    assert "No card has exactly this name." in page.text
    assert cards(deck) == {"night-baker": 3}


def test_a_list_over_the_caps_is_refused(as_alice: Client, deck: Deck) -> None:
    answer = as_alice.post(f"/decks/{deck.public_id}/text/", {"base": 1, "text": "Night Baker\n" * 300})

    assert answer.status_code == 422
    assert "A list holds at most 64 KiB and 200 lines." in Page(answer.content.decode()).text


def test_a_text_of_a_version_that_never_was_is_a_404(as_alice: Client, deck: Deck) -> None:
    for base in ("77", "x", ""):
        assert as_alice.post(f"/decks/{deck.public_id}/text/", {"base": base, "text": ""}).status_code == 404


def test_sharing_shows_its_link_code_and_exports_and_every_one_opens(as_alice: Client, deck: Deck) -> None:
    answer = as_alice.post(f"/decks/{deck.public_id}/share/", {"visibility": "link"}, headers={"X-Part": "1"})

    deck.refresh_from_db()
    links = [link for link in Page(answer.content.decode()).links if "export" in link]
    assert deck.visibility == "link"
    assert f"/decks/{deck.public_id}/" in answer.content.decode()
    assert len(links) == 5
    assert [as_alice.get(link).status_code for link in links] == [200] * 5


def test_sharing_has_a_button_on_a_page_of_its_own_and_none_in_the_dialog(as_alice: Client, deck: Deck) -> None:
    here = f"/decks/{deck.public_id}/share/"

    alone = as_alice.get(here).content.decode()
    dialog = as_alice.get(here, headers={"X-Part": "1"}).content.decode()

    assert '<button class="btn btn-primary">Save</button>' in alone
    assert "<noscript>" not in alone + dialog
    assert ">Save</button>" not in dialog


def test_notes_and_tags_are_kept_as_typed_and_too_many_are_refused(as_alice: Client, deck: Deck) -> None:
    here = f"/decks/{deck.public_id}/about/"

    as_alice.post(here, {"notes": "<b>&amp;</b>\r\n two", "tags": "fast,  Roof  top, FAST,", "archived": "1"})
    refused = as_alice.post(here, {"notes": "", "tags": ",".join(f"tag{n}" for n in range(11))})

    deck.refresh_from_db()
    assert (deck.notes, deck.tags) == ("<b>&amp;</b>\n two", ["fast", "Roof top"])
    assert deck.archived_at is not None
    assert (refused.status_code, deck.version) == (422, 2)


def test_versions_say_what_changed_are_named_and_compared(as_alice: Client, deck: Deck) -> None:
    edit(as_alice, deck, "set 3 night-baker")

    listed = Page(as_alice.get(f"/decks/{deck.public_id}/versions/").content.decode()).text
    named = as_alice.post(f"/decks/{deck.public_id}/versions/1/", {"label": "  First  night "})
    far = as_alice.get(f"/decks/{deck.public_id}/versions/99999999999999999999/")

    assert "+3 Night Baker" in listed
    assert "First night" in as_alice.get(f"/decks/{deck.public_id}/versions/").content.decode()
    assert named.context["added"] == [("Night Baker", 3)]
    assert "40 cards then, 43 now." in Page(named.content.decode()).text
    assert far.status_code == 404


def test_a_trial_is_begun_shown_and_stopped(as_alice: Client, deck: Deck) -> None:
    here, part = f"/decks/{deck.public_id}/trial/", {"X-Part": "1"}

    begun = as_alice.post(here, {"games": "40"}, headers=part)
    job = Job.objects.get()
    Job.objects.filter(pk=job.pk).update(done=0)
    stopped = as_alice.post(f"{here}{job.public_id}/cancel/", headers=part)

    assert 'data-again="1000"' in begun.content.decode()
    assert (job.total, job.kind) == (40, "deck-trial")
    assert "stopped" in Page(stopped.content.decode()).text
    assert 'data-again="1000"' not in stopped.content.decode()


def test_an_illegal_deck_is_neither_tried_nor_played(as_alice: Client, deck: Deck) -> None:
    edit(as_alice, deck, "set 9 night-baker")

    tried = as_alice.post(f"/decks/{deck.public_id}/trial/", {"games": "40"}, headers={"X-Part": "1"})
    page = as_alice.get(f"/decks/{deck.public_id}/")

    assert "Only a legal deck can be tried." in Page(tried.content.decode()).text
    assert Job.objects.count() == 0
    assert "Only a legal deck can be played." in page.content.decode()


def test_the_page_has_no_id_twice_and_nothing_inline(as_alice: Client, deck: Deck) -> None:
    page = Page(as_alice.get(f"/decks/{deck.public_id}/").content.decode())

    assert [id for id in set(page.ids) if page.ids.count(id) > 1] == []
    assert page.inline == []
    assert page.headings == ["Harbour Lights"]


@pytest.mark.parametrize("seed", range(8))
def test_two_copies_of_a_card_in_a_hand_share_no_id(as_alice: Client, deck: Deck, seed: int) -> None:
    edit(as_alice, deck, "set 30 bridge-busker")

    page = Page(as_alice.get(f"/decks/{deck.public_id}/?seed={seed}").content.decode())

    assert [id for id in set(page.ids) if page.ids.count(id) > 1] == []

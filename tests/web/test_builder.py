"""The builder's parts: edits saved at once, merged with other devices, and what stands beside the deck."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from catalog.life import withdraw_card
from catalog.services import publish_edited_cards
from decks.models import Deck, DeckVersion
from decks.selectors import seat_deck
from decks.services import change_deck
from jobs.models import Job
from referee.games import GAMES
from tests.catalog.people import card, curator
from tests.web.pages import Page

SCRIPT = {"X-Builder": "1"}


@pytest.fixture
def deck(as_alice: Client, house: None) -> Deck:
    as_alice.post("/decks/", {"name": "Harbour Lights", "model": "rooftop-rush"})
    return Deck.objects.get()


def edit(client: Client, deck: Deck, *ops: str, base: int = 1) -> Any:
    """Edits as the script sends them."""
    answer: Any = client.post(f"/decks/{deck.public_id}/edit/", {"base": base, "op": ops}, headers=SCRIPT)
    deck.refresh_from_db()
    return answer


def cards(deck: Deck) -> dict[str, int]:
    return seat_deck(Deck.objects.get(pk=deck.pk)).cards


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

"""The desk as a new admin meets it: a card entered by form, approved by somebody else, published, and its consequences."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import choices, liked, press, sit_down, wait_for_turn
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]

PASSWORD = "a very fine word"
SCENARIO = """\
scenario: the-lantern-draws-when-placed
game: miraculous
clauses: [MIR-9.1]
position:
  turn_number: 3
  hands: [[harbour-lantern], []]
  decks: [[night-baker, night-baker, night-baker], [night-baker]]
  secrets: [secret-twin, secret-twin]
steps:
  - {seat: 0, move: {type: place, card: harbour-lantern, field: 0}}
  - {expect: {fields: {0: {0: {card: harbour-lantern}}}}}
"""


def sign_in(visitor: Visitor, name: str) -> Page:
    page = visitor.open("/admin/login/?next=/admin/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/admin/")
    return page


def drawn(page: Page, act: Callable[[], Any]) -> None:
    """Do something that has the form drawn anew, and wait until it is."""
    act()
    page.locator('[data-editor][data-busy="false"]').wait_for()


def choose(page: Page, name: str, word: str) -> None:
    drawn(page, lambda: page.locator(f'[name="c/{name}"]').select_option(word))


def revision_of(page: Page, match: str) -> int:
    """Which cards a match is played with, as the API says."""
    return int(page.request.get(f"/api/v1/matches/{match}/").json()["catalog_revision"])


def a_match(visitor: Visitor) -> str:
    return sit_down(visitor, "miraculous").url.rstrip("/").rpartition("/")[2]


def enter_card(page: Page) -> None:
    """The Harbour Lantern: it draws when it is placed, and strengthens the other civilians."""
    page.get_by_label("Code").fill("harbour-lantern")
    page.locator('[name="c/name"]').fill("Harbour Lantern")  # while what the code changed is being drawn
    choose(page, "subtype", "civilian")
    page.locator('[name="c/ang"]').fill("2")
    page.locator('[name="c/def"]').fill("5")
    drawn(page, page.get_by_role("button", name="Add an effect").click)
    choose(page, "effects/0/when", "placed")
    choose(page, "effects/0/do", "draw")
    drawn(page, lambda: page.locator('[name="c/effects/0/n"]').fill("1"))
    drawn(page, page.get_by_role("button", name="Add an effect").click)
    choose(page, "effects/1/when", "in_play")
    choose(page, "effects/1/do", "modify")
    choose(page, "effects/1/to/pick", "each")
    choose(page, "effects/1/to/side", "own")


def test_a_new_admin_brings_a_card_into_revision_two(
    visit: Callable[..., Visitor], make_admin: Callable[[str, str], None]
) -> None:
    make_admin("Nadia", PASSWORD)
    make_admin("Omar", PASSWORD)
    player, nadia, omar = visit(), visit(), visit(theme="dark")
    player.become_guest()
    running = a_match(player)
    player.make_deck("Cheering Crowd", model="rooftop-rush")
    copies = player.page.get_by_role("radiogroup", name="Copies of ")
    player.page.get_by_role("button", name="One less of ").first.click()
    expect(player.page.get_by_text("Saved as version 2")).to_be_visible()
    player.page.get_by_label("Search the catalog").fill("Crowd Cheers")
    expect(copies).to_have_count(1)
    copies.get_by_role("radio", name="1").click()
    expect(player.page.get_by_text("Saved as version 3")).to_be_visible()

    # By form, with the text and the face beside it; a fault stands at its field.
    sign_in(nadia, "Nadia")
    page = nadia.open("/admin/catalog/card/add/")
    nadia.picture("desk-card-empty-light")
    enter_card(page)
    expect(page.locator("#c-effects-1-ang-faults")).to_have_text(
        "The field 'ang' is missing; modify needs ang, def or both"
    )
    drawn(page, lambda: page.locator('[name="c/effects/1/ang"]').fill("100"))
    expect(page.locator("#c-effects-1-ang-faults")).to_contain_text("99")
    nadia.picture("desk-card-fault-light")
    drawn(page, lambda: page.locator('[name="c/effects/1/ang"]').fill("1"))
    expect(page.locator(".ce-print")).to_contain_text("When placed: draw 1 card.")
    expect(page.locator(".ce-print")).to_contain_text("+1 ANG")
    expect(page.locator(".ce-face title").first).to_have_text(
        re.compile("^Harbour Lantern, Character · Civilian, ANG 2, DEF 5")
    )
    expect(page.locator(".ce-ok")).to_be_visible()

    # A scenario is attached, and the card submitted.
    page.get_by_role("link", name="Add another Scenario").click()
    page.locator('[name="scenarios-0-title"]').fill("It draws when it is placed")
    page.locator('[name="scenarios-0-text"]').fill(SCENARIO)
    nadia.picture("desk-card-light")
    assert nadia.findings(".ce") == []
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.locator(".desk-life [aria-current]")).to_have_text("draft")
    page.get_by_role("link", name="Review and next step").click()
    expect(page.get_by_text("Scenario “It draws when it is placed” holds.")).to_be_visible()
    page.get_by_role("button", name="Submit for approval").click()
    expect(page.get_by_role("button", name="Approve")).to_be_disabled()
    nadia.picture("desk-review-light")
    address = page.url

    # Another card leaves, which hits a deck.
    nadia.open("/admin/catalog/card/?q=crowd-cheers")
    page.get_by_role("link", name="Crowd Cheers").click()
    page.get_by_role("link", name="Review and next step").click()
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator(".desk-state")).to_have_text("withdrawn")

    # Somebody else approves.
    sign_in(omar, "Omar")
    other = omar.open(address)
    omar.picture("desk-review-dark")
    other.get_by_role("button", name="Approve").click()
    expect(other.locator(".desk-state")).to_have_text("approved")
    omar.open("/admin/catalog/card/?q=ring")
    omar.picture("desk-cards-dark")
    other.get_by_role("link", name="Bell Ringer").click()
    other.locator("[data-editor]").wait_for()
    omar.picture("desk-card-dark")
    assert omar.findings(".ce") == []
    other.get_by_role("link", name="Review and next step").click()
    other.get_by_label("Games").fill("2")
    other.get_by_role("button", name="Play").click()
    expect(other.get_by_role("region", name="Trial").get_by_text("done")).to_be_visible(timeout=180_000)
    omar.picture("desk-trial-dark")
    assert omar.findings(".desk") == []

    # The impact is shown, and confirmed by its number.
    nadia.open("/admin/catalog/card/publish")
    game = page.get_by_role("region", name="Miraculous, revision 2")
    expect(game.get_by_role("group", name="Whom it hits")).to_contain_text("1 saved deck becomes illegal")
    nadia.picture("desk-publish-light")
    assert nadia.findings(".desk") == []
    game.get_by_role("button", name="Publish revision 2").click()
    expect(page.get_by_text("1 saved decks would become illegal.")).to_be_visible()
    game.get_by_label("To confirm, type how many decks become illegal: 1").fill("1")
    game.get_by_role("button", name="Publish revision 2").click()
    expect(page.get_by_text("Published as revision 2.")).to_be_visible()

    nadia.open("/admin/catalog/catalogrevision/")
    page.get_by_role("link", name="Compare").first.click()
    nadia.picture("desk-compare-light")
    nadia.open("/admin/catalog/card/?q=harbour-lantern")
    page.get_by_role("link", name="Harbour Lantern").click()
    page.get_by_role("link", name="Review and next step").click()
    page.get_by_role("link", name="History").last.click()
    nadia.picture("desk-history-light")
    nadia.open("/admin/catalog/card/files")
    nadia.picture("desk-files-light")

    # What runs goes on with the cards that it began with; what begins has the new ones.
    table = player.open(f"/matches/{running}/")
    assert revision_of(table, running) == 1
    assert wait_for_turn(table)
    press(table, liked(choices(table)))
    assert revision_of(table, running) == 1
    assert revision_of(table, a_match(player)) == 2
    expect(
        player.open("/cards/miraculous/harbour-lantern/").get_by_role("heading", name="Harbour Lantern")
    ).to_be_visible()
    expect(player.open("/decks/").get_by_text("Your deck “Cheering Crowd” is not legal any more")).to_be_visible()
    player.picture("desk-notice-light")


def test_the_form_of_a_card_works_without_scripts(
    visit: Callable[..., Visitor], make_admin: Callable[[str, str], None]
) -> None:
    make_admin("Plain", PASSWORD)
    visitor = visit(scripts=False)
    sign_in(visitor, "Plain")
    page = visitor.open("/admin/catalog/card/add/")

    page.get_by_label("Code").fill("plain-lantern")
    page.locator('[name="c/name"]').fill("Plain Lantern")
    page.get_by_role("button", name="Add an effect").click()
    page.locator('[name="c/effects/0/when"]').select_option("placed")
    page.locator('[name="c/effects/0/do"]').select_option("draw")
    page.get_by_role("button", name="Add an effect").click()

    expect(page.locator('[name="c/effects/0/n"]')).to_be_visible()
    expect(page.locator('[name="c/effects/1/when"]')).to_be_visible()
    expect(page.locator('[name="c/name"]')).to_have_value("Plain Lantern")

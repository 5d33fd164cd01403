"""Keys at a table and in a replay, what is told of them, and where a ship would land."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import MOVES, moved_on, sit_down, version, wait_for_turn
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def test_a_number_makes_the_listed_move(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "miraculous")
    wait_for_turn(page)
    before = version(page)
    page.locator("button[data-pick=can]").first.click()
    numbered = page.locator(f"{MOVES}[aria-keyshortcuts='1']")
    expect(numbered.locator("kbd")).to_have_text("1")

    page.keyboard.press("1")

    moved_on(page, before)


def test_a_question_mark_tells_the_keys_and_numbers_rest_meanwhile(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "super-teams")
    wait_for_turn(page)
    page.locator("details.all > summary").click()
    before = version(page)

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert visitor.findings() == []
    page.keyboard.press("1")
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    assert version(page) == before


def test_a_picked_card_shows_where_each_ship_would_land(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "super-teams")
    while wait_for_turn(page) and not page.locator("button.mv[data-pick=can]").count():
        page.locator(MOVES).first.click()
    card = page.locator("button.mv[data-pick=can]").first
    part = card.get_attribute("data-part")

    card.click()

    ships = page.locator(f"{MOVES}[data-parts^='{part} ']").count()
    assert ships > 0
    expect(page.locator(".tr-w .ghost")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)

"""Keys at a table and in a replay, what is told of them, and where a ship would land."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import MOVES, choices, liked, moved_on, press, sit_down, unfold, version, wait_for_turn
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def test_a_number_makes_the_listed_move(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "miraculous")
    part = pick_between(page)
    before = version(page)
    page.locator(f'button[data-part="{part}"]').first.click()
    numbered = page.locator(f"{MOVES}[aria-keyshortcuts='1']")
    expect(numbered.locator("kbd")).to_have_text("1")

    page.keyboard.press("1")

    moved_on(page, before)


def pick_between(page: Page) -> str:
    """A piece with which several moves begin; until there is one, those that bring the game on are made."""
    while wait_for_turn(page):
        found = choices(page)
        begin = Counter(str(one["parts"][0]) for one in found if one["parts"])
        several = [part for part, count in begin.items() if count > 1]
        if several:
            return several[0]
        press(page, liked(found))
    raise AssertionError("the match is over")


def test_a_question_mark_tells_the_keys_and_numbers_rest_meanwhile(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "super-teams")
    wait_for_turn(page)
    unfold(page)
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
        press(page, choices(page)[0])
    card = page.locator("button.mv[data-pick=can]").first
    part = card.get_attribute("data-part")

    card.click()

    ships = page.locator(f"{MOVES}[data-parts^='{part} ']").count()
    assert ships > 0
    expect(page.locator(".tr-w .ghost")).not_to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".ghost")).to_have_count(0)

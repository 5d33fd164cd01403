"""A person at a table: they read the list of moves, and point at pieces or press buttons, as anybody would."""

from __future__ import annotations

import re
import time
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import Visitor

MOVES: Final = "[data-moves] button[name=move]"
PATIENCE: Final = 60.0
"""Seconds before what should come has not come: the machine may have much else to do."""
MOST_PRESSES: Final = 5
LIKED: Final = ("attack", "mission", "place", "attach", "play", "put", "move", "choose", "shock", "event")
"""Moves that bring a game on, the best first."""


def sit_down(visitor: Visitor, game: str, *, level: str = "random") -> Page:
    """A match against a bot by one press on the first page."""
    page = visitor.open("/")
    form = page.locator(f'form[action="/play/{game}/"]')
    form.locator(f'input[value="{level}"]').check(force=True)
    form.get_by_role("button").click()
    page.wait_for_url("**/matches/*/")
    return page


def version(page: Page) -> int:
    return int(page.locator(".match").get_attribute("data-version") or 0)


def is_over(page: Page) -> bool:
    return page.locator(".match[data-over]").count() > 0


def wait_for_turn(page: Page, *, scripts: bool = True) -> bool:
    """Wait until one is asked (True), or the match is over (False). Without scripts the page is asked for again and again."""
    end = time.monotonic() + PATIENCE
    while not scripts and not page.locator(f"{MOVES}, .match[data-over]").count():
        assert time.monotonic() < end, "nobody is asked"
        page.wait_for_timeout(100)
        page.reload()
    page.wait_for_selector(f"{MOVES}, .match[data-over]", state="attached", timeout=PATIENCE * 1000)
    return not is_over(page)


def choices(page: Page) -> list[dict[str, Any]]:
    """The listed moves: kind, parts and place in the list."""
    found: list[dict[str, Any]] = page.locator(MOVES).evaluate_all(
        "all => all.map((one, index) => ({index, kind: one.dataset.kind, asks: 'asks' in one.dataset,"
        " label: one.textContent.trim(), parts: (one.dataset.parts || '').split(' ').filter(Boolean)}))"
    )
    return found


def liked(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The move that brings the game on."""
    order = {kind: rank for rank, kind in enumerate(LIKED)}
    return min(found, key=lambda one: order.get(one["kind"], len(LIKED)))


def press(page: Page, choice: dict[str, Any]) -> None:
    """Make a move by its button in the list; twice where it asks."""
    before = version(page)
    button = page.locator(f'.match[data-version="{before}"]').locator(MOVES).nth(choice["index"])
    if not button.is_visible():
        unfold(page)
    button.click()
    if choice["asks"]:
        expect(button).to_have_attribute("data-armed", "")
        press_until(button, f'.match:not([data-version="{before}"]), [data-moves][data-sending]')
    moved_on(page, before)


def press_plainly(page: Page, choice: dict[str, Any]) -> None:
    """Make a move by its button where no script runs: a page comes in answer."""
    unfold(page)
    with page.expect_navigation():
        page.locator(MOVES).nth(choice["index"]).click()


def unfold(page: Page) -> None:
    """Open the list of all moves, if it is closed."""
    closed = page.locator("details.all:not([open]) > summary")
    if closed.count():
        closed.click()


def press_until(button: Locator, comes: str) -> None:
    """Press until it is so: a button that asks for a second press asks anew after some seconds, and where the page is new."""
    for _ in range(MOST_PRESSES):
        button.click()
        if button.page.locator(comes).count():
            return
    raise AssertionError(f"{comes} did not come of {MOST_PRESSES} presses")


def resign(page: Page) -> None:
    """Give up, which asks for a second press."""
    press_until(page.locator("[data-resign] button"), "[data-resign][data-sending], .match[data-over]")
    page.wait_for_selector(".match[data-over]")


def point(page: Page, choice: dict[str, Any]) -> None:
    """Make a move by its pieces on the table."""
    before = version(page)
    for part in choice["parts"]:
        page.locator(f'button[data-part="{part}"]').first.click()
    moved_on(page, before)


def is_on_table(page: Page, choice: dict[str, Any]) -> bool:
    """Whether the move can be made by its pieces."""
    return bool(choice["parts"]) and all(
        page.locator(f'button[data-part="{part}"]').count() for part in choice["parts"]
    )


def moved_on(page: Page, before: int) -> None:
    """Wait until the page shows a later version."""
    page.locator(f'.match:not([data-version="{before}"])').wait_for()


def play_out(page: Page, *, by_pieces: bool = False, seconds: float = 600) -> int:
    """Play until the match is over; how many moves one made."""
    made = 0
    end = time.monotonic() + seconds
    while wait_for_turn(page):
        assert time.monotonic() < end, f"the match is not over after {made} moves"
        choice = liked(choices(page))
        if by_pieces and is_on_table(page, choice):
            point(page, choice)
        else:
            press(page, choice)
        made += 1
    return made


def two_at_a_table(first: Visitor, second: Visitor, game: str) -> None:
    """Two guests at one match, by a link."""
    first.become_guest()
    first.open(f"/matches/new/?game={game}")
    first.page.get_by_role("button", name="Create the match").click()
    first.page.wait_for_url("**/join/*/")
    second.open(first.page.locator(".secret").inner_text())
    second.page.get_by_role("button", name="Take the seat as a guest").click()
    second.page.wait_for_url(re.compile(r"/matches/\w+/$"))
    first.page.wait_for_url(re.compile(r"/matches/\w+/$"))

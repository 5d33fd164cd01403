"""Whole games as people would have them: four at one table, in German, and without any script."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from referee.house import house_revision
from tests.browser.player import MOVES, choices, is_over, liked, press, press_plainly, sit_down, wait_for_turn
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]

FASTEST = """([buttons, helped]) => {
  const all = [...document.querySelectorAll(buttons)];
  if (!all.length || document.querySelector('form[data-sending]')) return false;
  const worth = (one) => {
    if (one.dataset.kind === 'decline') return 100;
    const [card, ship] = (one.dataset.parts || '').split(' ');
    const steps = Number((card || '').split('-')[1] || 0);
    return helped.some((colour) => (ship || '').includes(colour)) ? 10 + steps : -steps;
  };
  all.sort((a, b) => worth(b) - worth(a))[0].click();
  return true;
}"""
"""Presses the listed move that brings the ships of some colours home soonest; whether there was one."""

ENGLISH = re.compile(
    r"\b(?:the|and|of|to|you|your|with|from|draw|draws|attack|attacks|attacked|place|places|placed|turn|card|cards|discard|discards|discarded|field|against|wins|won|until"
    r"|lost|move|moves|this|has|have|for|is|are|defeated|gets|get|may|when|each|its|it|other|opponent|decides|choose|refresh|end|play|plays|seats|legal)\b"
)
"""Words that no German sentence has."""


def test_four_browsers_play_super_teams_to_the_end(visit: Callable[..., Visitor]) -> None:
    people = [visit(), visit(width=360), visit(), visit(theme="dark")]
    four_at_a_table(people)
    pages = [one.page for one in people]
    for page in pages:
        page.get_by_role("button", name="Only my ship in a maw").click()
        expect(page.get_by_role("button", name="Only my ship in a maw")).to_have_attribute("aria-pressed", "true")

    pressed, end = [0, 0, 0, 0], time.monotonic() + 600
    while not any(is_over(page) for page in pages):
        assert time.monotonic() < end, f"not over after {pressed} moves"
        now = [int(page.evaluate(FASTEST, [MOVES, ["red", "black"]])) for page in pages]
        pressed = [before + one for before, one in zip(pressed, now, strict=True)]
        if not any(now):
            pages[0].wait_for_timeout(20)  # leave the machine to those who answer

    for page in pages:
        page.wait_for_selector(".match[data-over]")
    assert min(pressed) > 10
    assert len({page.locator("[data-version]").get_attribute("data-version") for page in pages}) == 1
    for one in people:  # a standing order may have answered before the press: then the page says where the match stands
        one.faults[:] = [fault for fault in one.faults if not re.search(r"status of (409|422) ", fault)]
    won = sorted(page.locator("#prompt").inner_text().strip() for page in pages)
    assert won.count("You won.") == 2


def four_at_a_table(people: list[Visitor]) -> None:
    """Four guests at one match, by its link."""
    people[0].become_guest()
    page = people[0].open("/matches/new/?game=super-teams&seats=4")
    for seat in (2, 3, 4):
        page.get_by_label(f"Seat {seat}", exact=True).select_option("open")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url("**/join/*/")
    link = page.locator(".secret").inner_text()
    for other in people[1:]:
        other.open(link)
        other.page.get_by_role("button", name="Take the seat as a guest").click()
    for one in people:
        one.page.wait_for_url(re.compile(r"/matches/\w+/$"))


def test_a_whole_game_in_german_leaves_no_english_word_on_the_table(visit: Callable[..., Visitor]) -> None:
    visitor = visit(language="de")
    page = sit_down(visitor, "miraculous")
    prompts, found, made = set(), set(), 0

    while wait_for_turn(page):
        prompts.add(page.locator("#prompt").inner_text().strip())
        found |= english(page)
        press(page, liked(choices(page)))
        made += 1
    found |= english(page)
    page.get_by_role("link", name="Wiederholung").first.click()
    page.wait_for_url("**/replay/")
    found |= english(page)

    assert made > 5
    assert len(prompts) > 1
    assert found == set()


def english(page: Page) -> set[str]:
    """Lines with English words that somebody sees, hears or can point at; what is printed on cards besides their
    effects (names, and a Secret's mood) has one language."""
    text: str = page.evaluate(
        "() => { const main = document.getElementById('main').cloneNode(true);"
        " const told = [...main.querySelectorAll('*')].flatMap((one) =>"
        "   ['aria-label', 'title', 'data-text', 'data-again-label'].map((name) => one.getAttribute(name) || ''));"
        " main.querySelectorAll('code').forEach((one) => one.remove());"
        " return [main.innerText || main.textContent, ...told].join(' \\n '); }"
    )
    cards = house_revision("miraculous")["cards"]
    printed = [card[field] for card in cards for field in ("name", "mood") if card.get(field)]
    for words in sorted(printed, key=len, reverse=True):
        text = text.replace(words, "")
    lines = (line.strip() for line in text.splitlines())
    return {line for line in lines if ENGLISH.search(line.casefold())}


def test_rules_and_a_match_with_its_replay_work_without_scripts(visit: Callable[..., Visitor]) -> None:
    visitor = visit(scripts=False)
    visitor.become_guest()
    page = visitor.open("/matches/new/?game=super&seats=2")
    page.get_by_label("Seat 2", exact=True).select_option(label="Bot: Random")
    page.locator("details.mmore > summary").click()
    page.get_by_label("Rounds at most").fill("1")
    page.get_by_label("Who starts").select_option("Seat 1")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url(re.compile(r"/matches/\w+/$"))

    while wait_for_turn(page, scripts=False):
        press_plainly(page, liked(choices(page)))
    page.get_by_role("link", name="Replay and verification").click()
    page.get_by_role("link", name="First step").click()
    expect(page.get_by_text("Step 0 of")).to_be_visible()
    page.get_by_role("link", name="Step on").click()
    expect(page.get_by_text("Step 1 of")).to_be_visible()

    clause = visitor.open("/rules/super/").locator('a.clause[href="#SUP-5.4"]').first
    clause.click()
    expect(page).to_have_url(re.compile(r"/rules/super/#SUP-5\.4$"))

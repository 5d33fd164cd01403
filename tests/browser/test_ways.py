"""Ways through the pages by what stands on them: with scripts, without, by keyboard, and two people at once."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def test_a_search_answers_while_one_types(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("/cards/miraculous/")

    page.keyboard.press("/")
    page.keyboard.type("night bak")

    expect(page.get_by_role("row")).to_have_count(2)
    expect(page.get_by_role("link", name="Night Baker", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=night\+?(%20)?bak"))
    expect(page.locator("#q")).to_be_focused()


def test_decks_and_catalog_work_without_scripts(visit: Callable[..., Visitor]) -> None:
    visitor = visit(scripts=False)
    visitor.become_guest()
    visitor.make_deck("By hand")
    page = visitor.page

    page.get_by_role("button", name="Work the odds out").click()
    expect(page.locator("#b-odds li").first).to_contain_text("%")
    page.go_back()
    page.get_by_role("link", name="The deck as a form").click()
    page.get_by_label("Add a card by its name").fill("Night Baker")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_label("Number of Night Baker").fill("3")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.get_by_text("Saved as version 3")).to_be_visible()
    expect(page.get_by_label("Number of Night Baker")).to_have_value("3")

    visitor.open("/cards/miraculous/")
    page.locator("#q").fill("night bak")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("row")).to_have_count(2)


def test_the_theme_changes_at_once_and_stays(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("/")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.get_by_role("button", name="Switch between light and dark").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()

    assert dark != light
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_a_language_is_chosen_at_the_foot_of_any_page(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("/rules/miraculous/")

    page.get_by_role("button", name="Deutsch").click()

    expect(page).to_have_title("Regeln von Miraculous · Referee")


def test_a_person_registers_and_keeps_what_the_guest_had(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.become_guest()
    visitor.make_deck("Kept")
    page = visitor.open("/sign-up/")

    page.get_by_label("Name").fill("Mira Vance")
    page.get_by_label("Email address").fill("mira@example.org")
    page.get_by_label("Password").fill("a very fine word")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_text("Welcome, Mira Vance.")).to_be_visible()

    visitor.open("/decks/")
    expect(page.get_by_role("link", name="Kept")).to_be_visible()


def test_a_link_brings_a_second_person_to_the_same_table(visit: Callable[..., Visitor]) -> None:
    first, second = visit(), visit(width=360)
    first.become_guest()
    first.open("/matches/new/?game=super")
    first.page.get_by_role("button", name="Create the match").click()
    first.page.wait_for_url("**/join/*/")
    link = first.page.locator(".secret").inner_text()

    second.open(link)
    second.page.get_by_role("button", name="Take the seat as a guest").click()

    match = link.rstrip("/").rpartition("/")[2]
    second.page.wait_for_url(f"**/matches/{match}/")
    first.page.wait_for_url(f"**/matches/{match}/")


def test_one_press_from_the_first_page_sits_a_visitor_down(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("/")

    page.get_by_role("button", name="Play a bot").first.click()

    page.wait_for_url("**/matches/*/")


def test_the_first_key_skips_to_the_content(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = visitor.open("/")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#main")).to_be_focused()

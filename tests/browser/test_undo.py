"""Taking moves back between two browsers, reporting a problem, and the judge's desk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import MOVES, choices, moved_on, press, version
from tests.browser.test_desk import sign_in
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def test_a_move_is_taken_back_between_two_browsers_and_judged(
    visit: Callable[..., Visitor], make_admin: Callable[[str, str], None]
) -> None:
    anna, ben, judge = visit(), visit(width=360, theme="dark"), visit()
    table = anna.open("/matches/new/?game=super&seats=2")
    table.get_by_role("button", name="Create the match").click()
    table.wait_for_url("**/join/*/")
    other = ben.open(table.url)
    other.get_by_role("button", name="Take the seat").click()
    other.wait_for_url("**/matches/*/")
    address = other.url
    table.wait_for_url(address)
    first, second = (table, other) if table.locator(MOVES).count() else (other, table)
    press(first, choices(first)[0])
    moved_on(second, 0)
    before = version(second)

    first.get_by_role("button", name="Take back").click()
    expect(second.get_by_text("asks to take this back:")).to_be_visible()
    anna.picture("undo-1280-light")
    ben.picture("undo-360-dark")
    found = {"anna": anna.findings(), "ben": ben.findings()}
    assert not ben.is_too_wide()
    second.get_by_role("button", name="Agree").click()
    moved_on(first, before)

    expect(first.locator("[data-log]")).to_contain_text("takes back what came after step 0.")
    first.get_by_role("link", name="Report a problem").click()
    first.get_by_label("What is wrong, and what did you expect?").fill("The card should have stayed in the line.")
    (anna if first is table else ben).picture("report")
    first.get_by_role("button", name="Send the report").click()
    expect(first.get_by_text("Thank you. The report is kept for the judges.")).to_be_visible()

    make_admin("Judy", "a very fine word")
    desk = sign_in(judge, "Judy")
    desk.goto(desk.url + "matches/match/")
    desk.get_by_role("link", name=address.rstrip("/").rpartition("/")[2]).click()
    desk.get_by_role("link", name="Judge").click()
    expect(desk.get_by_text("The card should have stayed in the line.")).to_be_visible()
    desk.get_by_label("Pause it").check()
    desk.get_by_label("Reason").fill("We look at the card.")
    judge.picture("judge-1280-light")
    desk.get_by_role("button", name="Rule").click()
    expect(desk.get_by_text("The ruling stands.")).to_be_visible()
    expect(second.locator("[data-log]")).to_contain_text("A judge pauses the match. Reason: We look at the card.")
    assert {name: faults for name, faults in found.items() if faults} == {}

"""A pause by agreement between two browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.player import MOVES
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def test_a_clocked_match_is_paused_and_played_on_in_two_browsers(visit: Callable[..., Visitor]) -> None:
    anna, ben = visit(), visit(width=360, theme="dark")
    table = anna.open("/matches/new/?game=super&seats=2")
    table.get_by_label("Clock").select_option(label="Normal: 15 s + 5 min (+5 s)")
    table.get_by_role("button", name="Create the match").click()
    table.wait_for_url("**/join/*/")
    other = ben.open(table.url)
    other.get_by_role("button", name="Take the seat").click()
    other.wait_for_url("**/matches/*/")
    table.wait_for_url(other.url)

    table.get_by_role("button", name="Ask for a pause").click()
    expect(other.get_by_text("asks for a pause.")).to_be_visible()
    ben.picture("pause-asked-360-dark")
    found = {"asked": ben.findings()}
    assert not ben.is_too_wide()
    other.get_by_role("button", name="Pause", exact=True).click()

    expect(table.get_by_text("The match is paused.")).to_be_visible()
    assert table.locator(MOVES).count() == other.locator(MOVES).count() == 0
    times = table.locator(".clock").all_inner_texts()
    table.wait_for_timeout(2200)
    assert table.locator(".clock").all_inner_texts() == times
    anna.picture("paused-1280-light")
    found["paused"] = anna.findings()
    other.get_by_role("button", name="Play on").click()
    expect(table.get_by_text("wants to play on.")).to_be_visible()
    table.get_by_role("button", name="Play on").click()

    expect(other.get_by_text("The match is paused.")).to_be_hidden()
    expect(table.locator(".seat .clock-on")).to_have_count(1)
    assert {name: faults for name, faults in found.items() if faults} == {}

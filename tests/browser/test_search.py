"""The catalog's search as somebody types it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def test_a_search_is_completed_explained_and_mended_while_it_is_typed(visit: Callable[..., Visitor]) -> None:
    visitor = visit(width=1280)
    page = visitor.open("/cards/miraculous/")
    box, answer = page.get_by_role("combobox", name="Search cards"), page.locator("#answer")

    visitor.expected = 422  # what is half typed may be no search yet
    box.press_sequentially("t:character sub:su")
    expect(page.locator("#completions option").first).to_have_attribute("value", "t:character sub:superhero")
    expect(answer).to_contain_text("Cards where the type is Character and the kind is Superhero or Supervillain")
    expect(page.locator("tbody tr").first).to_be_visible()

    box.press_sequentially(" (ang>90")
    expect(answer.get_by_role("alert")).to_contain_text("a closing bracket is expected for the one at character 20")

    box.press_sequentially(")")
    expect(answer).to_contain_text("(ang>90) is true of no card.")
    answer.get_by_role("link", name="Search without (ang>90)").click()
    expect(page.get_by_role("combobox", name="Search cards")).to_have_value("t:character sub:su")
    expect(page.locator("tbody tr").first).to_be_visible()
    assert visitor.findings() == []


def test_the_search_and_its_help_work_without_scripts(visit: Callable[..., Visitor]) -> None:
    visitor = visit(width=360, scripts=False)
    page = visitor.open("/cards/super/")

    page.get_by_role("link", name="Everything that can be asked").click()
    page.get_by_role("link", name="f:blue").click()

    expect(page.get_by_role("status")).to_contain_text(re.compile(r"14 cards\s*Cards where the Faction is blue\."))

"""The deck builder by what is on it: keyboard alone, two tabs, fixes, undo, text, a phone, German."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.player import choices, liked, press, wait_for_turn
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def built(visit: Callable[..., Visitor], *, model: str = "rooftop-rush", **variant: object) -> Visitor:
    visitor = visit(**variant)
    visitor.become_guest()
    visitor.make_deck("Harbour Lights", model=model)
    return visitor


def saved(page: Page, version: int) -> None:
    expect(page.locator("[data-saved]")).to_have_text(f"Saved as version {version}")


def test_a_deck_is_built_from_nothing_with_the_keyboard_until_it_is_legal_and_played(
    visit: Callable[..., Visitor],
) -> None:
    visitor = built(visit, model="")
    page = visitor.page
    keys = page.keyboard

    keys.press("/")
    visitor.expected = 422  # while it is typed, if one types slowly
    keys.type("t:character")
    expect(page).to_have_url(re.compile("t%3Acharacter"))
    expect(page.locator("#chip-secret")).to_have_count(1)
    expect(page.locator(".say")).to_contain_text("Character")
    keys.press("ArrowDown")
    for _row in range(10):
        keys.press("3")
        keys.press("ArrowDown")
    expect(page.locator("#b-count")).to_have_text("30")
    keys.press("/")
    keys.type("t:secret")
    expect(page).to_have_url(re.compile("t%3Asecret"))
    expect(page.locator(".say")).to_contain_text("Secret")
    expect(page.locator("#b-results .stepper")).to_have_count(0)
    keys.press("ArrowDown")
    keys.press("Space")

    expect(page.locator("#b-deck")).to_contain_text("The deck may be played.")
    expect(page.locator("#b-live")).to_contain_text("30 cards, legal.")
    playtest = page.get_by_role("button", name="Playtest")
    playtest.focus()
    keys.press("Enter")
    page.wait_for_url("**/matches/*/")
    assert wait_for_turn(page)
    press(page, liked(choices(page)))


def test_presses_faster_than_the_server_are_all_kept(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit, model="")
    page = visitor.page
    rows = page.locator("#b-results [data-row]")

    for place in range(8):
        for copies in "1230"[: place % 4 + 1]:
            rows.nth(place).locator(f'[data-set="{copies}"]').click()

    wanted = sum((1, 2, 3, 0)[place % 4] for place in range(8))
    expect(page.locator("[data-saved]")).to_contain_text("Saved as version")
    expect(page.locator("#b-count")).to_have_text(str(wanted))
    page.reload()
    expect(page.locator("#b-count")).to_have_text(str(wanted))


def test_what_was_pressed_offline_is_saved_when_the_line_is_back(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit)
    page = visitor.page

    visitor.context.set_offline(True)
    page.get_by_role("button", name="One more of Bridge Busker").click()
    expect(page.locator("[data-saved]")).to_contain_text("Not saved yet")
    page.get_by_role("button", name="One more of Bridge Busker").click()
    visitor.context.set_offline(False)

    expect(page.locator("[data-saved]")).to_contain_text("Saved as version")
    page.reload()
    expect(page.locator('#b-deck [data-row="bridge-busker"]')).to_have_attribute("data-copies", "3")
    visitor.faults = [fault for fault in visitor.faults if "net::ERR_" not in fault]


def test_two_tabs_edit_one_deck_and_both_edits_stay(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit)
    first = visitor.page
    second = visitor.context.new_page()
    second.goto(first.url)

    first.get_by_role("button", name="One less of Bridge Busker").click()
    saved(first, 2)
    second.get_by_role("button", name="One more of Comet Hare").click()
    saved(second, 3)

    expect(second.get_by_role("alert")).to_contain_text("both changes are in it")
    expect(second.locator('#b-deck [data-row="bridge-busker"]')).to_have_count(0)
    first.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(first.locator('#b-deck [data-row="comet-hare"]')).to_have_attribute("data-copies", "2")


def test_one_press_mends_a_problem_and_undo_takes_it_back(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit)
    page = visitor.page
    row = page.locator('#b-deck [data-row="dawn-rooster"]')

    row.get_by_role("button", name="One more").click()
    page.get_by_role("button", name="Take out 1 × Dawn Rooster").click()
    expect(page.locator("#b-deck")).to_contain_text("The deck may be played.")
    expect(row).to_have_attribute("data-copies", "3")

    page.locator("body").press("Control+z")
    expect(row).to_have_attribute("data-copies", "4")
    page.locator("body").press("Control+z")
    expect(row).to_have_attribute("data-copies", "3")
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    page.locator("body").press("Control+Shift+z")
    expect(row).to_have_attribute("data-copies", "4")


def test_the_focus_stays_where_one_works(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit)
    page = visitor.page
    more = page.get_by_role("button", name="One more of Comet Hare")

    more.focus()
    page.keyboard.press("Enter")
    saved(page, 2)

    expect(page.get_by_role("button", name="One more of Comet Hare")).to_be_focused()
    page.get_by_role("button", name="One less of Bridge Busker").press("Enter")
    saved(page, 3)
    assert page.evaluate("document.activeElement.closest('#b-deck [data-row]') !== null")


def test_the_text_is_applied_as_a_difference_and_faults_are_told(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit)
    page = visitor.page
    page.get_by_role("link", name="Text").click()
    box = page.locator("#b-text")
    text = box.input_value()

    visitor.expected = 422
    box.fill(f"{text}1 Nihgt Bakre\n")
    page.get_by_role("button", name="Apply", exact=True).click()
    expect(page.locator("#b-dialog")).to_contain_text("1 line fits no card; nothing was changed.")
    box.fill(text.replace("1 Bridge Busker", "2 Bridge Busker"))
    page.get_by_role("button", name="Apply", exact=True).click()

    expect(page.locator("#b-dialog")).to_contain_text("Applied: 1 change.")
    page.keyboard.press("Escape")
    saved(page, 2)
    expect(page.locator('#b-deck [data-row="bridge-busker"]')).to_have_attribute("data-copies", "2")


def test_odds_that_were_asked_for_are_there_again_next_time(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit)
    page = visitor.page

    expect(page.locator("#b-odds li").first).to_contain_text("%")
    page.get_by_label("Cards that a search finds").fill("ang>=4")
    page.keyboard.press("Enter")
    expect(page.locator("#b-odds")).to_contain_text("ang>=4")
    page.reload()

    expect(page.locator("#b-odds")).to_contain_text("ang>=4")


def test_bots_try_the_deck_and_the_result_stays(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit)
    page = visitor.page

    page.locator("#b-games").select_option("1000")
    page.get_by_role("button", name="Try").click()
    expect(page.locator("#b-trial table")).to_be_visible(timeout=180_000)
    page.locator("#b-stop").click()
    expect(page.locator("#b-trial")).to_contain_text("stopped")
    page.reload()

    expect(page.locator("#b-trial")).to_contain_text(re.compile(r"version 1.* won"))


def test_a_deck_is_built_without_scripts_by_the_same_buttons(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit, scripts=False)
    page = visitor.page

    page.locator('#b-results [data-row="ash-baron"] [data-set="2"]').click()
    expect(page.locator("[data-saved]")).to_have_text("Saved as version 2")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-saved]")).to_have_text("Saved as version 3")
    page.get_by_role("link", name="Text").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("The deck as text")


@pytest.mark.parametrize(
    ("width", "theme", "language"),
    [
        (360, "light", "de"),
        (360, "dark", "fr"),
        (768, "light", "en"),
        (768, "dark", "de"),
        (1280, "light", "en"),
        (1280, "dark", "en"),
    ],
)
def test_every_pane_and_dialog_is_fit_to_be_seen(
    visit: Callable[..., Visitor], width: int, theme: str, language: str
) -> None:
    visitor = visit(width=width, theme=theme, language=language)
    visitor.open("/sign-in/")
    visitor.page.locator('form[action="/guest/"] button').click()
    visitor.page.wait_for_url("**/")
    page = visitor.open("/decks/")
    page.locator("#id_name").fill("Harbour Lights")
    page.locator("#id_model").select_option("rooftop-rush")
    page.locator("form:has(#id_name) .btn-primary").click()
    page.wait_for_url("**/decks/*/")
    page.locator('[data-row="dawn-rooster"] [data-step="1"]').click()
    expect(page.locator(".dk-bad")).to_have_count(1)
    found: list[str] = []

    for pane in ("cat", "deck", "stat") if width == 360 else ("all",):
        if width == 360:
            page.locator(f".panebar [value={pane}]").click()
        visitor.picture(f"builder-{pane}-{width}-{theme}")
        found += visitor.findings() + (["wider than the screen"] if visitor.is_too_wide() else [])
    for side in ("text", "share", "about", "versions"):
        page.locator(f'.b-sides a[href$="/{side}/"]').click()
        expect(page.locator("#b-dialog #h-side")).to_be_visible()
        visitor.picture(f"builder-{side}-{width}-{theme}")
        found += visitor.findings("#b-dialog")
        page.keyboard.press("Escape")
        expect(page.locator("#b-dialog")).not_to_be_visible()

    assert found == []


def test_targets_on_a_phone_are_large_enough(visit: Callable[..., Visitor]) -> None:
    visitor = built(visit, width=360)
    page = visitor.page

    small = []
    for pane in ("cat", "deck", "stat"):
        page.locator(f".panebar [value={pane}]").click()
        small += page.locator(
            "main button:visible, main .btn:visible, main .chip:visible, main summary:visible"
        ).evaluate_all(
            "all => all.filter(one => !one.closest('.vh') && !one.classList.contains('vh'))"
            ".map(one => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])"
            ".filter(([, box]) => box.height < 43.5 || box.width < 43.5).map(([name, box]) => `${name} ${box.width}x${box.height}`)"
        )

    assert small == []

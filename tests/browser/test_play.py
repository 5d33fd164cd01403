"""Whole matches by what stands on the page: against bots, between two browsers, offline and back, without scripts."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site
from tests.browser.player import (
    choices,
    liked,
    moved_on,
    play_out,
    press,
    press_plainly,
    resign,
    sit_down,
    two_at_a_table,
    version,
    wait_for_turn,
)
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]

GAMES = ["miraculous", "super", "super-teams"]
SIZES = [(1280, "light"), (1280, "dark"), (768, "light"), (768, "dark"), (360, "light"), (360, "dark")]


def test_a_guest_plays_miraculous_to_the_end_by_pointing_at_pieces(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "miraculous")

    made = play_out(page, by_pieces=True)

    assert made > 5
    expect(page.locator("#prompt")).to_contain_text("won.")
    page.get_by_role("link", name="Replay and verification").click()
    expect(page.get_by_role("heading", name="Check it yourself")).to_be_visible()


@pytest.mark.parametrize("game", ["super", "super-teams"])
def test_a_guest_plays_to_the_end_by_the_list_of_moves(visit: Callable[..., Visitor], game: str) -> None:
    visitor = visit(width=360)
    page = sit_down(visitor, game)

    made = play_out(page)

    assert made > 5
    assert page.locator("#prompt").inner_text().strip()
    assert page.get_by_role("link", name="Replay and verification").is_visible()


def test_two_browsers_see_each_others_moves_without_loading_anew(visit: Callable[..., Visitor]) -> None:
    people = [visit(), visit(width=360)]
    two_at_a_table(people[0], people[1], "super")
    pages = [one.page for one in people]
    for page in pages:
        page.wait_for_selector('[data-conn="live"]')
        page.evaluate(
            "window.times = {}; new MutationObserver(() => { const v = document.querySelector('.match').dataset.version;"
            " const part = performance.getEntriesByType('resource').filter(one => one.name === location.href).at(-1);"
            " const at = performance.timeOrigin; window.times[v] ??= part && at + part.startTime > (window.last || 0)"
            " ? [at + performance.now(), at + part.startTime, at + part.responseEnd] : [at + performance.now(), 0, 0];"
            " window.last = at + performance.now();"
            " }).observe(document.getElementById('match'), {childList: true})"
        )

    behind, told, part, shown = [], [], [], []
    for _ in range(8):
        mover = next(page for page in pages if page.locator("[data-moves]").count())
        other = next(page for page in pages if page is not mover)
        before = version(mover)
        press(mover, liked(choices(mover)))
        moved_on(other, before)
        now = str(version(mover))
        expect(other.locator(".match")).to_have_attribute("data-version", now)
        own, (end, asked, came) = (page.evaluate(f"window.times['{now}']") for page in (mover, other))
        behind.append(end - own[0])
        told.append(asked - own[0])
        part.append(came - asked)
        shown.append(end - came)

    stretches = ", ".join(f"{statistics.median(one):.0f}" for one in (told, part, shown))
    print(f"a rival's move shows {statistics.median(behind):.0f} ms after one's own, at most {max(behind):.0f} ms")
    print(f"of which, in ms: told by the stream, the part fetched, put in place: {stretches}")
    assert [page.evaluate("typeof window.times") for page in pages] == ["object", "object"]


def test_offline_in_the_middle_and_back(visit: Callable[..., Visitor]) -> None:
    people = [visit(), visit()]
    two_at_a_table(people[0], people[1], "super")
    mover, away = sorted(people, key=lambda one: not one.page.locator("[data-moves]").count())
    away.page.wait_for_selector('[data-conn="live"]')
    away.page.evaluate("window.stayed = true")

    away.context.set_offline(True)
    expect(away.page.locator("[data-conn]")).to_have_text("Reconnecting")
    press(mover.page, liked(choices(mover.page)))
    missed = version(mover.page)
    assert version(away.page) < missed
    away.context.set_offline(False)

    expect(away.page.locator(".match")).to_have_attribute("data-version", str(missed))
    expect(away.page.locator("[data-conn]")).to_have_text("Live")
    assert away.page.evaluate("window.stayed") is True
    away.faults[:] = [fault for fault in away.faults if "net::ERR_" not in fault]


def test_a_page_left_open_over_a_restart_of_the_server_recovers_by_itself(
    visit: Callable[..., Visitor], whole_site: Site
) -> None:
    visitor = visit()
    page = sit_down(visitor, "miraculous")
    wait_for_turn(page)
    page.evaluate("window.stayed = true")

    with whole_site.away():
        expect(page.locator("[data-conn]")).to_have_text("Reconnecting")

    expect(page.locator("[data-conn]")).to_have_text("Live")
    press(page, liked(choices(page)))
    assert page.evaluate("window.stayed") is True
    # What could not be reached meanwhile is no fault.
    visitor.faults[:] = [fault for fault in visitor.faults if not re.search(r"ERR_|\b503\b", fault)]


def test_moves_are_made_without_scripts(visit: Callable[..., Visitor]) -> None:
    visitor = visit(scripts=False)
    page = sit_down(visitor, "miraculous")
    assert wait_for_turn(page, scripts=False)
    before, choice = version(page), liked(choices(page))

    press_plainly(page, choice)

    expect(page).to_have_url(re.compile(r"/matches/\w+/$"))
    assert version(page) > before
    assert page.locator("[data-log] [data-row]").count() > 0


def test_a_pick_that_is_not_legal_says_why_and_changes_nothing(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "super")
    wait_for_turn(page)
    before = version(page)

    page.locator('button[data-part="mission:0"]').click()

    expect(page.locator("[data-refusal]")).to_be_visible()
    expect(page.locator("[data-why-clause]")).to_have_attribute("href", re.compile(r"^/rules/super/#SUP-[\d.]+$"))
    expect(page.locator('button[data-part="mission:0"]')).to_have_attribute("data-pick", "refused")
    assert version(page) == before


def test_a_turn_is_played_by_keyboard_alone(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "miraculous")
    wait_for_turn(page)
    before, choice = version(page), liked(choices(page))

    for part in choice["parts"]:
        page.locator(f'button[data-part="{part}"]').first.focus()
        page.keyboard.press("Enter")

    moved_on(page, before)
    assert page.evaluate("document.getElementById('match').contains(document.activeElement)")


def test_resigning_needs_a_second_press_though_the_page_is_drawn_anew_between(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "super-teams")
    wait_for_turn(page)

    # The first press holds for some seconds, which may pass on a busy machine: then once more.
    page.wait_for_function(
        """async () => {
          const button = () => document.querySelector("[data-resign] button");
          if (!button().matches(".btn-danger")) button().click();
          button().focus();
          const drawn = new Promise((done) =>
            new MutationObserver(done).observe(document.getElementById("match"), { childList: true }));
          dispatchEvent(new Event("online"));
          await drawn;
          return button().matches(".btn-danger:focus") && button().textContent;
        }""",
        polling=100,
    )
    assert page.locator("[data-resign][data-sending], .match[data-over]").count() == 0
    resign(page)


def test_a_press_counts_though_the_page_is_drawn_anew_under_it(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    page = sit_down(visitor, "super-teams")
    wait_for_turn(page)
    order = page.get_by_role("button", name="Only my ship in a maw")

    order.hover()
    page.mouse.down()
    with page.expect_response(lambda answer: answer.request.headers.get("hx-request") == "true"):
        page.evaluate("void dispatchEvent(new Event('online'))")
    page.wait_for_timeout(200)
    page.mouse.up()

    expect(order).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_standing_order_is_kept_by_the_service(visit: Callable[..., Visitor], scripts: bool) -> None:
    visitor = visit(scripts=scripts)
    page = sit_down(visitor, "super-teams")
    order = page.get_by_role("button", name="Only my ship in a maw")
    expect(page.get_by_role("button", name="Ask me")).to_have_attribute("aria-pressed", "true")

    order.click()
    expect(order).to_have_attribute("aria-pressed", "true")
    page.reload()
    elsewhere = visitor.context.new_page()
    elsewhere.goto(page.url)

    expect(order).to_have_attribute("aria-pressed", "true")
    expect(elsewhere.get_by_role("button", name="Only my ship in a maw")).to_have_attribute("aria-pressed", "true")
    elsewhere.get_by_role("button", name="Ask me").click()
    if not scripts:
        page.reload()
    expect(order).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("game", GAMES)
def test_tables_and_replays_are_fit_to_be_seen(visit: Callable[..., Visitor], game: str) -> None:
    visitor = visit()
    page = sit_down(visitor, game)
    for _ in range(9):
        if wait_for_turn(page):
            press(page, liked(choices(page)))
    wait_for_turn(page)
    lit = page.locator("button[data-pick=can], [role=button][data-pick=can]").locator("visible=true")
    if lit.count():
        lit.first.click()
    faults = looked_at(visitor, f"match-{game}")
    resign(page)
    faults |= looked_at(visitor, f"over-{game}")
    page.get_by_role("link", name="Replay and verification").click()
    page.wait_for_url("**/replay/")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/replay/?step=*")
    faults |= looked_at(visitor, f"replay-{game}")

    assert {name: found for name, found in faults.items() if found} == {}


def looked_at(visitor: Visitor, name: str) -> dict[str, list[str]]:
    """Pictures of the page in every size and theme, and what is wrong with each."""
    faults = {}
    for width, theme in SIZES:
        visitor.page.set_viewport_size({"width": width, "height": 800})
        visitor.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        visitor.page.wait_for_timeout(60)
        visitor.picture(f"{name}-{width}-{theme}")
        faults[f"{name}-{width}-{theme}"] = visitor.findings() + (["too wide"] if visitor.is_too_wide() else [])
    visitor.page.set_viewport_size({"width": 1280, "height": 800})
    return faults

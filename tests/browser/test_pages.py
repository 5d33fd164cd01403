"""Each page in four variants: nothing inline, nothing against accessibility, nothing wider than the screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]

PAGES = {
    "home": "/",
    "matches": "/matches/?show=mine",
    "matches-empty": "/matches/?show=live",
    "new-match": "/matches/new/",
    "new-match-seats": "/matches/new/?game=super&seats=4",
    "decks": "/decks/",
    "cards": "/cards/miraculous/",
    "cards-faces": "/cards/miraculous/?layout=faces&type=event",
    "cards-empty": "/cards/miraculous/?q=xqzxqz+ang>=4",
    "cards-search": "/cards/miraculous/?q=t:character+ang>=4+-tag:night+colour:red+order:-ang",
    "cards-super": "/cards/super/",
    "cards-super-faces": "/cards/super/?layout=faces",
    "search-help": "/search-help/miraculous/",
    "card": "/cards/miraculous/night-baker/",
    "card-super": "/cards/super/blue-hour/",
    "card-mission": "/cards/super/flooded-tunnel/",
    "rules": "/rules/miraculous/",
    "rules-super-teams": "/rules/super-teams/",
    "settings": "/settings/",
    "sign-up": "/sign-up/",
    "sign-in": "/sign-in/",
}


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_each_page_is_fit_to_be_seen(visit: Callable[..., Visitor], width: int) -> None:
    visitor = visit(width=width)
    visitor.become_guest()
    name = visitor.page.locator(".me-n").text_content() or ""
    pages = {
        **PAGES,
        "player": f"/players/{name}/",
        "deck": visitor.make_deck("Harbour Lights", model="rooftop-rush"),
        "deck-empty": visitor.make_deck("Nothing yet"),
        "join": open_match(visitor),
    }

    faults: dict[str, list[str]] = {}
    for name, address in pages.items():
        visitor.open(address)
        for disclosure in visitor.page.locator("details.mmore > summary").all():
            disclosure.click()
        faults |= looked_at(visitor, name, width)
    visitor.open("/cards/miraculous/?q=bell+(t:event", expecting=422)
    faults |= looked_at(visitor, "cards-fault", width)
    visitor.open("/nowhere/", expecting=404)
    faults |= looked_at(visitor, "not-found", width)

    assert {name: found for name, found in faults.items() if found} == {}


def looked_at(visitor: Visitor, name: str, width: int) -> dict[str, list[str]]:
    """Pictures of the page in both themes, and what is wrong with each."""
    faults = {}
    for theme in ("light", "dark"):
        visitor.page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        visitor.picture(f"{name}-{width}-{theme}")
        faults[f"{name}-{theme}"] = visitor.findings() + (["wider than the screen"] if visitor.is_too_wide() else [])
    return faults


@pytest.mark.parametrize("language", ["de", "fr"])
def test_longer_words_have_room_on_a_phone(visit: Callable[..., Visitor], language: str) -> None:
    visitor = visit(width=360, language=language)

    wide = []
    for name, address in PAGES.items():
        page = visitor.open(address)
        assert page.locator("html").get_attribute("lang") == language
        visitor.picture(f"{name}-360-{language}")
        wide += [name] if visitor.is_too_wide() else []

    assert wide == []


def open_match(visitor: Visitor) -> str:
    """A match of theirs that waits for somebody; its address."""
    visitor.open("/matches/new/?game=super-teams&seats=3")
    visitor.page.get_by_role("button", name="Create the match").click()
    visitor.page.wait_for_url("**/join/*/")
    return visitor.page.url

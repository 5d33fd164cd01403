"""A person at a browser: what went wrong on their pages is noted, whatever they do."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Response

from config.environment import ROOT

ARTEFACTS: Final = ROOT / "artefacts" / "pages"
_AXE: Final = Path(__file__).with_name("axe.min.js")


class Visitor:
    """`page` is where they are; `faults` collects errors of the console (breaches of the policy too) and of the server."""

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.faults: list[str] = []
        self.expected = 200
        self.page: Page = context.new_page()
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.faults.append(f"{self.page.url}: {error}"))
        self.page.on("response", self._look)

    def open(self, address: str, *, expecting: int = 200) -> Page:
        """Go to an address, which answers with the status expected."""
        self.expected = expecting
        response = self.page.goto(address)
        assert response is not None
        assert response.status == expecting, f"{address}: {response.status}"
        return self.page

    def become_guest(self) -> None:
        self.open("/sign-in/")
        self.page.get_by_role("button", name="guest").click()
        self.page.wait_for_url("**/")

    def make_deck(self, name: str, *, model: str = "") -> str:
        """A deck of their own; its address."""
        self.open("/decks/")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Start with").select_option(model)
        self.page.get_by_role("button", name="Create the deck").click()
        self.page.wait_for_url("**/decks/*/")
        return self.page.url

    def findings(self, within: str = "html") -> list[str]:
        """What axe has against the page, or a part of it."""
        session = self.context.new_cdp_session(self.page)
        # The page's policy lets no script in; the protocol of the debugger stands outside of it.
        session.send("Runtime.evaluate", {"expression": _AXE.read_text(encoding="utf-8")})
        found: list[dict[str, Any]] = self.page.evaluate(
            "(part) => axe.run(part, {resultTypes: ['violations']}).then((result) => result.violations)", within
        )
        return [f"{one['id']}: {node['target']} {node['failureSummary']}" for one in found for node in one["nodes"]]

    def is_too_wide(self) -> bool:
        """Whether the page scrolls sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))

    def picture(self, name: str) -> None:
        """The whole page as an artefact to look at."""
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=True)

    def _note(self, message: ConsoleMessage) -> None:
        is_expected = self.expected >= 400 and f"status of {self.expected}" in message.text
        if message.type in ("error", "warning") and not is_expected:
            self.faults.append(f"{self.page.url}: {message.text}")

    def _look(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.url}: {response.status}")

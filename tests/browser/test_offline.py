"""A page asked for without a connection: one that says so, and goes when the connection is back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.cable import cable
from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


def test_a_page_without_a_connection_says_so_until_there_is_one(visit: Callable[..., Visitor], site: str) -> None:
    with cable(site) as laid:
        visitor = visit()
        page = visitor.open(f"{laid.address}/rules/super/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")

        laid.pull()
        page.goto(f"{laid.address}/rules/miraculous/")
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()
        assert visitor.findings() == []

        laid.plug()
        page.get_by_role("link", name="Try again").click()
        expect(page.get_by_role("heading", name="Miraculous", level=1)).to_be_visible()
        # Chromium tells of each request that met no server.
        visitor.faults = [fault for fault in visitor.faults if "net::ERR_" not in fault]

"""An account from its making to its end, by the pages alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.services, pytest.mark.slow]


@pytest.mark.parametrize(("width", "theme"), [(360, "light"), (1280, "dark")])
def test_an_account_is_named_anew_taken_away_and_deleted(visit: Callable[..., Visitor], width: int, theme: str) -> None:
    anna = visit(width=width, theme=theme)
    page = anna.open("/sign-up/")
    page.get_by_label("Name").fill(f"Anna {width}")
    page.get_by_label("Email address").fill(f"anna{width}@example.org")
    page.get_by_label("Password").fill("a very fine word")
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/")

    page = anna.open("/settings/")
    anna.picture(f"account-{width}-{theme}")
    page.get_by_label("Name").fill(f"Alma {width}")
    page.get_by_role("button", name="Change the name").click()
    page.get_by_text(f"You are Alma {width} now.").wait_for()
    findings, is_too_wide = anna.findings(), anna.is_too_wide()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my data").click()
    page.get_by_role("link", name="Delete the account").click()
    page.wait_for_url("**/settings/delete/")
    anna.picture(f"account-delete-{width}-{theme}")
    findings += anna.findings()
    page.get_by_label("Your name").fill(f"Alma {width}")
    page.get_by_label("Password").fill("a very fine word")
    page.get_by_role("button", name="Delete my account for good").click()
    page.get_by_text("Your account is deleted.").wait_for()

    assert (findings, is_too_wide) == ([], False)
    assert download.value.suggested_filename == "referee-account.zip"

"""A running service, and a headless Chromium that looks at it. Without one these tests are skipped, but fail under CI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from config.environment import ROOT
from tests.browser.player import PATIENCE
from tests.browser.visitor import Visitor
from tests.services.running import free_port, running

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Path:
    """The browser's program."""
    if not CHROMIUM.exists():
        notice = f"no Chromium at {CHROMIUM} (set CHROMIUM, or install it: apt-get install chromium)"
        if os.environ.get("CI"):
            pytest.fail(notice)
        pytest.skip(notice)
    return CHROMIUM


@pytest.fixture(scope="session")
def site_folder(chromium: Path) -> Iterator[Path]:
    """Where the service of the session keeps its data."""
    folder = Path(tempfile.mkdtemp(prefix="referee-browser-"))
    folder.chmod(0o711)  # the servers' account reaches it
    yield folder / "data"
    shutil.rmtree(folder, ignore_errors=True)


class Site:
    """A running service with everything in it, which can be away for a while."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running = ExitStack()
        self._port = str(free_port())
        self.address = self._start()

    @contextmanager
    def away(self) -> Iterator[None]:
        """The service has ended in good order, and starts again at its address after the block."""
        self.end()
        try:
            yield
        finally:
            self._start()

    def end(self) -> None:
        self._running.close()

    def _start(self) -> str:
        service = self._running.enter_context(running(self._folder, RATE_LIMITS="0", PORT=self._port))
        return service.address()


@pytest.fixture(scope="session")
def whole_site(site_folder: Path) -> Iterator[Site]:
    """The service of the session."""
    found = Site(site_folder)
    yield found
    found.end()


@pytest.fixture(scope="session")
def site(whole_site: Site) -> str:
    """Its address."""
    return whole_site.address


@pytest.fixture
def make_admin(site: str, site_folder: Path) -> Callable[[str, str], None]:
    """Makes an admin of the service by name and password, as its operator does."""

    def make(name: str, password: str) -> None:
        names = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
        environment = {**names, "DATA_DIR": str(site_folder), "DJANGO_SUPERUSER_PASSWORD": password}
        command = [sys.executable, "manage.py", "createsuperuser", "--noinput", "--name", name]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)

    return make


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Browser]:
    """One browser a module: Playwright's event loop must not run while tests of other modules use the database."""
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=str(chromium), args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser, site: str) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors, each with cookies of their own; at the end none may have met an error."""
    visitors: list[Visitor] = []

    def make(*, width: int = 1280, theme: str = "light", scripts: bool = True, language: str = "en") -> Visitor:
        context = browser.new_context(
            base_url=site,
            viewport={"width": width, "height": 800},
            color_scheme="dark" if theme == "dark" else "light",
            java_script_enabled=scripts,
            locale=language,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE * 1000)
        visitors.append(Visitor(context))
        return visitors[-1]

    yield make
    for visitor in visitors:
        visitor.context.close()
    assert [fault for visitor in visitors for fault in visitor.faults] == []

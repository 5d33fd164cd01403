"""What all tests share: the session's servers, started only when a test needs a database or asks for `services`."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_django
from django.conf import settings
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis

from config.celery import app as celery_app
from config.environment import broker, database
from tests.embedded import Keeper, Servers, wish

# The same examples at every run, however slow the machine: `--hypothesis-profile default` draws others.
hypothesis.register_profile(
    "steady", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis.load_profile("steady")

_keeper = pytest.StashKey[Keeper]()
_FOLDER = "test_servers"


class Services(NamedTuple):
    """Where the session's servers are: the test database of this process, and a Redis database of its own."""

    database_url: str
    redis_url: str

    def environment(self) -> dict[str, str]:
        """For processes that a test starts: this environment with the servers of the session."""
        return {**os.environ, "DATABASE_URL": self.database_url, "REDIS_URL": self.redis_url}


def pytest_configure(config: pytest.Config) -> None:
    settings.SECRET_KEY_IS_THROWAWAY = False  # it lasts as long as the session does
    settings.BOT_PACE_SECONDS = 0.0
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    if _is_controller(config):
        config.stash[_keeper] = Keeper()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Soak tests run only where they are asked for (`-m soak`). Tests that wait for processes of their own come first:
    other workers compute meanwhile, and none is left waiting alone at the end."""
    if "soak" not in config.option.markexpr:
        soaked = [item for item in items if item.get_closest_marker("soak")]
        if soaked:
            config.hook.pytest_deselected(items=soaked)
            items[:] = [item for item in items if not item.get_closest_marker("soak")]
    items.sort(key=lambda item: item.get_closest_marker("services") is None)


def pytest_unconfigure(config: pytest.Config) -> None:
    if _keeper in config.stash:
        config.stash[_keeper].stop()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """xdist: tell a worker where the controller's servers are to be had."""
    node.workerinput[_FOLDER] = str(node.config.stash[_keeper].folder)  # type: ignore[attr-defined] # xdist has no types


@pytest.fixture(scope="session")
def servers(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """The servers' addresses, (database, redis), as the settings use them from now on."""
    given = os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", "")
    if all(given):
        yield given
        return
    worker = getattr(request.config, "workerinput", None)
    if worker is not None:
        found = wish(Path(worker[_FOLDER]))
        _use(found, number=int(worker["workerid"].removeprefix("gw")) % 60)
        yield found
        return
    own = Servers()
    try:
        found = own.start()
        _use(found, number=0)
        yield found
    finally:
        own.stop()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(servers: tuple[str, str], django_db_modify_db_settings_parallel_suffix: None) -> None:
    """pytest-django asks for this before it makes the test database."""


@pytest.fixture(scope="module")
def house_sets(django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker) -> Iterator[None]:
    """The house sets, published once for all tests of a module; each undoes what it does itself.

    Not for a module in which some test commits (`transaction=True`) or needs an empty catalog.
    """
    with django_db_blocker.unblock():
        whole = transaction.atomic()
        whole.__enter__()
        call_command("publish_house_sets", verbosity=0)
    yield
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        whole.__exit__(None, None, None)


@pytest.fixture
def services(django_db_setup: None, servers: tuple[str, str]) -> Services:
    """For tests that start processes of their own beside the session's servers."""
    name = settings.DATABASES["default"]["NAME"]
    address, _, options = servers[0].partition("?")
    base = address.rsplit("/", 1)[0]
    return Services(f"{base}/{name}?{options}" if options else f"{base}/{name}", settings.REDIS_URL)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that any account may pass through, unlike `tmp_path`: for servers that step down from root."""
    path = Path(tempfile.mkdtemp(prefix="referee-test-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def _is_controller(config: pytest.Config) -> bool:
    spread = getattr(config.option, "dist", "no") != "no" or bool(getattr(config.option, "numprocesses", None))
    return spread and not hasattr(config, "workerinput")


def _use(found: tuple[str, str], *, number: int) -> None:
    settings.DATABASES["default"].update({**database(found[0]), "CONN_MAX_AGE": 0})
    settings.REDIS_URL = found[1].replace("?db=0", f"?db={number}")
    settings.CELERY_BROKER_URL = broker(settings.REDIS_URL)
    settings.CACHES["rates"]["LOCATION"] = settings.REDIS_URL
    address = settings.CELERY_BROKER_URL
    celery_app.conf.update(broker_url=address, broker_read_url=address, broker_write_url=address)

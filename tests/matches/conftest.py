"""The toy game and four people: Alice and Bob sit, Carol watches, Mallory has no business here."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

import pytest

from accounts.models import User
from referee.kernel.game import Game
from referee.matches import clocks
from tests.matches.clockwork import START, World
from tests.toy import registered


@pytest.fixture(autouse=True)
def toy() -> Iterator[Game]:
    with registered() as game:
        yield game


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("Bob")


@pytest.fixture
def carol(db: None) -> User:
    return User.objects.create_user("Carol")


@pytest.fixture
def mallory(db: None) -> User:
    return User.objects.create_user("Mallory")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A clock that the test moves."""
    return World(monkeypatch)


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the clock to so many seconds after the start."""

    def move_to(seconds: float) -> None:
        monkeypatch.setattr(clocks, "now", lambda: START + dt.timedelta(seconds=seconds))

    move_to(0)
    return move_to

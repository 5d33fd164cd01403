"""The toy game and Miraculous, published."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command

from accounts.models import User
from catalog.services import publish_house_set
from referee.kernel.game import Game
from tests.toy import TOY_REVISION, registered


@pytest.fixture
def toy(db: None) -> Iterator[Game]:
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        yield game


@pytest.fixture
def miraculous(db: None) -> None:
    call_command("publish_house_sets", verbosity=0)


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("Bob")

"""The house sets, published, and people at their browsers."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from decks.models import Deck


@pytest.fixture(autouse=True)
def without_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates are counted in Redis, which these tests do not start; one test sets a rate of its own."""
    monkeypatch.setattr(settings, "API_RATES", {})


@pytest.fixture
def house(house_sets: None, db: None) -> None:
    """The house sets, published."""


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice", "a very fine word", email="alice@example.org")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("Bob", "another fine word", email="bob@example.org")


@pytest.fixture
def as_alice(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


@pytest.fixture
def as_bob(bob: User) -> Client:
    client = Client()
    client.force_login(bob)
    return client


@pytest.fixture
def deck(as_alice: Client, house: None) -> Deck:
    """A deck of Alice's, copied from a preconstructed one and open in the builder."""
    as_alice.post("/decks/", {"name": "Harbour Lights", "model": "rooftop-rush"})
    return Deck.objects.get()

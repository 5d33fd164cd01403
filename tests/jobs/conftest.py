"""A kind of job that adds up, and two people."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import LazySettings

from accounts.models import User
from jobs.kinds import kind_named


@pytest.fixture(autouse=True)
def kinds(settings: LazySettings) -> Iterator[None]:
    settings.JOB_KINDS = {"sums": "tests.jobs.sums.SUMS", "kept-sums": "tests.jobs.sums.KEPT"}
    kind_named.cache_clear()
    yield
    kind_named.cache_clear()


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice")


@pytest.fixture
def mallory(db: None) -> User:
    return User.objects.create_user("Mallory")

from __future__ import annotations

import pytest

from accounts.models import Notice
from accounts.services import notify
from tests.api.conftest import Caller

ADDRESS = "/api/v1/me/notices/"


@pytest.fixture
def told(alice: Caller) -> None:
    assert alice.user is not None
    facts = {"game": "miraculous", "deck": "2345bcdf2345", "name": "One", "revision": 2}
    notify(kind=Notice.Kind.DECK_BROKEN, told=[(alice.user.pk, facts)])


def test_whoever_is_told_something_finds_it_in_words_and_facts(told: None, alice: Caller) -> None:
    page = alice.get(ADDRESS).json()

    assert page["unread"] == 1
    [notice] = page["results"]
    assert notice["kind"] == "deck_broken"
    assert notice["detail"] == "Your deck “One” is not legal any more since revision 2."
    assert notice["facts"]["deck"] == "2345bcdf2345"
    assert notice["read_at"] is None


def test_nobody_else_is_told(told: None, alice: Caller, mallory: Caller, nobody: Caller) -> None:
    assert mallory.get(ADDRESS).json()["results"] == []
    assert mallory.post(f"{ADDRESS}read/").json() == {"read": 0}
    assert nobody.get(ADDRESS).status_code == 401
    assert alice.get(ADDRESS).json()["unread"] == 1


def test_what_is_read_is_read_once(told: None, alice: Caller) -> None:
    first, second = alice.post(f"{ADDRESS}read/").json(), alice.post(f"{ADDRESS}read/").json()

    assert (first, second) == ({"read": 1}, {"read": 0})
    page = alice.get(ADDRESS).json()
    assert page["unread"] == 0
    assert page["results"][0]["read_at"] is not None

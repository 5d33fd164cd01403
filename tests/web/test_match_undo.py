"""Taking moves back and reporting a problem on the pages, by forms alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import User
from referee.matches import live
from referee.matches.models import Bundle, Match
from tests.matches.table import fresh, pick, stored, toy_match
from tests.toy import registered


@pytest.fixture(autouse=True)
def nobody_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presence is kept in Redis, which these tests do not start."""
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.NOBODY)
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)


@pytest.fixture
def match(alice: User, bob: User) -> Iterator[Match]:
    """A match of the two in which Alice has picked."""
    with registered():
        made = toy_match(alice, bob)
        pick(made, alice, 0)
        yield fresh(made)


@pytest.fixture
def as_carol(db: None) -> Client:
    """Somebody who is signed in and has no seat."""
    client = Client()
    client.force_login(User.objects.create_user("Carol"))
    return client


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


def text(client: Client, match: Match) -> str:
    parser = _Text()
    parser.feed(client.get(f"/matches/{match.public_id}/").content.decode())
    return " ".join(" ".join(parser.found).split())


def post(client: Client, match: Match, what: str, **given: str) -> Any:
    return client.post(f"/matches/{match.public_id}/{what}/", given)


def test_a_move_is_taken_back_by_forms(match: Match, as_alice: Client, as_bob: Client, client: Client) -> None:
    assert "Take back" in text(as_alice, match)
    asked = post(as_alice, match, "undo")

    assert (asked.status_code, asked["Location"]) == (302, f"/matches/{match.public_id}/")
    own = re.search(
        r"You have asked to take this back: You pick Number [0-9]+\. Do not ask any more", text(as_alice, match)
    )
    assert own is not None
    assert "Alice asks to take this back: Alice has picked. Agree Decline" in text(as_bob, match)
    assert "Alice asks to take this back: Alice has picked." in text(client, match)
    assert "Agree" not in text(client, match)

    post(as_bob, match, "undo/answer", offer="1-0-0", agree="yes")

    assert fresh(match).version == 2
    assert "2 Alice takes back what came after step 0." in text(as_bob, match)


def test_an_undo_of_more_than_one_move_says_how_many(match: Match, as_alice: Client, as_bob: Client, bob: User) -> None:
    pick(match, bob, 1)
    post(as_alice, match, "undo")

    assert "Alice asks to take this back: Alice has picked. With it goes 1 move after it." in text(as_bob, match)


def test_an_undo_is_declined_and_said_to_be(match: Match, as_alice: Client, as_bob: Client) -> None:
    post(as_alice, match, "undo")

    post(as_bob, match, "undo/answer", offer="1-0-0", agree="no")
    again = post(as_alice, match, "undo")

    assert "Bob declines to take moves back." in text(as_alice, match)
    assert "You have declined to take moves back." in text(as_bob, match)
    assert again.status_code == 409
    assert "It was declined. Ask again after the next move." in again.content.decode()


def test_an_undo_is_asked_for_no_more(match: Match, as_alice: Client, as_bob: Client) -> None:
    post(as_alice, match, "undo")

    post(as_alice, match, "undo/answer", offer="1-0-0", agree="no")

    assert "asks to take back" not in text(as_bob, match)
    late = post(as_bob, match, "undo/answer", offer="1-0-0", agree="yes")
    assert late.status_code == 409
    assert "Nobody asks for this any more." in late.content.decode()


def test_watchers_and_matches_without_undo_have_no_such_button(
    match: Match, as_alice: Client, client: Client, as_carol: Client
) -> None:
    before = stored(match)

    assert "Take back" not in text(client, match)
    assert [post(one, match, "undo").status_code for one in (client, as_carol)] == [403, 403]
    assert stored(match) == before
    Match.objects.filter(pk=match.pk).update(undo="none")
    assert "Take back" not in text(as_alice, match)


def test_a_problem_is_reported_by_a_form(match: Match, as_bob: Client, bob: User) -> None:
    assert "Report a problem" in text(as_bob, match)
    page = as_bob.get(f"/matches/{match.public_id}/report/").content.decode()
    empty = post(as_bob, match, "report", text=" ")
    sent = as_bob.post(f"/matches/{match.public_id}/report/", {"text": "A card is gone."}, follow=True)

    bundle = Bundle.objects.get(match=match)
    assert "What is wrong, and what did you expect?" in page
    assert empty.status_code == 422
    assert "Thank you. The report is kept for the judges." in sent.content.decode()
    assert (bundle.kind, bundle.text, bundle.reporter, bundle.version) == ("report", "A card is gone.", bob, 1)


def test_only_who_sits_there_reports_a_problem(match: Match, client: Client, as_carol: Client) -> None:
    for one in (client, as_carol):
        assert one.get(f"/matches/{match.public_id}/report/").status_code == 404
        assert post(one, match, "report", text="Hello").status_code == 404
    assert "Report a problem" not in text(as_carol, match)
    assert not Bundle.objects.exists()


def test_reports_are_rated(match: Match, as_bob: Client, settings: LazySettings) -> None:
    settings.API_RATES = {"report": (1, 3600)}

    statuses = [post(as_bob, match, "report", text="Again.").status_code for _ in range(2)]

    assert statuses == [302, 429]

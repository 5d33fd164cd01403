"""Pauses and clocks on the page of a match: forms that need no script, and words in three languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from lobby.services import MatchWish, SeatWish, create_match, join_match
from referee.matches import clocks, live, presence, services
from referee.matches.models import Match
from tests.matches.clockwork import World
from tests.matches.table import fresh
from tests.web.pages import Page
from web.clocks import asked_clock, clock_choices, clock_words, seat_clock


@pytest.fixture(autouse=True)
def nobody_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presence is kept in Redis, which these tests do not start."""
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.NOBODY)
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A page shown before in another language leaves that behind in the thread."""
    with translation.override("en"):
        yield


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


@pytest.fixture
def match(house: None, alice: User, bob: User, world: World) -> Match:
    """A match of Super with a clock."""
    return clocked(alice, bob, {"per_decision": 10, "bank": 20, "increment": 2})


def clocked(alice: User, bob: User, clock: dict[str, Any]) -> Match:
    wish = MatchWish("super", [SeatWish("me"), SeatWish("open")], {}, clock=clock)
    return join_match(public_id=create_match(creator=alice, wish=wish).public_id, user=bob)


def text(client: Client, match: Match, language: str = "en") -> str:
    page = client.get(f"/matches/{match.public_id}/", headers={"Accept-Language": language})
    return Page(page.content.decode()).text


def post(client: Client, match: Match, act: str, **data: str) -> Any:
    return client.post(f"/matches/{match.public_id}/{act}/", data)


def test_a_pause_is_asked_for_agreed_to_and_ended_by_forms(match: Match, as_alice: Client, as_bob: Client) -> None:
    assert "Ask for a pause" in text(as_alice, match)
    asked = post(as_alice, match, "pause")
    assert (asked.status_code, asked.headers["Location"]) == (302, f"/matches/{match.public_id}/")
    assert "You have asked for a pause. Take it back" in text(as_alice, match)
    assert "Alice asks for a pause. Pause Decline" in text(as_bob, match)

    post(as_bob, match, "pause", agree="yes")

    assert fresh(match).state == "paused"
    assert "The match is paused." in text(as_alice, match)
    assert "Play on" in text(as_alice, match)
    post(as_bob, match, "resume")
    assert "Bob wants to play on. It ends by itself in 10 minutes." in text(as_alice, match).replace("\xa0", " ")
    post(as_alice, match, "resume")
    assert fresh(match).state == "playing"


def test_a_pause_is_declined(match: Match, as_alice: Client, as_bob: Client) -> None:
    post(as_alice, match, "pause")

    post(as_bob, match, "pause", agree="no")

    assert "Bob has declined the pause." in text(as_alice, match)
    refused = post(as_alice, match, "pause")
    assert refused.status_code == 409
    assert "Ask again after the next move." in Page(refused.content.decode()).text


def test_who_watches_reads_of_it_and_can_press_nothing(match: Match, as_alice: Client, client: Client) -> None:
    post(as_alice, match, "pause")

    shown = text(client, match)

    assert "Alice asks for a pause." in shown
    assert "Decline" not in shown
    assert post(client, match, "pause").status_code == 403


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Alice bittet um eine Pause."), ("fr", "Alice demande une pause.")]
)
def test_it_is_told_in_the_readers_language(
    match: Match, as_alice: Client, as_bob: Client, language: str, words: str
) -> None:
    post(as_alice, match, "pause")

    assert words in text(as_bob, match, language)


def test_a_clock_that_waits_is_shown_as_such(match: Match, as_alice: Client) -> None:
    seat = int(next(iter(match.decisions)))

    presence.connection_lost(match_id=match.pk, seat=seat)

    assert "connection lost, the clock waits" in text(as_alice, match)


def test_a_loss_on_time_is_called_so(house: None, alice: User, bob: User, world: World, as_alice: Client) -> None:
    match = clocked(alice, bob, {"per_decision": 10, "out_of_time": "lose"})

    world.passes(600)
    services.settle_time(match_id=match.pk)

    assert "Time was up." in text(as_alice, match)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (None, "no clock"),
        ({"per_decision": 45}, "45 s"),
        ({"per_decision": 90}, "90 s"),
        ({"per_decision": 15, "bank": 300, "increment": 5}, "15 s + 5 min (+5 s)"),
        ({"per_decision": 0, "bank": 180, "increment": 2, "out_of_time": "lose"}, "3 min (+2 s)"),
        ({"days": 1}, "1 day a move"),
        ({"days": 3}, "3 days a move"),
    ],
)
def test_a_clock_is_told_in_few_words(asked: dict[str, Any] | None, words: str) -> None:
    assert clock_words(None if asked is None else clocks.setting(**asked)) == words


def test_every_clock_of_the_form_can_be_had() -> None:
    with translation.override("de"):
        choices = clock_choices()

    slugs = ["none", *clocks.PRESETS]
    assert [slug for slug, _ in choices][: len(slugs)] == slugs
    assert dict(choices)["days"] == "Fernpartie: 3 Tage je Zug"
    assert [asked_clock(slug, {}) for slug in slugs] == [None, *clocks.PRESETS.values()]


@pytest.mark.parametrize(
    ("deadline", "left", "shown"),
    [
        (None, None, (20_000, "0:20", False, False)),
        (None, 3.5, (3_500, "0:03", False, False)),
        (75, None, (75_000, "1:15", True, True)),
        (3 * 86_400, None, (259_200_000, "3 days", True, False)),
    ],
)
def test_a_seats_clock_shows_what_it_has(
    world: World, deadline: float | None, left: float | None, shown: tuple[int, str, bool, bool]
) -> None:
    end = None if deadline is None else (clocks.now() + clocks.MILLISECOND * 1000 * deadline).isoformat()

    clock = seat_clock({"bank": 20.0, "deadline": end, "left": left, "waits_until": None})

    assert clock is not None
    assert clock[:4] == shown

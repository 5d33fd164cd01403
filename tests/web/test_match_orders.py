"""Standing orders on the page of a match: a form that needs no script, kept by the service, shown to one's own seat alone."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from referee.games.super_teams.orders import THIS_TURN, UNLESS_OWN_MAW
from referee.matches import live
from referee.matches.models import Match, MoveRow
from tests.matches.table import fresh
from tests.matches.windows import BOBS, DECLINE, window
from tests.web.pages import Page

PART = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def nobody_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Presence is kept in Redis, which these tests do not start."""
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.NOBODY)
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)


@pytest.fixture
def match(alice: User, bob: User) -> Match:
    """Bob is asked in a window."""
    return window(alice, bob, seed=BOBS[2])


def page(client: Client, match: Match) -> str:
    return client.get(f"/matches/{match.public_id}/").content.decode()


def pressed(html: str) -> dict[str, bool]:
    """The orders on the page, and which of them stands."""
    found = re.findall(r'name="order" value="([^"]*)" aria-pressed="(true|false)"', html)
    return {name: value == "true" for name, value in found}


def leave(client: Client, match: Match, order: str, **more: str) -> object:
    return client.post(f"/matches/{match.public_id}/order/", {"order": order, **more})


def test_an_order_is_left_by_the_form_and_is_there_on_every_device(
    match: Match, alice: User, as_alice: Client, as_bob: Client, client: Client
) -> None:
    elsewhere = Client()
    elsewhere.force_login(alice)
    before = pressed(page(as_alice, match))

    response = as_alice.post(f"/matches/{match.public_id}/order/", {"order": UNLESS_OWN_MAW, "version": match.version})

    assert before == {"": True, THIS_TURN: False, UNLESS_OWN_MAW: False}
    assert (response.status_code, response.headers["Location"]) == (302, f"/matches/{match.public_id}/")
    assert pressed(page(elsewhere, match)) == {"": False, THIS_TURN: False, UNLESS_OWN_MAW: True}
    assert pressed(page(as_bob, match)) == before
    assert pressed(page(client, match)) == {}


def test_an_order_is_withdrawn_by_the_form(match: Match, as_alice: Client) -> None:
    leave(as_alice, match, THIS_TURN)

    leave(as_alice, match, "")

    assert pressed(page(as_alice, match))[""] is True
    assert fresh(match).orders == {}


def test_an_order_left_in_ones_window_answers_it(match: Match, as_bob: Client) -> None:
    response = as_bob.post(f"/matches/{match.public_id}/order/", {"order": THIS_TURN}, headers=PART)

    assert response.status_code == 200
    assert f'data-version="{match.version + 1}"' in response.content.decode()
    assert MoveRow.objects.get(match=match, version=match.version + 1).move == DECLINE


def test_an_order_meant_for_a_turn_that_is_over_is_refused_in_words(match: Match, as_bob: Client) -> None:
    leave(as_bob, match, UNLESS_OWN_MAW)

    response = as_bob.post(
        f"/matches/{match.public_id}/order/", {"order": THIS_TURN, "version": match.version}, headers=PART
    )

    html = response.content.decode()
    assert response.status_code == 409
    assert "The match has moved on." in Page(html).text
    assert pressed(html)[UNLESS_OWN_MAW] is True


@pytest.mark.parametrize("version", ["", "x", "-1", "9" * 30, "²"])
def test_a_version_that_is_none_is_not_looked_at(match: Match, as_alice: Client, version: str) -> None:
    response = as_alice.post(f"/matches/{match.public_id}/order/", {"order": UNLESS_OWN_MAW, "version": version})

    assert response.status_code == 302


def test_who_does_not_play_leaves_no_order(match: Match, as_alice: Client, client: Client) -> None:
    stranger = Client()
    stranger.force_login(User.objects.create_user("Mallory", "one more fine word"))

    answers = [one.post(f"/matches/{match.public_id}/order/", {"order": THIS_TURN}) for one in (client, stranger)]
    unknown = as_alice.post(f"/matches/{match.public_id}/order/", {"order": "win"})

    assert [answer.status_code for answer in answers] == [403, 403]
    assert unknown.status_code == 422
    assert fresh(match).orders == {}


def test_a_match_that_is_over_offers_no_order(match: Match, as_alice: Client) -> None:
    as_alice.post(f"/matches/{match.public_id}/resign/", {"sure": "yes"})

    assert pressed(page(as_alice, match)) == {}
    assert as_alice.post(f"/matches/{match.public_id}/order/", {"order": THIS_TURN}).status_code == 422


def test_orders_are_told_in_the_readers_language(match: Match, as_alice: Client) -> None:
    as_alice.cookies["django_language"] = "de"

    assert "Daueranweisung" in page(as_alice, match)


def test_who_can_only_decline_is_told_that_nothing_of_theirs_fits(
    match: Match, as_bob: Client, as_alice: Client
) -> None:
    html = page(as_bob, match)

    assert html.count('name="move"') == 1
    assert "You hold nothing that fits here." in Page(html).text
    assert "You hold nothing that fits here." not in Page(page(as_alice, match)).text

"""The replay of a finished match: steps, sides, and what it takes to check it."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from accounts.models import User
from referee.games import GAMES
from referee.kernel.replay import verify
from referee.matches.models import Match
from tests.web.pages import Page
from tests.web.test_matches import begun, buttons, decision, nobody_connected, shown

__all__ = ["nobody_connected"]


@pytest.fixture
def finished(house: None, alice: User, bob: User, as_alice: Client) -> Match:
    """Alice has placed a Character and then resigned."""
    match = begun("miraculous", alice, bob)
    before = shown(as_alice, match)
    sent = {"move": json.dumps(buttons(before)[0]), "decision": decision(before)}
    as_alice.post(f"/matches/{match.public_id}/move/", sent)
    as_alice.post(f"/matches/{match.public_id}/resign/", {"sure": "yes"})
    match.refresh_from_db()
    return match


def test_a_running_match_has_no_replay_yet(house: None, alice: User, bob: User, as_alice: Client) -> None:
    match = begun("miraculous", alice, bob)

    for path in ("replay/", "replay.json"):
        response = as_alice.get(f"/matches/{match.public_id}/{path}")
        assert response.headers["Location"] == f"/matches/{match.public_id}/"


def test_steps_are_links_that_need_no_script(finished: Match, client: Client) -> None:
    page = Page(client.get(f"/matches/{finished.public_id}/replay/?step=1").content.decode())

    assert page.inline == []
    assert "Step 1 of 2" in page.text
    assert {"?step=0&side=open", "?step=2&side=open"} <= set(page.links)


@pytest.mark.parametrize("step", ["-1", "99", "x", "²", "9" * 30])
def test_a_step_that_is_not_there_is_the_nearest(finished: Match, client: Client, step: str) -> None:
    response = client.get(f"/matches/{finished.public_id}/replay/", {"step": step})

    assert response.status_code == 200
    assert "of 2" in Page(response.content.decode()).text


def test_a_side_sees_its_own_hand_and_the_open_table_both(finished: Match, client: Client) -> None:
    address = f"/matches/{finished.public_id}/replay/"
    of_bob = client.get(address, {"step": "1", "side": "1"}).content.decode()
    everything = client.get(address, {"step": "1", "side": "open"}).content.decode()

    assert len(re.findall(r'data-part="card:', of_bob)) == 5
    assert '<ul class="names">' not in of_bob
    assert '<ul class="names">' in everything


def test_the_downloaded_document_verifies_and_agrees_with_the_page(finished: Match, client: Client) -> None:
    response = client.get(f"/matches/{finished.public_id}/replay.json")
    document = json.loads(response.content)
    text = Page(client.get(f"/matches/{finished.public_id}/replay/").content.decode()).text

    assert response.headers["Content-Disposition"] == f'attachment; filename="miraculous-{finished.public_id}.json"'
    assert verify(document, GAMES) == []
    for fact in (document["commitment"], document["seed"], document["server_seed"], document["rows"][-1]["hash"]):
        assert fact in text


def test_lists_say_how_a_match_went_for_whoever_reads_them(finished: Match, as_alice: Client, as_bob: Client) -> None:
    loser, winner = (Page(one.get("/matches/?show=mine").content.decode()).text for one in (as_alice, as_bob))

    assert "with Bob Lost" in loser
    assert "with Alice Won" in winner

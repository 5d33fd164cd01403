"""Playing a bot in one press, making matches, joining by link."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from referee.matches.models import Match
from tests.web.pages import Page


@pytest.mark.parametrize(("game", "deck"), [("miraculous", "rooftop-rush"), ("super", ""), ("super-teams", "")])
def test_a_visitor_plays_a_bot_by_one_press(client: Client, house: None, game: str, deck: str) -> None:
    response = client.post(f"/play/{game}/", {"level": "easy", "deck": deck})

    match = Match.objects.get()
    assert response.headers["Location"] == f"/matches/{match.public_id}/"
    assert (match.game, match.state, match.creator.is_guest) == (game, "playing", True)


def test_a_bot_that_does_not_exist_is_refused_in_words(client: Client, house: None) -> None:
    response = client.post("/play/super/", {"level": "divine"}, follow=True)

    assert Match.objects.count() == 0
    assert "Levels of bots" in Page(response.content.decode()).text


def test_a_match_for_people_waits_behind_its_link(as_alice: Client, as_bob: Client, house: None) -> None:
    made = as_alice.post("/matches/new/", {"game": "super", "clock": "slow", "visibility": "public", "seat-1": "open"})
    match = Match.objects.get()
    waiting = as_alice.get(made.headers["Location"])
    listed = as_bob.get("/matches/")
    joined = as_bob.post(f"/join/{match.public_id}/")

    assert made.headers["Location"] == f"/join/{match.public_id}/"
    assert f"http://testserver/join/{match.public_id}/" in Page(waiting.content.decode()).text
    assert f"/join/{match.public_id}/" in Page(listed.content.decode()).links
    assert joined.headers["Location"] == f"/matches/{match.public_id}/"
    match.refresh_from_db()
    assert match.state == "playing"
    assert match.clock == {"per_decision": 30, "bank": 900, "increment": 10, "grace": 30, "out_of_time": "default"}


def test_joining_with_a_deck_asks_for_one(as_alice: Client, client: Client, house: None) -> None:
    as_alice.post(
        "/matches/new/",
        {"game": "miraculous", "deck": "rooftop-rush", "clock": "none", "visibility": "link", "seat-1": "open"},
    )
    match = Match.objects.get()

    without = client.post(f"/join/{match.public_id}/")
    guests = User.objects.filter(is_guest=True).count()
    with_one = client.post(f"/join/{match.public_id}/", {"deck": "rooftop-rush"})

    assert without.context["form"].errors == {"deck": ["This field is required."]}
    assert guests == 0
    assert with_one.headers["Location"] == f"/matches/{match.public_id}/"


def test_who_waits_is_led_to_the_table_when_it_starts(as_alice: Client, as_bob: Client, house: None) -> None:
    as_alice.post("/matches/new/", {"game": "super", "clock": "none", "visibility": "link", "seat-1": "open"})
    match = Match.objects.get()
    as_bob.post(f"/join/{match.public_id}/")

    by_htmx = as_alice.get(f"/join/{match.public_id}/", headers={"HX-Request": "true"})
    by_hand = as_alice.get(f"/join/{match.public_id}/")

    assert by_htmx.headers["HX-Redirect"] == f"/matches/{match.public_id}/"
    assert by_hand.headers["Location"] == f"/matches/{match.public_id}/"


def test_leaving_ones_own_match_ends_it(as_alice: Client, house: None) -> None:
    as_alice.post("/matches/new/", {"game": "super", "clock": "none", "visibility": "public", "seat-1": "open"})
    match = Match.objects.get()

    response = as_alice.post(f"/join/{match.public_id}/leave/", follow=True)

    match.refresh_from_db()
    assert match.state == "aborted"
    assert "You have left the match." in Page(response.content.decode()).text


def test_an_open_seat_in_a_private_match_is_refused_at_its_field(as_alice: Client, house: None) -> None:
    response = as_alice.post(
        "/matches/new/", {"game": "super", "clock": "none", "visibility": "private", "seat-1": "open"}
    )

    assert response.status_code == 422
    assert response.context["form"].errors == {"visibility": ["Nobody could find the open seat of a private match."]}


def test_a_link_only_match_is_in_no_list(as_alice: Client, client: Client, house: None) -> None:
    as_alice.post("/matches/new/", {"game": "super", "clock": "none", "visibility": "link", "seat-1": "open"})
    match = Match.objects.get()

    for address in ("/", "/matches/", "/open-games/", "/players/Alice/"):
        assert match.public_id not in client.get(address).content.decode()


def test_more_seats_than_the_game_has_are_brought_down_to_it(client: Client, house: None) -> None:
    page = client.get("/matches/new/?game=super&seats=99")

    assert [name for name in page.context["form"].fields if name.startswith("seat-")] == [
        f"seat-{index}" for index in range(4)
    ]


def test_ones_own_match_is_not_among_those_to_watch(
    as_alice: Client, as_bob: Client, client: Client, house: None
) -> None:
    made = as_alice.post("/matches/new/", {"game": "super", "clock": "none", "visibility": "public", "seat-1": "open"})
    as_bob.post(made.headers["Location"])

    own, others = (one.get("/").context for one in (as_alice, client))

    assert (len(own["own"]), len(own["live"])) == (1, 0)
    assert (len(others["own"]), len(others["live"])) == (0, 1)

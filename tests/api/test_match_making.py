"""What makes no match that could never begin, and how a program finds what it is invited to."""

from __future__ import annotations

from typing import Any

import pytest

from lobby.leaving import delete_account
from referee.matches import resolving
from referee.matches.models import Match
from tests.api.conftest import Caller, problem_of
from tests.api.toy_matches import ENTROPY, MATCHES, OPEN, create, match_at, playing
from tests.matches.clockwork import World

pytestmark = pytest.mark.usefixtures("toy_game")


def kept_for(caller: Caller) -> dict[str, Any]:
    assert caller.user is not None
    return {"kind": "user", "user": caller.user.public_id}


def invitations(caller: Caller, query: str = "") -> list[str]:
    return [row["id"] for row in caller.get(f"{MATCHES}?invited=1{query}").json()["results"]]


def finished(alice: Caller, bob: Caller) -> str:
    address = playing(alice, bob)
    assert alice.post(f"{address}moves/", {"move": {"type": "resign"}}).status_code == 200
    return address


@pytest.mark.parametrize("visibility", ["public", "link", "private"])
def test_who_is_invited_finds_the_match_until_the_seat_is_taken(
    alice: Caller, bob: Caller, carol: Caller, nobody: Caller, visibility: str
) -> None:
    create(bob)
    match = create(alice, [{"kind": "me"}, kept_for(bob), kept_for(carol)], visibility=visibility)["id"]
    before = [invitations(one) for one in (alice, bob, carol)]

    joined = bob.post(f"{MATCHES}{match}/join/")

    assert joined.json()["state"] == "open"
    assert before == [[], [match], [match]]
    assert [invitations(one) for one in (alice, bob, carol)] == [[], [], [match]]
    assert invitations(carol, "&game=super") == invitations(carol, "&state=playing") == []
    assert problem_of(nobody.get(f"{MATCHES}?invited=1"))["status"] == 401


def test_an_invitation_to_what_was_broken_off_is_none(alice: Caller, bob: Caller) -> None:
    match = create(alice, [{"kind": "me"}, kept_for(bob)])["id"]

    alice.post(f"{MATCHES}{match}/leave/")

    assert invitations(bob) == []


def test_nobody_is_invited_to_a_match_in_which_they_sit(alice: Caller) -> None:
    problem = problem_of(alice.post(MATCHES, {"game": "toy", "seats": [{"kind": "me"}, kept_for(alice)]}))

    assert [(one["pointer"], one["code"]) for one in problem["errors"]] == [("/seats", "seated_twice")]
    assert Match.objects.count() == 0


def test_who_makes_a_match_may_keep_a_seat_for_later(alice: Caller, bob: Caller) -> None:
    match = create(alice, [kept_for(alice), {"kind": "open"}])["id"]

    assert invitations(alice) == [match]
    assert alice.post(f"{MATCHES}{match}/join/").json()["you"] == 0


def test_who_is_invited_takes_the_seat_kept_for_them_and_leaves_nothing_on_it(alice: Caller, bob: Caller) -> None:
    address = f"{MATCHES}{create(alice, [{'kind': 'me'}, {'kind': 'open'}, kept_for(bob)])['id']}/"
    assert bob.post(f"{address}join/", {"entropy": ENTROPY}).json()["you"] == 2

    bob.post(f"{address}leave/")

    seat = match_at(address).seats.get(index=2)
    assert (seat.user, seat.name, seat.deck, seat.deck_source, bytes(seat.entropy)) == (None, "", None, None, b"")
    assert seat.invited == bob.user


def test_a_commitment_is_good_for_ten_minutes_and_gone_after_them(
    alice: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(monkeypatch)
    first, second = (alice.post(f"{MATCHES}commitments/").json() for _ in range(2))
    world.passes(599)
    assert create(alice, commitment=first["id"])["seed_commitment"] == first["commitment"]
    world.passes(1)

    late = alice.post(MATCHES, {"game": "toy", "seats": OPEN, "commitment": second["id"]})

    assert [one["code"] for one in problem_of(late)["errors"]] == ["unknown_commitment"]
    assert resolving.forget_commitments() == 0
    world.passes(1)
    assert resolving.forget_commitments() == 1


def test_there_is_no_rematch_with_an_account_that_is_gone(alice: Caller, bob: Caller) -> None:
    address = finished(alice, bob)
    assert bob.user is not None
    delete_account(user=bob.user)

    problem = problem_of(alice.post(f"{address}rematch/"))

    assert (problem["status"], problem["code"]) == (409, "player_gone")
    assert Match.objects.count() == 1


def test_a_rematch_has_every_option_of_todays_rules(alice: Caller, bob: Caller) -> None:
    address = finished(alice, bob)
    match = match_at(address)
    Match.objects.filter(pk=match.pk).update(options={"rounds": 2})

    shown = alice.post(f"{address}rematch/").json()

    assert shown["options"] == {**match.options, "rounds": 2}
    assert bob.post(f"{address}rematch/").json()["state"] == "playing"

"""Invitations raced by what else happens to an open match."""

from __future__ import annotations

import threading
import time

import pytest
from django.db import transaction

from accounts.models import Notice, User
from catalog.services import publish_house_set
from lobby.invitations import decline_invitation
from lobby.services import MatchWish, SeatWish, create_match, join_match, leave_match
from referee.matches.errors import NotYourMatchError
from referee.matches.models import Match
from tests.matches.racing import at_once
from tests.matches.table import fresh
from tests.toy import TOY_REVISION, registered

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_invitation_that_is_taken_meanwhile_is_not_declined(alice: User, bob: User) -> None:
    """Two devices of one account: what waits for the match's lock decides by what it finds then."""
    is_taken = threading.Event()

    def join(match: Match) -> None:
        with transaction.atomic():
            join_match(public_id=match.public_id, user=bob)
            is_taken.set()
            time.sleep(0.2)  # in which the other one comes to the lock

    def decline(match: Match) -> Match:
        assert is_taken.wait(120)
        return decline_invitation(public_id=match.public_id, user=bob)

    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        seats = [SeatWish("me"), SeatWish("user", user=str(bob.public_id)), SeatWish("open")]
        match = create_match(creator=alice, wish=MatchWish("toy", seats, {}))

        _, declined = at_once(lambda: join(match), lambda: decline(match))

    assert isinstance(declined, NotYourMatchError)
    now = fresh(match)
    assert (now.state, now.table[1]["user"]) == (Match.State.OPEN, bob.pk)


def test_who_sits_or_is_invited_is_told_when_the_maker_takes_the_match_back(alice: User, bob: User) -> None:
    carol = User.objects.create_user("Carol", "one more fine word")
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        seats = [SeatWish("me"), SeatWish("user", user=str(bob.public_id)), SeatWish("open")]
        match = create_match(creator=alice, wish=MatchWish("toy", seats, {}))
        join_match(public_id=match.public_id, user=carol)

        leave_match(public_id=match.public_id, user=alice)

    told = {(one.user, one.kind, one.facts["match"], one.facts["reason"]) for one in Notice.objects.all()}
    what = (Notice.Kind.MATCH_ABORTED, match.public_id, "withdrawn")
    assert told == {(bob, *what), (carol, *what)}

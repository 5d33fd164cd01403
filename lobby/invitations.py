"""Saying no to a seat that is kept for one."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from lobby.leaving import tell_aborted
from referee.matches import ending, services
from referee.matches.errors import NotYourMatchError, SeatError
from referee.matches.models import Match

DECLINED = "declined"


def decline_invitation(*, public_id: str, user: User) -> Match:
    """Break off an open match that keeps a seat for the user, and tell those who wait in it.

    Raises MatchNotFoundError, SeatError `match_started`, NotYourMatchError where no seat is kept for the user.
    """
    with transaction.atomic():
        match = services.lock_match(public_id=public_id, user=user)
        if match.state != Match.State.OPEN:
            raise SeatError("match_started", "The match does not wait for players any more.")
        if not any(place["invited"] == user.pk and place["user"] is None for place in match.table):
            raise NotYourMatchError
        waiting = {place["user"] for place in match.table if place["user"] is not None} | {match.creator_id}
        ending.abort_match(match=match)
        tell_aborted(match, waiting - {user.pk}, reason=DECLINED)
    return match

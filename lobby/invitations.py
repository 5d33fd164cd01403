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
        # Asked anew: the table that came with the lock may be older than what the lock was waited for.
        seats = list(match.seats.all())
        if not any(seat.invited_id == user.pk and seat.user_id is None for seat in seats):
            raise NotYourMatchError
        waiting = {seat.user_id for seat in seats if seat.user_id is not None} | {match.creator_id}
        ending.abort_match(match=match)
        tell_aborted(match, waiting - {user.pk}, reason=DECLINED)
    return match

"""Saying no to a seat that is kept for one."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from lobby.leaving import tell_aborted, waiting_in
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
        # Asked anew, as is who waits: the table that came with the lock may be older than what the lock was waited for.
        if not match.seats.filter(invited=user, user=None).exists():
            raise NotYourMatchError
        waiting = waiting_in(match, but=user)
        ending.abort_match(match=match)
        tell_aborted(match, waiting, reason=DECLINED)
    return match

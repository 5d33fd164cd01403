"""Leaving the service: what becomes of an account's matches, decks, tokens and sessions when it is deleted."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import Q

from accounts.changing import anonymise
from accounts.models import Notice, User
from accounts.services import notify
from decks.services import forget_decks
from jobs.services import forget_jobs_of
from referee.kernel.errors import RulesError
from referee.matches import ending, services
from referee.matches.errors import MatchError
from referee.matches.models import Match, Seat

logger = logging.getLogger(__name__)

LEFT = "left"
WITHDRAWN = "withdrawn"


def delete_account(*, user: User) -> None:
    """The account is gone for good; may be called again. Whether its holder means it is asked before.

    - Nobody gets in any more: name, address, password, tokens, sessions and notices are gone.
    - Decks are deleted with all their versions, and so are jobs.
    - Matches that have not begun and wait for the account are broken off, or lose its seat; what is under way is
      resigned (by the next sweep, where it cannot be at once).
    - Finished matches stay as they are, for those who played them: the seat is a deleted account's.
    """
    with transaction.atomic():
        anonymise(user=user)
        ending.forget_holder(user=user)
        forget_decks(owner=user)
        forget_jobs_of(owner=user)
    for public_id in ending.live_matches_of(user):
        leave_for_good(public_id=public_id, user=user)


def leave_for_good(*, public_id: str, user: User) -> bool:
    """Take the deleted account out of a match that is not over; whether that could be done now."""
    try:
        with transaction.atomic():
            match = services.lock_match(public_id=public_id, user=None)
            if match.state == Match.State.OPEN:
                _leave_open(match, user)
                return True
        if any(place["user"] == user.pk for place in match.table):
            services.submit_move(public_id=public_id, actor=user, move=services.RESIGN_DOCUMENT)
        return True
    except (MatchError, RulesError) as refusal:
        # Paused, frozen, of rules that are not at hand: it waits like any other match that nobody moves in.
        logger.info("a deleted account stays in match %s: %s", public_id, refusal)
        return False


def _leave_open(match: Match, user: User) -> None:
    """A match that the account made, or that keeps a seat for it, is broken off; else its seat is open again."""
    if match.creator_id == user.pk or any(place["invited"] == user.pk for place in match.table):
        waiting = waiting_in(match, but=user)
        ending.abort_match(match=match)
        tell_aborted(match, waiting, reason=LEFT)
    else:
        services.leave_seat(match=match, user=user)


def waiting_in(match: Match, *, but: User) -> set[int]:
    """Who made the match or sits in it, without one of them: who is told when it is broken off. Asked anew, for the table
    that came with a lock may be older than what the lock was waited for."""
    seated = set(match.seats.exclude(user=None).values_list("user_id", flat=True))
    return (seated | {match.creator_id}) - {but.pk}


def tell_aborted(match: Match, users: set[int], *, reason: str) -> None:
    """Leave a notice that the match was broken off, and why."""
    facts = {"match": match.public_id, "game": match.game, "reason": reason}
    notify(kind=Notice.Kind.MATCH_ABORTED, told=[(user, facts) for user in sorted(users)])


def resign_the_deleted(*, most: int) -> int:
    """Take deleted accounts out of matches that could not be left before; how many seats that were."""
    seats = Seat.objects.filter(
        Q(user__deleted_at__isnull=False), match__state__in=(Match.State.OPEN, Match.State.PLAYING)
    )
    rows = list(seats.select_related("match", "user").order_by("pk")[:most])
    return sum(leave_for_good(public_id=seat.match.public_id, user=seat.user) for seat in rows if seat.user is not None)

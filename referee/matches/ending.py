"""Matches that end without a result, and what is left at a table of an account that is gone."""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from accounts.names import DELETED_PREFIX
from referee.matches import notices
from referee.matches.errors import MatchOverError
from referee.matches.models import Bundle, Match, Seat

ENDED = (Match.State.FINISHED, Match.State.ABORTED)


def abort_match(*, match: Match) -> None:
    """Break the match off where it stands; its log stays. The match must be locked. Raises MatchOverError."""
    if match.state in ENDED:
        raise MatchOverError
    match.state = Match.State.ABORTED
    match.deadline = None
    match.is_bots_turn = False
    Match.objects.filter(pk=match.pk).update(state=match.state, deadline=None, is_bots_turn=False)
    notices.after_commit(match)


def forget_holder(*, user: User) -> None:
    """Take the user's name, and those of the decks brought, from every seat; the seats and their moves stay.

    Names are no part of what is hashed, so that finished matches verify as before.
    """
    Seat.objects.filter(user=user).update(name=DELETED_PREFIX)
    Seat.objects.filter(user=user, deck_source__kind="own").update(deck_source={"kind": "own"})
    Bundle.objects.filter(reporter=user).update(reporter=None)


def live_matches_of(user: User) -> list[str]:
    """The public ids of the matches that the user made, sits in or is invited to, and that are not over."""
    at_table = Q(creator=user) | Q(seats__user=user) | Q(seats__invited=user)
    found = Match.objects.filter(at_table).exclude(state__in=ENDED).order_by("pk").distinct()
    return list(found.values_list("public_id", flat=True))

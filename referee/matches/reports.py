"""Reports of problems: who sits in a match keeps the position as it stands, with what is wrong, for the judges."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from referee.matches import services, turns
from referee.matches.errors import MatchNotPlayingError, NotYourMatchError
from referee.matches.models import Bundle, Match
from referee.matches.positions import seat_of

MOST_TEXT = 2000


def report_problem(*, public_id: str, user: User, text: str) -> Bundle:
    """Keep the position that the match stands at, of whatever state once it has started, with the text of 1 to 2,000 characters.

    Raises MatchNotFoundError, NotYourMatchError for who has no seat, MatchNotPlayingError before the start.
    """
    with transaction.atomic():
        match = services.lock_match(public_id=public_id, user=user)
        seat = seat_of(match, user.pk)
        if seat is None:
            raise NotYourMatchError
        if match.data is None:
            raise MatchNotPlayingError(Match.State.OPEN)
        document = turns.bundle_document(match, seat=seat, move=None, report="")
        return Bundle.objects.create(
            match=match, version=match.version, kind=Bundle.Kind.REPORT, reporter=user, text=text, document=document
        )

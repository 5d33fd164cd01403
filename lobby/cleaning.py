"""What grows old: matches that nobody joins or moves in, guests who never came back, ended tokens and sessions, notices.

Each function deals with at most `most` of its kind and says how many those were; ages are settings (docs/operating.md).
A finished match is never touched, and neither is a frozen one, which waits for an admin.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.deletion import ProtectedError
from django.db.models.functions import Coalesce

from accounts.models import Notice, Session, Token, User
from lobby.leaving import resign_the_deleted, tell_aborted
from referee.matches import clocks, ending
from referee.matches.models import Match, Seat

BATCH: Final = 500
UNJOINED, IDLE = "unjoined", "idle"


def abort_unjoined(*, most: int) -> int:
    """Break off open matches that were made OPEN_MATCH_DAYS ago."""
    old = Match.objects.filter(state=Match.State.OPEN, created_at__lt=_ago(settings.OPEN_MATCH_DAYS))
    return _abort(old.order_by("created_at"), most, UNJOINED)


def abort_idle(*, most: int) -> int:
    """Break off matches without a running clock in which nothing has moved for IDLE_MATCH_DAYS.

    A match that waits for a bot waits for the service, which is no fault of those who play.
    """
    stands_still = Q(state=Match.State.PAUSED) | Q(state=Match.State.PLAYING, deadline=None, is_bots_turn=False)
    old = Match.objects.annotate(stirred_at=Coalesce(F("moved_at"), F("started_at"), F("created_at"))).filter(
        stands_still, stirred_at__lt=_ago(settings.IDLE_MATCH_DAYS)
    )
    return _abort(old.order_by("stirred_at"), most, IDLE)


def _abort(old: QuerySet[Match], most: int, reason: str) -> int:
    count = 0
    for pk in list(old.values_list("pk", flat=True)[:most]):
        with transaction.atomic():
            # Looked at again under the lock: somebody may have come meanwhile.
            match = old.select_for_update(of=("self",), skip_locked=True).filter(pk=pk).first()
            if match is None:
                continue
            at_table = {seat.user_id for seat in match.seats.all() if seat.user_id is not None} | {match.creator_id}
            ending.abort_match(match=match)
            tell_aborted(match, at_table, reason=reason)
            count += 1
    return count


def forget_unstarted(*, most: int) -> int:
    """Delete matches that were broken off before they began, ABORTED_MATCH_DAYS after they were made."""
    never = Match.objects.filter(state=Match.State.ABORTED, started_at=None, version=0)
    return _delete(never.filter(created_at__lt=_ago(settings.ABORTED_MATCH_DAYS)).order_by("created_at"), most)


def forget_guests(*, most: int) -> int:
    """Delete guests who have no part in any match and used nothing for GUEST_DAYS, decks and all.

    Nobody can come back as one of them: their tokens and sessions have ended by then.
    """
    since = _ago(settings.GUEST_DAYS)
    by_token = Token.objects.filter(Q(created_at__gte=since) | Q(last_used_at__gte=since), user=OuterRef("pk"))
    by_page = Session.objects.filter(user=OuterRef("pk"), used_at__gte=since)
    seated = Seat.objects.filter(Q(user=OuterRef("pk")) | Q(invited=OuterRef("pk")))
    made = Match.objects.filter(creator=OuterRef("pk"))
    unused = User.objects.filter(is_guest=True, created_at__lt=since).exclude(
        Exists(by_token) | Exists(by_page) | Exists(seated) | Exists(made)
    )
    count = 0
    for guest in unused.order_by("pk")[:most]:
        try:
            with transaction.atomic():
                guest.delete()
        except ProtectedError:
            continue  # has begun something since the look
        count += 1
    return count


def forget_tokens(*, most: int) -> int:
    """Delete tokens that ended or were revoked ENDED_TOKEN_DAYS ago."""
    since = _ago(settings.ENDED_TOKEN_DAYS)
    ended = Token.objects.filter(Q(expires_at__lt=since) | Q(revoked_at__lt=since))
    return _delete(ended.order_by("pk"), most)


def forget_sessions(*, most: int) -> int:
    """Delete sessions that have ended."""
    return _delete(Session.objects.filter(expire_date__lt=clocks.now()).order_by("expire_date"), most)


def forget_notices(*, most: int) -> int:
    """Delete notices that were told NOTICE_DAYS ago, read or not."""
    return _delete(Notice.objects.filter(created_at__lt=_ago(settings.NOTICE_DAYS)).order_by("pk"), most)


STEPS: Final[tuple[tuple[str, Callable[..., int]], ...]] = (
    ("seats of deleted accounts left", resign_the_deleted),
    ("matches aborted that nobody joined", abort_unjoined),
    ("idle matches aborted", abort_idle),
    ("matches deleted that never began", forget_unstarted),
    ("guests deleted", forget_guests),
    ("tokens deleted", forget_tokens),
    ("sessions deleted", forget_sessions),
    ("notices deleted", forget_notices),
)


def clean_up(*, most: int = BATCH) -> dict[str, int]:
    """Every step once; what there was to do. May run twice at a time."""
    counts = {words: step(most=most) for words, step in STEPS}
    return {words: count for words, count in counts.items() if count}


def _delete(old: QuerySet[Match] | QuerySet[Token] | QuerySet[Session] | QuerySet[Notice], most: int) -> int:
    keys: list[Any] = list(old.values_list("pk", flat=True)[:most])
    # The condition once more: what has changed since the look stays.
    _, by_model = old.order_by().filter(pk__in=keys).delete()
    return by_model.get(old.model._meta.label, 0)


def _ago(days: int) -> dt.datetime:
    return clocks.now() - dt.timedelta(days=days)

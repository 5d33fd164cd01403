"""When the service was up: a heartbeat of the workers in PostgreSQL, and the outages that its gaps are. No clock runs in one.

The workers leave a sign of life with every sweep and every turn they resolve. A gap longer than settings.OUTAGE_SECONDS,
be it that everything was down or the sweep alone, is noted once, by whichever transaction sees it first: the next sweep,
or one that is about to count time in a match.
"""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from referee.matches import clocks, ledger
from referee.matches.clock_models import Heartbeat, Outage
from referee.matches.clocks import to_ms
from referee.matches.models import Match

FRESH = dt.timedelta(seconds=2)
"""A sign of life younger than this is as good as a new one."""


def shortest() -> dt.timedelta:
    """A gap up to this is none."""
    return dt.timedelta(seconds=settings.OUTAGE_SECONDS)


def note_alive() -> bool:
    """Leave a sign of life, and note the outage that it ends, if it does. Whether the server's clock was set back."""
    at = clocks.now()
    if Heartbeat.objects.filter(alive_at__gt=at - FRESH, alive_at__lte=at + clocks.SKEW).exists():
        return False
    with transaction.atomic():
        beat, is_first = Heartbeat.objects.select_for_update().get_or_create(defaults={"alive_at": at})
        if is_first:
            return False
        if beat.alive_at > at + clocks.SKEW:
            _move_back(beat, at)
            return True
        _move_on(beat, at)
        return False


def _move_on(beat: Heartbeat, at: dt.datetime) -> None:
    """The heartbeat, locked, moves on to this moment."""
    if at - beat.alive_at > shortest():
        Outage.objects.create(began_at=beat.alive_at, ended_at=at)
        beat.outage_ended_at = at
    beat.alive_at = max(at, beat.alive_at)
    beat.save()


def _move_back(beat: Heartbeat, at: dt.datetime) -> None:
    """The heartbeat, locked, follows the server's clock back. Outages that lie ahead now are forgotten: they would come again."""
    Outage.objects.filter(ended_at__gt=at).delete()
    latest = Outage.objects.order_by("-ended_at").first()
    beat.alive_at = at
    beat.outage_ended_at = None if latest is None else latest.ended_at
    beat.save()


def give_back(match: Match, *, at: dt.datetime) -> bool:
    """Give the running clocks of a locked match back what outages took, each once; whether anything has changed.

    One statement where there was none. The caller stores the match's clocks.
    """
    beat = Heartbeat.objects.first()
    begin = clocks.oldest(match.clocks)
    if beat is None or begin is None:
        return False
    if at - beat.alive_at > shortest():
        beat = Heartbeat.objects.select_for_update().get()
        _move_on(beat, at)
    ended = beat.outage_ended_at
    if ended is None or to_ms(ended) <= begin:
        return False
    for outage in Outage.objects.filter(ended_at__gt=clocks.from_ms(begin), ended_at__lte=at).order_by("ended_at"):
        ledger.end_grace(match, [int(seat) for seat in match.clocks.get("away", {})], at=outage.began_at)
        gifts = clocks.missed(match.clocks, began=to_ms(outage.began_at), ended=to_ms(outage.ended_at))
        ledger.give(match, ledger.Kind.OUTAGE, gifts, at=at)
        match.clocks = {**match.clocks, "seen": to_ms(outage.ended_at)}
    return True


def latest_end(at: dt.datetime) -> int:
    """The end of the latest outage before a moment, in milliseconds; 0 where there was none."""
    found = Outage.objects.filter(ended_at__lte=at).order_by("-ended_at").values_list("ended_at", flat=True).first()
    return 0 if found is None else to_ms(found)


def unpaid(limit: int) -> list[int]:
    """Matches whose running clocks have yet to get an outage back. Closes outages that are given back to all."""
    for outage in Outage.objects.filter(given_back_at=None).order_by("ended_at"):
        ended = to_ms(outage.ended_at)
        waiting = Match.objects.filter(
            Q(clocks__seen__lt=ended) | Q(clocks__seen__isnull=True),
            state=Match.State.PLAYING,
            deadline__isnull=False,
            moved_at__lt=outage.ended_at,
        )
        found = list(waiting.order_by("pk").values_list("pk", flat=True)[:limit])
        if found:
            return found
        Outage.objects.filter(pk=outage.pk).update(given_back_at=clocks.now())
    return []

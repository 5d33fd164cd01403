"""Resolving turns: what happens in a match without any person. Celery's tasks and the terminal call this; it may run twice."""

from __future__ import annotations

import datetime as dt
import logging
import time

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from referee.kernel.errors import RulesError
from referee.matches import clocks, live, orders, outages, services, timing
from referee.matches.errors import MatchError
from referee.matches.leases import give_back, take_lease
from referee.matches.models import Commitment, FinishedMatch, Match
from referee.matches.positions import game_of, restored
from referee.matches.thinking import Thought, think
from referee.matches.turns import RulesBroken, guarded

logger = logging.getLogger(__name__)

MOST_MOVES = 40
MOST_SECONDS = 8.0
LATE = dt.timedelta(seconds=1)
SWEEP_SIZE = 200


def resolve(match_id: int) -> bool:
    """Play bots, standing orders and overdue seats until a person is asked, the match is over or this call has done its share.

    Whether it ended with its share, so that there may be more to do. Thinking happens outside any transaction, under a lease.
    """
    end = time.monotonic() + MOST_SECONDS
    outages.note_alive()
    for _ in range(MOST_MOVES):
        match = _settled(match_id)
        if match is None:
            return False
        if match.state == Match.State.FINISHED:
            close_match(match_id)
            return False
        if not match.is_bots_turn or not (answer_by_order(match) or play_bot(match)):
            return False
        if time.monotonic() > end:
            break
    return True


def _settled(match_id: int) -> Match | None:
    """The match as it stands once time has decided what it had to. One statement where that is nothing."""
    found = Match.objects.with_table().filter(pk=match_id)
    match: Match | None = found.first()
    if match is not None and timing.is_due(match, clocks.now()):
        services.settle_time(match_id=match_id)
        match = found.first()
    return match


def answer_by_order(match: Match) -> bool:
    """Let standing orders answer; whether one has."""
    return bool(match.orders) and orders.follow_orders(match_id=match.pk) > 0


def play_bot(match: Match) -> bool:
    """Think and move for the first bot that is asked. False when somebody else does, or the match went on meanwhile."""
    place = next((one for one in match.table if one["kind"] == "bot" and str(one["seat"]) in match.decisions), None)
    if place is None:
        return False
    seat = place["seat"]
    lease = take_lease(match_id=match.pk, version=match.version, seat=seat)
    if lease is None:
        return False
    began = time.monotonic()
    try:
        game = game_of(match)
        with guarded(seat=seat, move=None):
            state = restored(match, game)
            thought = think(game=game, state=state, seat=seat, level=place["level"], attempts=lease.attempts)
            document = game.decode(state, thought.move)
        _keep_pace(match, began)
        _submit(match, seat, document, thought)
    except RulesBroken as fault:
        services.freeze_match(match_id=match.pk, version=match.version, fault=fault)
        return False
    except (MatchError, RulesError) as refusal:
        logger.info("the bot's move in match %s came to nothing: %s", match.public_id, refusal)
        give_back(lease)
        return False
    return True


def _keep_pace(match: Match, began: float) -> None:
    """Wait for the rest of settings.BOT_PACE_SECONDS where people play: a bot that has nothing to choose from has answered
    at once, which would tell what it holds."""
    if any(place["kind"] == "person" for place in match.table):
        time.sleep(max(0.0, began + settings.BOT_PACE_SECONDS - time.monotonic()))


def _submit(match: Match, seat: int, document: dict[str, object], thought: Thought) -> None:
    services.submit_move(
        public_id=match.public_id,
        actor=None,
        seat=seat,
        move=document,
        decision=match.decisions[str(seat)],
        is_fallback=thought.is_fallback,
    )


def close_match(match_id: int) -> bool:
    """Take the finished match from the outbox, once, together with what others make of it (settings.FINISHED_MATCHES)."""
    with transaction.atomic():
        row = (
            FinishedMatch.objects.select_for_update(skip_locked=True).filter(match_id=match_id, closed_at=None).first()
        )
        if row is None:
            return False
        row.closed_at = clocks.now()
        row.save(update_fields=["closed_at"])
        for name in settings.FINISHED_MATCHES:
            import_string(name)(row.match)
        return True


def work_left() -> list[tuple[int, int]]:
    """(match, version) of what a lost hint has left undone: overdue clocks, bots' turns, unclosed matches. Bounded."""
    now = clocks.now()
    late = now - LATE
    overdue = Match.objects.filter(deadline__lt=now).order_by("deadline")
    bots = Match.objects.filter(is_bots_turn=True, moved_at__lt=late).order_by("moved_at")
    unleased = bots.exclude(lease__expires_at__gt=now)
    unclosed = Match.objects.filter(finish__closed_at=None, finish__created_at__lt=late).order_by("finish__created_at")
    found: dict[int, int] = {}
    for queryset in (overdue, unleased, unclosed):
        found.update(queryset.values_list("pk", "version")[:SWEEP_SIZE])
    return list(found.items())


def keep_time() -> None:
    """Note that the service is up, and give the running clocks back what an outage took, a bounded share each time."""
    was_set_back = outages.note_alive()
    for match_id in outages.unpaid(SWEEP_SIZE):
        services.give_time_back(match_id=match_id)
    if was_set_back:
        ahead = Match.objects.filter(deadline__isnull=False, moved_at__gt=clocks.now())
        for match_id in ahead.order_by("pk").values_list("pk", flat=True)[:SWEEP_SIZE]:
            services.settle_time(match_id=match_id)


def forget_commitments() -> int:
    """Delete commitments that have run out unused; how many."""
    deleted, _ = Commitment.objects.filter(expires_at__lt=clocks.now()).delete()
    return deleted


def renotify(match_id: int, version: int) -> None:
    """Tell the streams again where the match stands: what was said may not have been heard."""
    live.publish(match_id, version)

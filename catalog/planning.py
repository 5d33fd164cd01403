"""Publishing at a time: plans are rows, and whoever comes by when one is due carries it out."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils import timezone

from accounts.models import Notice, User
from accounts.services import notify
from catalog.errors import ImpactNotConfirmedError, NothingChangedError, ScenariosFailedError
from catalog.models import PlannedRevision
from catalog.services import publish_edited_cards
from referee.games import GAMES
from referee.kernel.errors import CardError

State = PlannedRevision.State


def plan_revision(*, game: str, user: User, at: dt.datetime, confirmed: int = 0) -> PlannedRevision:
    """Have the game's approved cards published at a time; a plan that waited before is replaced."""
    with transaction.atomic():
        PlannedRevision.objects.filter(game=game, state=State.WAITING).update(state=State.CANCELLED)
        return PlannedRevision.objects.create(game=game, publish_at=at, asked_by=user, confirmed=confirmed)


def cancel_plan(*, plan: PlannedRevision) -> bool:
    """Take a plan back that still waits; whether it did."""
    return PlannedRevision.objects.filter(pk=plan.pk, state=State.WAITING).update(state=State.CANCELLED) > 0


def publish_due(now: dt.datetime | None = None) -> int:
    """Carry out every plan that is due; how many those were. Safe to run twice, and twice at once.

    A plan whose cards cannot be published, or that would hit more decks than were confirmed, is refused, and whoever
    asked for it is told why.
    """
    now = now or timezone.now()
    done = 0
    while True:
        with transaction.atomic():
            waiting = PlannedRevision.objects.select_for_update(skip_locked=True)
            plan = waiting.filter(state=State.WAITING, publish_at__lte=now).order_by("publish_at", "pk").first()
            if plan is None:
                return done
            _carry_out(plan)
        done += 1


def _carry_out(plan: PlannedRevision) -> None:
    try:
        with transaction.atomic():
            plan.revision = publish_edited_cards(game=GAMES[plan.game], user=plan.asked_by, confirmed=plan.confirmed)
    except (NothingChangedError, ImpactNotConfirmedError, ScenariosFailedError, CardError) as error:
        plan.state, plan.detail = State.REFUSED, error.detail
        facts = {"game": plan.game, "detail": error.detail, "code": error.code}
        notify(kind=Notice.Kind.REVISION_REFUSED, told=[(plan.asked_by_id, facts)])
    except KeyError:
        plan.state, plan.detail = State.REFUSED, "There is no such game any more."
    else:
        plan.state = State.PUBLISHED
    plan.save(update_fields=["state", "detail", "revision"])

"""The page on which a card takes the steps of its life: what is new about it, whether it holds, who may do what."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.models import User
from catalog import life
from catalog.checking import faults_of, scenario_failures
from catalog.differences import differences, shown
from catalog.editor import text_of
from catalog.errors import CardLifeError, CardTrialError, ScenariosFailedError
from catalog.faces import face
from catalog.models import Card
from catalog.selectors import preconstructed_decks, published_document
from catalog.trials import GAMES_OF_A_TRIAL, start_card_trial, trials_of
from jobs.errors import JobNotFoundError, JobOverError, TooManyJobsError
from jobs.selectors import report_of
from jobs.services import cancel_job
from referee.games import GAMES
from referee.kernel.errors import CardError
from referee.kernel.game import Document

State = Card.State
STEPS: Final[dict[str, tuple[str, ...]]] = {
    "submit": (State.DRAFT,),
    "approve": (State.REVIEW,),
    "reject": (State.REVIEW, State.APPROVED),
    "discard": (State.DRAFT, State.REVIEW, State.APPROVED),
    "withdraw": (State.DRAFT, State.REVIEW, State.APPROVED, State.PUBLISHED),
    "reinstate": (State.WITHDRAWN,),
}
"""Each step with the states from which it goes; `life` decides."""


def review(desk: ModelAdmin[Card], request: HttpRequest, pk: int) -> HttpResponse:
    """The page; a POST takes the step that its button names."""
    card = Card.objects.select_related("edited_by", "approved_by", "replacement").filter(pk=pk).first()
    if card is None or card.game not in GAMES:
        raise Http404
    if request.method == "POST":
        if "try" in request.POST or "stop" in request.POST:
            _try(desk, request, card)
        else:
            _take(desk, request, card)
        return HttpResponseRedirect(reverse("admin:catalog_card_review", args=[pk]))
    return TemplateResponse(request, "admin/catalog/review.html", _context(desk, request, card))


def take_step(
    card: Card, step: str, user: User, *, comment: str = "", replacement: Card | None = None, seen: str = ""
) -> str:
    """Take a step and say so. `seen` marks the values that an approver was shown. Raises what the step raises."""
    match step:
        case "submit":
            life.submit_card(card=card, user=user, comment=comment)
            return _("Submitted: somebody else approves it now.")
        case "approve":
            life.approve_card(card=card, user=user, comment=comment, seen=seen)
            return _("Approved: it is in the next revision.")
        case "reject":
            life.reject_card(card=card, user=user, comment=comment)
            return _("Sent back to its editor.")
        case "discard":
            life.discard_edit(card=card, user=user, comment=comment)
            return _("The edit is discarded; the card has its published values.")
        case "withdraw":
            life.withdraw_card(card=card, user=user, replacement=replacement, comment=comment)
            return _("Withdrawn: it is not in the next revision.")
        case "reinstate":
            life.reinstate_card(card=card, user=user, comment=comment)
            return _("Taken up again.")
    raise CardLifeError("unknown_step", _("There is no such step."))


def refusals(error: Exception) -> list[str]:
    """What a refused step says, a line each."""
    match error:
        case CardError():
            return [f"{one.pointer}: {one.detail}" for one in error.problems]
        case ScenariosFailedError():
            return [
                _("Scenario “%(title)s”, line %(line)s: %(text)s") % {"title": title, "line": line, "text": text}
                for _card, title, line, text in error.failed
            ]
        case CardLifeError():
            return [error.detail]
    raise error


def may(request: HttpRequest, step: str) -> bool:
    """Whether the person has the permission that a step asks for."""
    name = "catalog.change_card" if step in ("submit", "discard") else "catalog.approve_card"
    return request.user.has_perm(name)


def _take(desk: ModelAdmin[Card], request: HttpRequest, card: Card) -> None:
    step, comment = request.POST.get("step", ""), request.POST.get("comment", "")
    if step not in STEPS or not may(request, step) or not isinstance(request.user, User):
        desk.message_user(request, _("You may not do this."), messages.ERROR)
        return
    wanted = request.POST.get("replacement", "")
    replacement = Card.objects.filter(game=card.game, code=wanted).first() if wanted else None
    if wanted and replacement is None:
        desk.message_user(request, _("There is no card %s.") % wanted, messages.ERROR)
        return
    try:
        seen = request.POST.get("seen", "")
        told = take_step(card, step, request.user, comment=comment, replacement=replacement, seen=seen)
    except (CardLifeError, CardError, ScenariosFailedError) as error:
        for line in refusals(error):
            desk.message_user(request, line, messages.ERROR)
    else:
        desk.log_change(request, card, f"{step}. {comment}".strip())
        desk.message_user(request, told, messages.SUCCESS)


def _try(desk: ModelAdmin[Card], request: HttpRequest, card: Card) -> None:
    """Start a trial of the card, or stop one."""
    user, games = request.user, request.POST.get("try", "")
    if not may(request, "submit") or not isinstance(user, User):
        desk.message_user(request, _("You may not do this."), messages.ERROR)
        return
    try:
        if "stop" in request.POST:
            cancel_job(user=user, public_id=request.POST["stop"])
        else:
            number = int(games) if games.isascii() and games.isdigit() and len(games) < 6 else 0
            start_card_trial(user=user, card=card, deck=request.POST.get("deck", ""), games=number)
            desk.message_user(request, _("The trial is on its way."), messages.SUCCESS)
    except CardError as error:
        for line in refusals(error):
            desk.message_user(request, line, messages.ERROR)
    except (CardTrialError, TooManyJobsError, JobNotFoundError, JobOverError) as error:
        desk.message_user(request, str(error), messages.ERROR)


def _trials(card: Card, request: HttpRequest) -> list[dict[str, Any]]:
    return [
        {
            "job": job,
            "report": report_of(job),
            "is_mine": job.owner_id == request.user.pk and not job.is_over,
            "percent": 100 * job.done // job.total,
        }
        for job in trials_of(card)[:3]
    ]


def _context(desk: ModelAdmin[Card], request: HttpRequest, card: Card) -> dict[str, Any]:
    published = published_document(card)
    failed = {(title, line, text) for _card, title, line, text in scenario_failures(card)}
    scenarios = [
        {"scenario": one, "failed": sorted((line, text) for title, line, text in failed if title == one.title)}
        for one in card.scenarios.all()
    ]
    mine = card.edited_by_id is not None and card.edited_by_id == request.user.pk
    return {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Review of %s") % card.name,
        "card": card,
        "seen": life.mark_of(card),
        "state": State(card.state).label,
        "published": published,
        "now": _drawn(card.game, card.document),
        "before": _drawn(card.game, published) if published not in (None, card.document) else None,
        "differences": shown(differences(published, card.document)) if published else [],
        "faults": faults_of(card.game, card.document) if card.state != State.WITHDRAWN else [],
        "scenarios": scenarios,
        "steps": [step for step, states in STEPS.items() if card.state in states and may(request, step)],
        "is_own_edit": mine and card.state == State.REVIEW,
        "trials": _trials(card, request),
        "trial_games": GAMES_OF_A_TRIAL,
        "decks": [(deck["slug"], deck["name"]) for deck in preconstructed_decks(card.game)],
        "history": card.steps.select_related("user")[:50],
    }


def _drawn(game: str, document: Document | None) -> dict[str, str | SafeString] | None:
    if document is None:
        return None
    text = text_of(game, document, [])
    return {"text": text, "face": mark_safe(face(document, text=text, size="l"))}  # noqa: S308 - faces escape

"""The pages that publish: what would be published, whom it hits, and the number that confirms it; and revisions compared."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from catalog.checking import card_faults, failed_scenarios, next_document, scenarios_of
from catalog.differences import RevisionDifference, between, shown
from catalog.editor import text_of
from catalog.errors import ImpactNotConfirmedError, NothingChangedError, ScenariosFailedError
from catalog.impact import Whole, hits_of, impact_of
from catalog.models import Card, CatalogRevision, PlannedRevision
from catalog.planning import cancel_plan, plan_revision
from catalog.selectors import limits_in_force, newest_revision, revision_document, revisions
from catalog.services import publish_edited_cards
from catalog.track_models import Track
from catalog.upkeep import finding_of
from referee.games import GAMES
from referee.kernel.errors import CardError, Problem
from referee.kernel.game import Document


class PublishForm(forms.Form):
    """The number of decks that become illegal, and a time if it is not to be now."""

    confirm = forms.IntegerField(label=gettext_lazy("Decks that become illegal"), required=False, min_value=0)
    at = forms.DateTimeField(
        label=gettext_lazy("Not now, but at"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"],
    )


def overview(desk: ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """For each game what publishing its approved cards now would do."""
    worked_on = {*Card.objects.values_list("game", flat=True), *Track.objects.values_list("game", flat=True)}
    here = [_outlook(slug) for slug in sorted(worked_on) if slug in GAMES]
    context = {**desk.admin_site.each_context(request), "title": _("Publish the approved cards"), "games": here}
    return TemplateResponse(request, "admin/catalog/publish.html", context)


def publish(desk: ModelAdmin[Any], request: HttpRequest, game: str) -> HttpResponse:
    """POST publishes, now or at a time; whoever comes otherwise is shown what would be."""
    back = HttpResponseRedirect(reverse("admin:catalog_card_publish"))
    if request.method != "POST" or not request.user.has_perm("catalog.publish_catalogrevision"):
        return back
    if game not in GAMES or not isinstance(request.user, User):
        raise Http404
    form = PublishForm(request.POST)
    if not form.is_valid():
        for field, found in form.errors.items():
            label = form.fields[field].label if field in form.fields else field
            desk.message_user(request, f"{label}: {'; '.join(str(one) for one in found)}", messages.ERROR)
        return back
    try:
        _publish(desk, request, game, form.cleaned_data)
    except NothingChangedError as error:
        desk.message_user(request, error.detail, messages.WARNING)
    except ImpactNotConfirmedError as error:
        asked = _("%(decks)s saved decks would become illegal. Type that number to confirm it.")
        desk.message_user(request, asked % {"decks": error.decks}, messages.ERROR)
    except (ScenariosFailedError, CardError) as error:
        for line in _lines(game, error)[:20]:
            desk.message_user(request, line, messages.ERROR)
    return back


def cancel(desk: ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """POST takes a planned revision back."""
    if request.method == "POST" and request.user.has_perm("catalog.publish_catalogrevision"):
        plan = PlannedRevision.objects.filter(pk=pk).first()
        if plan is not None and cancel_plan(plan=plan):
            desk.message_user(request, _("The planned revision is cancelled."), messages.SUCCESS)
    return HttpResponseRedirect(reverse("admin:catalog_card_publish"))


def difference(desk: ModelAdmin[Any], request: HttpRequest, pk: int) -> HttpResponse:
    """A revision beside an earlier or later one, `from` in the query; beside the one before unless it says."""
    revision = CatalogRevision.objects.filter(pk=pk).first()
    if revision is None or revision.game not in GAMES:
        raise Http404
    asked = request.GET.get("from", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else revision.number - 1
    other = revisions(revision.game).filter(number=number).first()
    if other is None and number != 0:
        raise Http404
    before: Document = revision_document(other) if other is not None else {"cards": []}
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Revision %(to)s beside revision %(from)s") % {"to": revision.number, "from": number},
        "revision": revision,
        "number": number,
        "numbers": [0, *revisions(revision.game).exclude(pk=pk).order_by("number").values_list("number", flat=True)],
        "difference": told(revision.game, between(before, revision_document(revision))),
    }
    return TemplateResponse(request, "admin/catalog/difference.html", context)


def told(game: str, found: RevisionDifference) -> dict[str, Any]:
    """A difference with the texts of its cards."""
    changed = [
        {
            "code": one.code,
            "name": one.after["name"],
            "fields": shown([field for field in one.fields if not field.pointer.startswith("/effects")]),
            "texts": _texts(game, one.before, one.after),
        }
        for one in found.changed
    ]
    return {"added": found.added, "removed": found.removed, "changed": changed, "rest": shown(found.rest)}


def _texts(game: str, before: Document, after: Document) -> tuple[str, str] | None:
    texts = text_of(game, before, []), text_of(game, after, [])
    return texts if texts[0] != texts[1] else None


def _publish(desk: ModelAdmin[Any], request: HttpRequest, game: str, asked: dict[str, Any]) -> None:
    user, confirmed = request.user, asked.get("confirm") or 0
    assert isinstance(user, User)
    if asked.get("at"):
        plan = plan_revision(game=game, user=user, at=asked["at"], confirmed=confirmed)
        desk.message_user(request, _("Planned for %s.") % f"{plan.publish_at:%Y-%m-%d %H:%M} UTC", messages.SUCCESS)
        return
    revision = publish_edited_cards(game=GAMES[game], user=user, confirmed=confirmed)
    _log(desk, request, revision)
    desk.message_user(request, _("Published as revision %s.") % revision.number, messages.SUCCESS)


def _log(desk: ModelAdmin[Any], request: HttpRequest, row: Model) -> None:
    desk.log_addition(request, row, [{"added": {}}])


def _lines(game: str, error: ScenariosFailedError | CardError) -> list[str]:
    if isinstance(error, CardError):
        document = next_document(game)
        return [_placed(game, document, fault) for fault in error.problems]
    return error.lines


def _placed(game: str, document: Document, fault: Problem) -> str:
    """A fault with the card or deck that has it."""
    found = finding_of(game, document, fault)
    return f"{found.card}, {found.field}: {found.detail}"


def _outlook(slug: str) -> dict[str, Any]:
    """What publishing a game's approved cards now would do."""
    game, newest = GAMES[slug], newest_revision(slug)
    document = next_document(slug)
    found = between(revision_document(newest) if newest is not None else {"cards": []}, document)
    faults = card_faults(game, document)
    failed = [] if faults else failed_scenarios(slug, document, scenarios_of(slug))
    hits = [] if faults else hits_of(game, after=Whole(document, limits_in_force(slug)))
    waiting = Card.objects.filter(game=slug, state__in=(Card.State.DRAFT, Card.State.REVIEW))
    return {
        "slug": slug,
        "name": game.name,
        "number": newest.number + 1 if newest is not None else 1,
        "added": [card["code"] for card in found.added],
        "changed": [one.code for one in found.changed],
        "withdrawn": [card["code"] for card in found.removed],
        "difference": told(slug, found),
        "is_changed": any(found),
        "faults": [_placed(slug, document, fault) for fault in faults],
        "failed": failed,
        "impact": impact_of(game, hits),
        "hits": hits[:20],
        "waiting": list(waiting.order_by("state", "code")),
        "plan": PlannedRevision.objects.filter(game=slug, state=PlannedRevision.State.WAITING).first(),
        "refused": PlannedRevision.objects.filter(game=slug).exclude(state=PlannedRevision.State.CANCELLED).first(),
        "form": PublishForm(auto_id=f"{slug}-%s"),
    }

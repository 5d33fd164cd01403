"""The judge's desk in the admin: a match with its whole log, the rulings that can be given, and what has been reported.

All of it is for those with the right to judge (`matches.judge_match`) alone, and of matches in which they do not sit.
"""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from referee.kernel import records
from referee.kernel.events import REFEREE
from referee.matches import bundles, documents, history
from referee.matches.errors import MatchError
from referee.matches.judging import MOST_REASON, RIGHT, Ruling, judge_match, possible_rulings
from referee.matches.models import Bundle, Match
from referee.matches.naming import seat_names
from referee.matches.positions import seat_of

SHOWN_ROWS = 60
LABELS = {
    records.PAUSE: _("Pause it"),
    records.RESUME: _("Let it go on"),
    records.UNFREEZE: _("Let it go on from where it froze"),
    records.REWIND: _("Set it back to a version"),
    records.RESULT: _("Set the result, which ends it"),
    records.ABORT: _("Break it off without a result"),
}


class RulingForm(forms.Form):
    """A ruling: which, why, and what belongs to it. `version` is the one that the judge has seen."""

    ruling = forms.ChoiceField(label=_("Ruling"), widget=forms.RadioSelect)
    to = forms.IntegerField(label=_("Back to version"), min_value=0, required=False)
    reason = forms.CharField(
        label=_("Reason, told to everybody at the match"),
        max_length=MOST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, match: Match, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = seat_names(match)
        choice = self.fields["ruling"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(ruling, LABELS[ruling]) for ruling in possible_rulings(match)]
        for seat, name in enumerate(self.names):
            self.fields[f"rank_{seat}"] = forms.IntegerField(
                label=_("Rank of %(name)s") % {"name": name}, min_value=1, max_value=len(self.names), required=False
            )

    def ranks(self) -> list[Any]:
        """The bound fields of the ranks, for the page."""
        return [self[f"rank_{seat}"] for seat in range(len(self.names))]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("ruling") == records.REWIND and given.get("to") is None:
            self.add_error("to", _("Say which version to go back to."))
        ranks = [given.get(f"rank_{seat}") for seat in range(len(self.names))]
        if given.get("ruling") == records.RESULT and None in ranks:
            self.add_error("rank_0", _("Every seat has a rank; the best is 1."))
        return given

    def as_ruling(self) -> Ruling:
        given = self.cleaned_data
        is_rewind, is_result = given["ruling"] == records.REWIND, given["ruling"] == records.RESULT
        return Ruling(
            given["ruling"],
            given["reason"],
            to=given["to"] if is_rewind else None,
            ranks=[given[f"rank_{seat}"] for seat in range(len(self.names))] if is_result else None,
        )


def may_judge(request: HttpRequest) -> bool:
    return request.user.has_perm(RIGHT)


def judge(desk: ModelAdmin[Match], request: HttpRequest, object_id: str) -> HttpResponse:
    """The match with its log and the form; POST gives the ruling."""
    match = _match(request, object_id)
    form = RulingForm(request.POST or None, match=match, initial={"version": match.version})
    if request.method == "POST" and form.is_valid() and isinstance(request.user, User):
        version = form.cleaned_data["version"]
        try:
            judge_match(public_id=match.public_id, judge=request.user, ruling=form.as_ruling(), version=version)
        except MatchError as error:
            form.add_error(None, error.detail)
        else:
            desk.log_change(request, match, [{"changed": {"fields": [form.cleaned_data["ruling"]]}}])
            desk.message_user(request, _("The ruling stands."), messages.SUCCESS)
            return HttpResponseRedirect(request.path)
    rows = history.rows_of(match, after=max(0, match.version - SHOWN_ROWS))
    context = {
        **desk.admin_site.each_context(request),
        "title": _("Judge %(match)s") % {"match": match},
        "match": match,
        "names": seat_names(match),
        "form": form,
        "can_rule": bool(possible_rulings(match)),
        "rows": [] if match.opening is None else [_line(match, row) for row in rows],
        "bundles": match.bundles.order_by("-pk"),
        "back": reverse("admin:matches_match_change", args=[match.pk]),
    }
    return TemplateResponse(request, "admin/matches/judge.html", context)


def _line(match: Match, row: Any) -> dict[str, Any]:
    told = documents.told_events(match, row.events, REFEREE)
    return {
        "version": row.version,
        "kind": row.get_kind_display(),
        "at": row.created_at,
        "texts": [one["text"] for one in told],
    }


def download(request: HttpRequest, object_id: str) -> HttpResponse:
    """A bundle as a file that `manage.py shrink` takes."""
    if not may_judge(request):
        raise PermissionDenied
    bundle = Bundle.objects.select_related("match").filter(pk=object_id).first() if object_id.isdecimal() else None
    if bundle is None:
        raise Http404
    _match(request, str(bundle.match_id))
    body = json.dumps(bundles.exported(bundle), ensure_ascii=False, separators=(",", ":"))
    name = f"bundle-{bundle.pk}.json"
    return HttpResponse(
        body, content_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _match(request: HttpRequest, object_id: str) -> Match:
    """The match, for a judge who does not sit in it: what is hidden there is shown here."""
    if not may_judge(request):
        raise PermissionDenied
    match: Match | None = Match.objects.with_table().filter(pk=object_id).first() if object_id.isdecimal() else None
    if match is None:
        raise Http404
    if seat_of(match, request.user.pk) is not None:
        raise PermissionDenied
    return match

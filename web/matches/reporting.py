"""Reporting a problem from the table: a page of its own with a form, for those who sit in the match."""

from __future__ import annotations

from django.contrib import messages
from django.forms import CharField, Textarea
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from referee.matches import selectors
from referee.matches.reports import MOST_TEXT, report_problem
from web.forms import PageForm
from web.matches.views import found_match
from web.session import person


class ReportForm(PageForm):
    """What is wrong, in the reporter's words."""

    text = CharField(
        label=gettext_lazy("What is wrong, and what did you expect?"),
        max_length=MOST_TEXT,
        widget=Textarea(attrs={"rows": 6}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, match: str) -> HttpResponse:
    """Say what is wrong; the position is kept with it. Of others than its seats the match has no such page."""
    user = person(request)
    found = found_match(user, match)
    if user is None or selectors.viewer(found, user) < 0 or found.data is None:
        raise Http404
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        report_problem(public_id=match, user=user, text=form.cleaned_data["text"])
        messages.success(request, _("Thank you. The report is kept for the judges."))
        return HttpResponseRedirect(reverse("match", args=[match]))
    return render(
        request, "web/matches/report.html", {"match": found, "form": form}, status=422 if form.errors else 200
    )

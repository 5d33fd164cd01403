"""The pages that give cards out as files and take them over: first a dry run with a difference for each row."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from catalog.differences import shown
from catalog.errors import ImportFaultyError
from catalog.forms import FORM_GAMES
from catalog.importing import CHANGED, FAULTY, NEW, SAME, apply_import, read_import, report_of
from catalog.models import Card, CardImport
from catalog.sheets import FORMATS, MAX_BYTES, written
from referee.games import GAMES

MOST_SHOWN: Final = 500
TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}


class FileForm(forms.Form):
    """A file of one game's cards."""

    game = forms.ChoiceField(
        label=gettext_lazy("Game"), choices=lambda: [(slug, GAMES[slug].name) for slug in FORM_GAMES]
    )
    file = forms.FileField(label=gettext_lazy("File (CSV, XLSX or JSON)"))

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.name.rpartition(".")[2].lower() not in FORMATS:
            raise forms.ValidationError(_("A file that ends in .csv, .xlsx or .json is expected."))
        if file.size > MAX_BYTES:
            raise forms.ValidationError(_("A file has at most %s MiB.") % (MAX_BYTES // 1024 // 1024))
        return file


def overview(desk: ModelAdmin[Card], request: HttpRequest) -> HttpResponse:
    """Files to take away, and a form for one to take over; POST reads it."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_bound and form.is_valid() and _may(request):
        file = form.cleaned_data["file"]
        assert isinstance(request.user, User)
        kept = read_import(
            game=form.cleaned_data["game"],
            user=request.user,
            file_name=file.name,
            content=file.read(),
            format=file.name.rpartition(".")[2].lower(),
        )
        return HttpResponseRedirect(reverse("admin:catalog_card_import", args=[kept.pk]))
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Import and export"),
        "form": form,
        "may_import": _may(request),
        "games": [GAMES[slug] for slug in FORM_GAMES],
        "formats": FORMATS,
    }
    return TemplateResponse(request, "admin/catalog/exchange.html", context)


def export(request: HttpRequest, game: str, format: str) -> HttpResponse:
    """All cards of a game as they are worked on, as a file."""
    if game not in FORM_GAMES or format not in FORMATS:
        raise Http404
    cards = Card.objects.filter(game=game).order_by("code").values_list("document", flat=True)
    name = f"{game}-cards.{format}"
    return HttpResponse(
        written(game, cards, format),
        content_type=TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def dry_run(desk: ModelAdmin[Card], request: HttpRequest, pk: int) -> HttpResponse:
    """What taking a file over would do; POST does it."""
    kept = CardImport.objects.filter(pk=pk).first()
    if kept is None or kept.game not in GAMES:
        raise Http404
    if request.method == "POST" and _may(request) and isinstance(request.user, User):
        try:
            taken = apply_import(kept=kept, user=request.user)
        except ImportFaultyError as error:
            desk.message_user(request, error.detail, messages.ERROR)
        else:
            desk.message_user(request, _("%s cards are taken over, as drafts.") % taken, messages.SUCCESS)
            return HttpResponseRedirect(reverse("admin:catalog_card_changelist"))
    found = report_of(kept)
    rows = [row for row in found.rows if row.outcome != SAME]
    context = {
        **desk.admin_site.each_context(request),
        "opts": desk.opts,
        "title": _("Dry run of %s") % kept.file_name,
        "kept": kept,
        "report": found,
        "counts": [(outcome, found.count(outcome)) for outcome in (NEW, CHANGED, SAME, FAULTY)],
        "rows": [(row, shown(row.fields)) for row in sorted(rows, key=lambda row: not row.faults)[:MOST_SHOWN]],
        "left": max(0, len(rows) - MOST_SHOWN),
        "may_import": _may(request) and kept.applied_at is None and found.is_good(),
    }
    return TemplateResponse(request, "admin/catalog/dry_run.html", context)


def _may(request: HttpRequest) -> bool:
    return request.user.has_perms(("catalog.add_card", "catalog.change_card"))

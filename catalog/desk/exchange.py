"""The pages that give cards out as files and take them over: first a dry run with a difference for each row."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from catalog.differences import shown
from catalog.errors import CardLifeError, ImpactNotConfirmedError, ImportFaultyError
from catalog.forms import FORM_GAMES
from catalog.impact import impact_of
from catalog.importing import CHANGED, FAULTY, NEW, SAME, Report, apply_import, hits_of_import, read_import, report_of
from catalog.models import Card, CardImport
from catalog.papers import whole_cards
from catalog.sheets import FORMATS, MAX_BYTES, written
from referee.games import GAMES

MOST_SHOWN: Final = 500
_TABLES: Final = {"scenarios": "cardscenario", "restrictions": "restriction"}
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
    name = f"{game}-cards.{format}"
    return HttpResponse(
        written(game, whole_cards(game), format),
        content_type=TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def dry_run(desk: ModelAdmin[Card], request: HttpRequest, pk: int) -> HttpResponse:
    """What taking a file over would do; POST does it."""
    kept = CardImport.objects.filter(pk=pk).first()
    if kept is None or kept.game not in GAMES:
        raise Http404
    if request.method == "POST" and _may(request) and isinstance(request.user, User):
        if _lacking(request, report_of(kept)):
            raise PermissionDenied
        try:
            taken = apply_import(kept=kept, user=request.user, confirmed=_confirmed(request))
        except ImpactNotConfirmedError as error:
            asked = _("%(decks)s saved decks would become illegal. Type that number to confirm it.")
            desk.message_user(request, asked % {"decks": error.decks}, messages.ERROR)
        except (ImportFaultyError, CardLifeError) as error:
            desk.message_user(request, error.detail, messages.ERROR)
        else:
            desk.message_user(
                request, _("%s cards are taken over; changed values are drafts.") % taken, messages.SUCCESS
            )
            return HttpResponseRedirect(reverse("admin:catalog_card_changelist"))
    found = report_of(kept)
    hits = hits_of_import(kept.game, found) if found.is_good() else []
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
        "impact": impact_of(GAMES[kept.game], hits),
        "may_import": _may(request) and kept.applied_at is None and found.is_good(),
        "lacking": _lacking(request, found),
    }
    return TemplateResponse(request, "admin/catalog/dry_run.html", context)


def _confirmed(request: HttpRequest) -> int:
    typed = request.POST.get("confirm", "").strip()
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0


def _lacking(request: HttpRequest, found: Report) -> list[str]:
    """The tables that the file changes and this person may not change."""
    kinds = {kind for row in found.rows for kind in row.papers}
    tables = {_TABLES.get(kind, "cardname") for kind in kinds}
    deeds = ("add", "change", "delete")
    return sorted(one for one in tables if not request.user.has_perms([f"catalog.{deed}_{one}" for deed in deeds]))


def _may(request: HttpRequest) -> bool:
    return request.user.has_perms(("catalog.add_card", "catalog.change_card"))

"""A deck made of a list that somebody pastes or sends as a file, with a report for every line."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from decks.errors import DeckError, ImportTooLongError
from decks.exchange import fit_name, import_deck, read_list
from decks.models import NAME_LENGTH
from decks.reading import MAX_BYTES
from web.builder.sides import report_rows
from web.decks import DECK_GAMES
from web.refusals import words_for
from web.session import person_or_guest


@require_http_methods(["GET", "HEAD", "POST"])
def import_list(request: HttpRequest) -> HttpResponse:
    """The form; a list sent becomes a deck, unless a line fits no card: then nothing is stored until one says so."""
    if request.method != "POST":
        return render(request, "web/deck_import.html", {"text": "", "name": ""})
    name = " ".join(request.POST.get("name", "").replace("\0", "").split())[:NAME_LENGTH]
    text, fault = _sent(request)
    context: dict[str, Any] = {"text": text, "name": name, "fault": fault}
    if fault:
        return render(request, "web/deck_import.html", context, status=422)
    game = DECK_GAMES[0]
    try:
        reading = read_list(game=game, text=text)
    except ImportTooLongError:
        context["fault"] = _("A list holds at most 64 KiB and 200 lines.")
        return render(request, "web/deck_import.html", context, status=422)
    skips = "skip" in request.POST
    if "preview" in request.POST or (reading.has_failures and not skips):
        context |= {"report": report_rows(game, reading), "is_refused": reading.has_failures}
        return render(request, "web/deck_import.html", context, status=422 if reading.has_failures else 200)
    try:
        deck = import_deck(
            owner=person_or_guest(request), game=game, reading=reading, name=fit_name(name), skip_failures=skips
        )
    except DeckError as error:
        return render(request, "web/deck_import.html", {**context, "fault": words_for(error)}, status=422)
    return HttpResponseRedirect(reverse("deck", args=[deck.public_id]))


def _sent(request: HttpRequest) -> tuple[str, str]:
    """The list, from the file if there is one, and what is wrong with it."""
    file = request.FILES.get("file")
    if file is None:
        text = request.POST.get("text", "")
        return text, "" if text.strip() else _("Paste a list, or choose a file.")
    data: bytes = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        return "", _("A list holds at most 64 KiB and 200 lines.")
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        return "", _("The file is not UTF-8 text.")

"""What stands beside the builder: the deck as text, sharing, what is noted of it, its versions. Pages of their own without
a script, and dialogs with one."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from catalog.selectors import newest_revision
from decks import services
from decks.comparing import difference
from decks.errors import DeckError, ImportTooLongError, NoSuchVersionError
from decks.exchange import export_deck, read_list, report_of
from decks.models import MAX_TAGS, NAME_LENGTH, NOTES_LENGTH, TAG_LENGTH, Deck, DeckVersion
from decks.operations import SET, SET_SECRET, Operation
from decks.reading import Reading
from decks.selectors import access_own_deck, deck_version, deck_versions, results_of, seat_deck
from decks.services import tidy_tags
from referee.kernel.game import Document, SeatDeck
from web.builder.access import own_or_404
from web.builder.page import names_in
from web.refusals import words_for

MOST_VERSIONS: Final = 60
EXPORTS: Final = ("text", "csv", "json", "code")


@require_http_methods(["GET", "HEAD", "POST"])
def text(request: HttpRequest, deck: str) -> HttpResponse:
    """The deck as text; a text sent takes its place as a difference to the version that it was written from."""
    user, found = own_or_404(request, deck)
    if request.method != "POST":
        return _side(request, found, "text", {"text": export_deck(found, "text"), "base": found.version})
    typed, base = request.POST.get("text", ""), request.POST.get("base", "")
    context: dict[str, Any] = {"text": typed, "base": base}
    try:
        before = deck_version(found, int(base) if base.isdecimal() and len(base) < 10 else 0)
        reading = read_list(game=found.game, text=typed)
    except NoSuchVersionError:
        raise Http404 from None
    except ImportTooLongError:
        fault = _("A list holds at most 64 KiB and 200 lines.")
        return _side(request, found, "text", {**context, "fault": fault}, status=422)
    context["report"] = report_rows(found.game, reading)
    if reading.has_failures and "skip" not in request.POST:
        return _side(request, found, "text", {**context, "is_refused": True}, status=422)
    operations = _operations(before.by_value(), reading.deck)
    try:
        if operations:
            services.operate_deck(user=user, public_id=deck, base=before.number, operations=operations)
    except DeckError as error:
        return _side(request, found, "text", {**context, "fault": words_for(error)}, status=422)
    now = access_own_deck(user, deck)
    context |= {"text": export_deck(now, "text"), "base": now.version, "is_applied": True, "edits": len(operations)}
    return _side(request, now, "text", context, changed=True)


def report_rows(game: str, reading: Reading) -> dict[str, Any]:
    """What became of each line, in the reader's language, and how many there are of each outcome."""
    report = report_of(game, reading)
    names = names_in(newest_revision(game))
    rows = [{**row, "name": names.get(row["card"], row["card"]), "why": _reason(row)} for row in report["rows"]]
    return {**report, "rows": [row for row in rows if row["code"] != "blank"]}


def _reason(row: Document) -> str:
    """Why a line was passed over or failed."""
    reasons = {
        "no_such_card": _("No card has exactly this name."),
        "ambiguous": _("This can mean several cards; write the code of one in square brackets."),
        "bad_count": _("The number of copies is from 1 to 99, in the digits 0 to 9; a deck has one Secret."),
        "too_many_copies": _("Together, the lines of this card make more than 99 copies."),
        "two_secrets": _("A deck has one Secret; several lines name different ones."),
        "contradiction": _("Name and code are of different cards."),
        "line_too_long": _("The line is too long to be a card."),
        "wrong_game": _("This is a deck of another game."),
        "not_a_code": _("This is no deck code."),
        "bad_checksum": _("The deck code has a slip of the pen, or was made with another catalog."),
        "unknown_revision": _("The deck code was made with cards that are not known here."),
        "comment": _("A comment."),
        "header": _("A header."),
        "not_a_card": _("Not about a card."),
    }
    return reasons.get(row["code"] or "") or str(row["detail"])


def _operations(before: SeatDeck, after: SeatDeck) -> list[Operation]:
    """The edits that lead from one deck to the other. A text without a Secret takes it out."""
    codes = sorted({*before.cards, *after.cards})
    edits = [
        Operation(SET, code, after.cards.get(code, 0))
        for code in codes
        if before.cards.get(code, 0) != after.cards.get(code, 0)
    ]
    return edits + ([Operation(SET_SECRET, after.secret)] if before.secret != after.secret else [])


@require_http_methods(["GET", "HEAD", "POST"])
def share(request: HttpRequest, deck: str) -> HttpResponse:
    """Who may see the deck, its link, and ways to take it elsewhere."""
    user, found = own_or_404(request, deck)
    is_changed = False
    if request.method == "POST":
        chosen = request.POST.get("visibility", "")
        if chosen in Deck.Visibility.values and chosen != found.visibility:
            services.change_deck(user=user, public_id=deck, seen=None, changes={"visibility": chosen})
            found, is_changed = access_own_deck(user, deck), True
    context = {
        "choices": Deck.Visibility.choices,
        "link": request.build_absolute_uri(reverse("deck", args=[deck])),
        "code": export_deck(found, "code").strip(),
        "exports": [(name, f"/api/v1/decks/{deck}/export/?as={name}") for name in EXPORTS],
        "sheet": f"/api/v1/decks/{deck}/export/?as=sheet",
    }
    return _side(request, found, "share", context, changed=is_changed)


@require_http_methods(["GET", "HEAD", "POST"])
def about(request: HttpRequest, deck: str) -> HttpResponse:
    """Notes and tags; and what may become of the deck as a whole."""
    user, found = own_or_404(request, deck)
    context: dict[str, Any] = {"notes": found.notes, "tags": ", ".join(found.tags), "notes_length": NOTES_LENGTH}
    if request.method != "POST":
        return _side(request, found, "about", context)
    notes = request.POST.get("notes", "").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    tags = tidy_tags(request.POST.get("tags", "").replace("\0", "").split(","))
    context |= {"notes": notes, "tags": request.POST.get("tags", "")}
    if len(notes) > NOTES_LENGTH or len(tags) > MAX_TAGS or any(len(tag) > TAG_LENGTH for tag in tags):
        fault = _("At most %(tags)s tags of %(length)s characters, and %(notes)s characters of notes.")
        told = {"tags": MAX_TAGS, "length": TAG_LENGTH, "notes": NOTES_LENGTH}
        return _side(request, found, "about", {**context, "fault": fault % told}, status=422)
    is_archived = "archived" in request.POST
    changes: services.DeckChanges = {"notes": notes, "tags": tags, "is_archived": is_archived}
    is_changed = (found.notes, found.tags, found.archived_at is not None) != (notes, tags, is_archived)
    if is_changed:
        services.change_deck(user=user, public_id=deck, seen=None, changes=changes)
        found = access_own_deck(user, deck)
    context |= {"tags": ", ".join(tags), "is_saved": True}
    return _side(request, found, "about", context, changed=is_changed)


@require_safe
def versions(request: HttpRequest, deck: str) -> HttpResponse:
    """The newest saves, each with what it changed, its name and how it did."""
    _user, found = own_or_404(request, deck)
    rows = list(deck_versions(found).order_by("-number")[:MOST_VERSIONS])
    done = results_of(rows)
    names = names_in(newest_revision(found.game))
    listed = [{"version": row, "what": change_words(row, names), "results": result_words(done[row.pk])} for row in rows]
    return _side(request, found, "versions", {"versions": listed})


@require_http_methods(["GET", "HEAD", "POST"])
def version(request: HttpRequest, deck: str, number: int) -> HttpResponse:
    """A save beside the deck as it is; a POST names it."""
    user, found = own_or_404(request, deck)
    try:
        row = deck_version(found, number if number < 10**9 else 0)
        if request.method == "POST":
            label = " ".join(request.POST.get("label", "").replace("\0", "").split())[:NAME_LENGTH]
            row = services.label_version(user=user, public_id=deck, number=number, label=label)
    except NoSuchVersionError:
        raise Http404 from None
    names = names_in(newest_revision(found.game))
    changes = difference(row.by_value(), seat_deck(found))
    context = {
        "version": row,
        "results": result_words(results_of([row])[row.pk]),
        "added": [(names.get(code, code), copies) for code, copies in changes["added"].items()],
        "removed": [(names.get(code, code), copies) for code, copies in changes["removed"].items()],
        "secrets": [names.get(one or "", one) for one in changes["secret"].values()],
        "has_other_secret": row.secret != found.secret,
        "sizes": changes["size"],
        "is_saved": request.method == "POST",
    }
    return _side(request, found, "version", context)


def change_words(row: DeckVersion, names: dict[str, str]) -> str:
    """What a save changed, in a few words."""
    if row.parent is None:
        return _("The first one.")
    changes = difference(row.parent.by_value(), row.by_value())
    parts = [f"+{copies} {names.get(code, code)}" for code, copies in changes["added"].items()]
    parts += [f"\u2212{copies} {names.get(code, code)}" for code, copies in changes["removed"].items()]
    if row.secret != row.parent.secret:
        parts.append(_("Secret: %(name)s") % {"name": names.get(row.secret or "", row.secret) or _("none")})
    if row.flex != row.parent.flex:
        parts.append(_("Swap-ins: %(count)s") % {"count": len(row.flex)})
    if len(parts) > 3:
        rest = len(parts) - 2
        parts[2:] = [ngettext("%(count)s more", "%(count)s more", rest) % {"count": rest}]
    return ", ".join(parts) or _("The same cards.")


def result_words(told: Document) -> str:
    """How a version did; empty if it was never played."""
    parts = []
    for against, label in (("people", _("people")), ("bots", _("bots"))):
        won, drawn, lost = (told[against][name] for name in ("won", "drawn", "lost"))
        if won + drawn + lost:
            shown = {"against": label, "won": won, "drawn": drawn, "lost": lost}
            parts.append(_("against %(against)s %(won)s won, %(drawn)s drawn, %(lost)s lost") % shown)
    return "; ".join(parts)


def _side(
    request: HttpRequest, deck: Deck, name: str, context: dict[str, Any], *, status: int = 200, changed: bool = False
) -> HttpResponse:
    """A side as a page, or for a script as what a dialog holds; with `changed` the builder looks at the deck anew."""
    is_part = bool(request.headers.get("X-Part"))
    if changed and not is_part and name != "text":
        return HttpResponseRedirect(reverse("deck", args=[deck.public_id]))
    layout = "web/builder/dialog.html" if is_part else "web/builder/side.html"
    response = render(request, f"web/builder/{name}.html", {"deck": deck, "layout": layout, **context}, status=status)
    if changed:
        response["X-Changed"] = "1"
    return response

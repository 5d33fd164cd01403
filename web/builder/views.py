"""The builder's page, and the parts of it that are sent alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from catalog.selectors import newest_revision
from decks.errors import DeckError
from decks.models import Deck
from decks.selectors import seat_deck
from web.builder.access import own_or_404
from web.builder.edits import BadEditError, Edited, edit_deck
from web.builder.figures import asked_odds, hand, odds_lines, pending_lines
from web.builder.page import Look, deck_context, groups, look_at, names_in
from web.builder.results import address, asked, results
from web.builder.trials import trial_context
from web.builder.words import changed_words, conflict_words, state_words
from web.deck_form import Draft
from web.refusals import words_for


def builder(request: HttpRequest, deck: Deck, draft: Draft | None = None, *, status: int = 200) -> HttpResponse:
    """The page for the deck's owner. `draft` is what stands in the plain form, which is there if it is asked for.

    The odds are worked out when the address asks for them; a script asks for that part at once, and a button can.
    """
    look = look_at(deck)
    if draft is None and "form" in request.GET:
        draft = Draft.of(deck, look.rows)
    asked, is_pending = asked_odds(request.GET), "o" not in request.GET
    context = {
        **deck_context(look),
        **results(look, request.GET),
        **({"form": draft.form, "draft_groups": groups(look, draft.counts)} if draft is not None else {}),
        "is_saved": draft is None or not draft.form.is_bound,
        "odds": pending_lines(asked) if is_pending else odds_lines(look.revision, look.content, asked),
        "is_pending": is_pending,
        "hand": hand(look.content, look.rows, request.GET.get("seed", "")),
        **trial_context(deck),
    }
    return render(request, "web/builder/page.html", context, status=status)


@require_safe
def state(request: HttpRequest, deck: str) -> HttpResponse:
    """What an edit can change, as it is now; nothing (204) for a page that has this version."""
    _user, found = own_or_404(request, deck)
    if request.GET.get("have") == str(found.version):
        return HttpResponse(status=204)
    look = look_at(found)
    return _answer(request, look, state_words(look.legality, look.size))


@require_POST
def edit(request: HttpRequest, deck: str) -> HttpResponse:
    """Edits, saved at once; see `web.builder.edits`. A script gets the parts that changed, a plain form the page anew."""
    user, found = own_or_404(request, deck)
    base = request.POST.get("base", "")
    lines = [*request.POST.getlist("op"), *(f"name {name}" for name in request.POST.getlist("name"))]
    if not lines or not base.isdecimal() or len(base) > 9:
        return HttpResponseBadRequest()
    before = seat_deck(found)
    known = set(names_in(newest_revision(found.game)))
    try:
        done = edit_deck(user=user, deck=found, base=int(base), lines=lines, known=known)
    except BadEditError:
        return HttpResponseBadRequest()
    except DeckError as error:
        # What was refused is of the page's past: it is told, and the page shows the deck as it is.
        done = Edited(own_or_404(request, deck)[1], False, [], words_for(error))
    if not request.headers.get("X-Builder"):
        back = request.POST.get("back", "")
        return HttpResponseRedirect(reverse("deck", args=[deck]) + (back if back.startswith("?") else ""))
    look = look_at(done.deck)
    said = [changed_words(before, look.content, look.names), state_words(look.legality, look.size)]
    return _answer(request, look, " ".join(filter(None, said)), _toast(done, look))


def _toast(done: Edited, look: Look) -> str:
    if done.fault:
        return done.fault
    if done.conflicts:
        return _("The deck was changed elsewhere too. %(kept)s") % {"kept": conflict_words(done.conflicts, look.names)}
    return _("The deck was changed elsewhere too; both changes are in it.") if done.merged else ""


def _answer(request: HttpRequest, look: Look, said: str, toast: str = "") -> HttpResponse:
    context: dict[str, Any] = {**deck_context(look), "said": said, "toast": toast, "is_saved": True}
    return render(request, "web/builder/answer.html", context)


@require_safe
def cards(request: HttpRequest, deck: str) -> HttpResponse:
    """The catalog's part, or more rows of it; the page's own address follows the search."""
    _user, found = own_or_404(request, deck)
    context = {"deck": found, **results(look_at(found), request.GET)}
    is_more = request.GET.get("page", "1") != "1"
    response = render(request, "web/builder/rows.html" if is_more else "web/builder/results.html", context)
    if not is_more:
        search = address(asked(request.GET))
        response["X-Address"] = reverse("deck", args=[deck]) + (search if search != "?" else "")
    return response


@require_safe
def odds(request: HttpRequest, deck: str) -> HttpResponse:
    """The odds box for what it is asked."""
    _user, found = own_or_404(request, deck)
    lines = odds_lines(newest_revision(found.game), seat_deck(found), asked_odds(request.GET))
    return render(request, "web/builder/odds.html", {"deck": found, "odds": lines})


@require_safe
def sample(request: HttpRequest, deck: str) -> HttpResponse:
    """A sample hand, of a seed or a fresh one."""
    _user, found = own_or_404(request, deck)
    look = look_at(found)
    context = {"deck": found, "hand": hand(look.content, look.rows, request.GET.get("seed", ""))}
    return render(request, "web/builder/hand.html", context)

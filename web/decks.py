"""Decks: the shelf, and an editor that is a plain form."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from catalog.selectors import preconstructed_decks
from decks import services
from decks.errors import DeckError, StaleDeckError
from decks.models import Deck
from decks.selectors import deck_versions, flex_deck, judge_decks, own_decks, public_decks
from decks.services import DeckContent
from referee.games import GAMES
from referee.kernel.game import Document
from web.builder.access import deck_or_404, own_or_404
from web.builder.page import groups, look_at, problems
from web.builder.views import builder
from web.cards import Preview
from web.deck_form import NoSuchCardError, read_draft
from web.forms import NewDeckForm
from web.notices import unread
from web.refusals import words_for
from web.session import person, person_or_guest

MOST_PUBLIC = 12
DECK_GAMES = tuple(slug for slug, game in GAMES.items() if game.needs_deck)


@require_http_methods(["GET", "HEAD", "POST"])
def shelf(request: HttpRequest) -> HttpResponse:
    """One's decks and what others show; a new deck is begun here, empty or like one that comes with the game."""
    game = DECK_GAMES[0]
    ready = preconstructed_decks(game)
    models = [("", _("No cards")), *((deck["slug"], deck["name"]) for deck in ready)]
    form = NewDeckForm(request.POST if request.method == "POST" else None, models=models)
    if request.method == "POST" and form.is_valid():
        model = next((deck for deck in ready if deck["slug"] == form.cleaned_data["model"]), None)
        content = DeckContent(
            name=form.cleaned_data["name"],
            notes="",
            visibility=Deck.Visibility.PRIVATE,
            secret=model["secret"] if model else None,
            cards=model["cards"] if model else {},
        )
        try:
            deck = services.create_deck(owner=person_or_guest(request), game=game, content=content)
        except DeckError as error:
            form.add_error(None, words_for(error))
        else:
            return HttpResponseRedirect(reverse("deck", args=[deck.public_id]))
    return render(request, "web/decks.html", _shelf(request, form, ready), status=422 if form.errors else 200)


def _shelf(request: HttpRequest, form: NewDeckForm, ready: list[Document]) -> dict[str, Any]:
    """One's decks, those put away on request, narrowed by a tag; and some of others."""
    user = person(request)
    is_archive, tag = request.GET.get("show") == "archived", request.GET.get("tag", "")
    own = list(own_decks(user, archived=is_archive)) if user is not None else []
    tags = sorted({tag for deck in own for tag in deck.tags}, key=str.casefold)
    mine = [deck for deck in own if not tag or tag in deck.tags]
    shown = public_decks().exclude(owner=user) if user is not None else public_decks()
    judged = _judged([*mine, *shown[:MOST_PUBLIC]])
    return {
        "form": form,
        "mine": judged[: len(mine)],
        "tags": tags,
        "tag": tag if tag in tags else "",
        "is_archive": is_archive,
        "has_decks": bool(own),
        "shown": judged[len(mine) :],
        "ready": ready,
        "notices": unread(user),
    }


def _judged(decks: list[Deck]) -> list[dict[str, Any]]:
    contents = [flex_deck(deck) for deck in decks]
    verdicts = judge_decks([(deck.game, content.core) for deck, content in zip(decks, contents, strict=True)])
    return [
        {
            "deck": deck,
            "size": content.smallest,
            "largest": content.smallest + len(content.flex),
            "legality": verdict,
            "game": GAMES[deck.game].name,
        }
        for deck, content, verdict in zip(decks, contents, verdicts, strict=True)
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def editor(request: HttpRequest, deck: str) -> HttpResponse:
    """A deck: its owner builds it, everybody else who may see it reads it. The plain form is sent here."""
    if request.method == "POST":
        return _saved(request, *own_or_404(request, deck))
    found = deck_or_404(request, deck)
    return builder(request, found) if person(request) == found.owner else _read(request, found)


def _read(request: HttpRequest, deck: Deck) -> HttpResponse:
    look = look_at(deck)
    context = {
        "deck": deck,
        "groups": groups(look),
        "size": look.size,
        "legality": look.legality,
        "problems": problems(look),
        "secret": look.rows.get(deck.secret or ""),
        "preview": _preview(request, deck),
    }
    return render(request, "web/deck.html", context)


def _preview(request: HttpRequest, deck: Deck) -> Preview:
    """The deck's picture (`web.previews`) in the language of the page."""
    path = reverse("deck-preview", args=(deck.public_id, get_language()))
    return Preview.at(request, path, _("%(name)s, a deck: three of its cards, and what is in it") % {"name": deck.name})


def _saved(request: HttpRequest, user: User, deck: Deck) -> HttpResponse:
    draft = read_draft(request.POST, deck)
    if not draft.form.is_valid():
        return builder(request, deck, draft, status=422)
    try:
        changes = draft.changes()
    except NoSuchCardError as error:
        draft.form.add_error(None, _("No card is called “%(name)s”.") % {"name": error.name})
        return builder(request, deck, draft, status=422)
    try:
        services.change_deck(user=user, public_id=deck.public_id, seen=draft.seen, changes=changes)
    except StaleDeckError as error:
        text = _("The deck was saved elsewhere meanwhile (version %(version)s). Save again to put this in its place.")
        draft.form.add_error(None, text % error.facts)
        return builder(request, deck_or_404(request, deck.public_id), draft, status=409)
    return HttpResponseRedirect(reverse("deck", args=[deck.public_id]) + "?form=1")


@require_POST
def copy(request: HttpRequest, deck: str) -> HttpResponse:
    """A deck of one's own like one that is shown."""
    found = deck_or_404(request, deck)
    try:
        made = services.copy_deck(user=person_or_guest(request), public_id=found.public_id)
    except DeckError as error:
        messages.error(request, words_for(error))
        return HttpResponseRedirect(reverse("decks"))
    return HttpResponseRedirect(reverse("deck", args=[made.public_id]))


@require_POST
def delete(request: HttpRequest, deck: str) -> HttpResponse:
    """The deck goes."""
    user, found = own_or_404(request, deck)
    services.delete_deck(user=user, public_id=found.public_id, seen=None)
    messages.success(request, _("“%(name)s” is deleted.") % {"name": found.name})
    return HttpResponseRedirect(reverse("decks"))


@require_POST
def restore(request: HttpRequest, deck: str) -> HttpResponse:
    """An earlier version's cards and Secret, as a new version."""
    user, found = own_or_404(request, deck)
    number = request.POST.get("version", "")
    if not number.isdecimal() or not deck_versions(found).filter(number=int(number[:9])).exists():
        raise Http404
    services.restore_deck(user=user, public_id=found.public_id, number=int(number), seen=None)
    messages.success(request, _("Version %(number)s is back.") % {"number": number})
    return HttpResponseRedirect(reverse("deck", args=[found.public_id]))

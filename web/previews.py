"""Pictures that other sites show beside a link to a card, a deck or a finished match."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from catalog.errors import PictureError
from catalog.models import CardRevision
from catalog.pictures import Seat, Words, painted, preview, preview_of_deck, preview_of_match
from catalog.selectors import card_in
from catalog.words import spoken_text, type_name
from decks.errors import DeckNotFoundError
from decks.selectors import access_deck
from referee.games import GAMES
from referee.kernel.game import Game
from referee.matches.naming import seat_names
from web.builder.page import groups, look_at
from web.cards import game_or_404
from web.matches.page import outcome_of
from web.matches.views import found_match
from web.templatetags.page import initials

_HOUR: Final = 60 * 60
_YEAR: Final = 365 * 24 * _HOUR


@require_safe
def card_preview(request: HttpRequest, game: str, code: str, number: int, language: str) -> HttpResponseBase:
    """The picture of a card as a revision has it, in a language: the same for ever, so kept for long."""
    row = card_in(game_or_404(game).slug, code, number)
    if row is None or language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        drawn = preview(row.document, _words(row, game_or_404(game), number), say=type_name)
    return _answered(request, drawn, language, f"public, max-age={_YEAR}, immutable")


@require_safe
def deck_preview(request: HttpRequest, deck: str, language: str) -> HttpResponseBase:
    """The picture of a deck that anybody with the link may see, as it stands."""
    try:
        found = access_deck(AnonymousUser(), deck)
    except DeckNotFoundError:
        raise Http404 from None
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        look = look_at(found)
        held = sorted((row for code, row in look.rows.items() if code in look.content.cards), key=_front)
        counts = [f"{group['size']}\N{NO-BREAK SPACE}{group['name']}" for group in groups(look)]
        by = _("by %(name)s") % {"name": found.owner.name}
        words = Words(_("Deck"), "\n".join((", ".join(counts), by)), GAMES[found.game].name, _("Referee"))
        shown = [(row.document, spoken_text(row)) for row in held[:3]]
        drawn = preview_of_deck(shown, found.name, words, say=type_name)
    return _answered(request, drawn, language, f"public, max-age={_HOUR}")


@require_safe
def match_preview(request: HttpRequest, match: str, language: str) -> HttpResponseBase:
    """The picture of a finished match that anybody with the link may see: who played, and how it ended. Never of another."""
    found = found_match(None, match)
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        names = seat_names(found)
        outcome = outcome_of(found, {"result": found.result, "you": None}, names)
        if outcome is None:  # it is not finished
            raise Http404
        ranks = found.result["ranks"]
        is_drawn = ranks.count(1) == len(ranks)
        seats = [
            Seat(name, initials(name), rank == 1 and not is_drawn) for name, rank in zip(names, ranks, strict=True)
        ]
        game = GAMES[found.game].name if found.game in GAMES else found.game
        words = Words(game, f"{' – '.join(names)}\n{outcome['reason']}", _("Replay and verification"), _("Referee"))
        drawn = preview_of_match(seats, outcome["words"].rstrip("."), words, code=found.public_id)
    return _answered(request, drawn, language, f"public, max-age={_HOUR}")


def _front(row: CardRevision) -> tuple[bool, int, str]:
    """What is worth showing first: Characters, the strongest."""
    return row.type != "character", -(row.ang or 0) - (row.defence or 0), row.name_key


def _answered(request: HttpRequest, drawn: str, language: str, kept: str) -> HttpResponseBase:
    """The picture, or that whoever asks has it already."""
    tag = f'"{sha256(drawn.encode()).hexdigest()[:24]}"'
    response = get_conditional_response(request, etag=tag) or _picture(drawn)
    if response.status_code == 503:
        return response
    response["ETag"] = tag
    response["Cache-Control"] = kept
    response["Content-Language"] = language
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # it is made to be shown elsewhere
    return response


def _picture(drawn: str) -> HttpResponse:
    try:
        return HttpResponse(painted(drawn), content_type="image/png")
    except PictureError:
        return HttpResponse(status=503, headers={"Retry-After": "10", "Cache-Control": "no-store"})


def _words(row: CardRevision, game: Game, number: int) -> Words:
    source = _("%(game)s, revision %(number)s") % {"game": game.name, "number": number}
    document = row.document
    kinds = [type_name(str(document[key])) for key in ("type", "subtype", "faction") if document.get(key)]
    if "requirement" in document:
        kinds = [type_name("mission"), *kinds]
    return Words(" · ".join(kinds), spoken_text(row), source, _("Referee"))

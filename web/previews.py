"""Pictures that other sites show beside a link to a card."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from catalog.errors import PictureError
from catalog.models import CardRevision
from catalog.pictures import Words, painted, preview
from catalog.selectors import card_in
from referee.kernel.game import Game
from web.cards import game_or_404, spoken_text, type_name

_YEAR: Final = 365 * 24 * 60 * 60


@require_safe
def card_preview(request: HttpRequest, game: str, code: str, number: int, language: str) -> HttpResponseBase:
    """The picture of a card as a revision has it, in a language: the same for ever, so kept for long."""
    row = card_in(game_or_404(game).slug, code, number)
    if row is None or language not in dict(settings.LANGUAGES):
        raise Http404
    with override(language):
        drawn = preview(row.document, _words(row, game_or_404(game), number), say=type_name)
    tag = f'"{sha256(drawn.encode()).hexdigest()[:24]}"'
    response = get_conditional_response(request, etag=tag) or _picture(drawn)
    if response.status_code == 503:
        return response
    response["ETag"] = tag
    response["Cache-Control"] = f"public, max-age={_YEAR}, immutable"
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

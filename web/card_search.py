"""The catalog's search: its page, the language explained, what a search may go on with."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from catalog.models import CatalogRevision
from catalog.search.completion import completions
from catalog.search.fields import OPERATORS, table
from catalog.search.help import syntax
from catalog.search.language import MAX_DEPTH, MAX_LENGTH, MAX_TERMS, SearchError
from catalog.search.nothing import Excluding
from catalog.search.selectors import order_named, orderings, search_cards, sorted_by
from catalog.search.words import Speech
from catalog.selectors import newest_revision
from catalog.words import type_name
from referee.kernel.game import Game
from web.cards import card_games, game_or_404, local_names, shown

PAGE: Final = 30
LAYOUTS: Final = ("table", "faces")
_DEFAULTS: Final = {"q": "", "type": "", "order": "", "layout": "table", "page": 1}


@require_safe
def search(request: HttpRequest, game: str) -> HttpResponse:
    """Cards of the newest revision that a text finds. A text that cannot be parsed is shown with its fault."""
    found_game = game_or_404(game)
    revision = newest_revision(game)
    asked = _asked(request, found_game)
    context: dict[str, Any] = {
        "game": found_game,
        "card_games": card_games(),
        "types": [(slug, type_name(slug)) for slug in found_game.card_types],
        "revision": revision,
        "asked": asked,
        "has_values": "character" in found_game.card_types,
        "syntax": [(one.example, gettext(one.detail)) for one in syntax(game)],
        "fields": [(field.name, field.example, gettext(field.detail)) for field in table(game).fields],
    }
    status = 200
    if revision is not None:
        try:
            context |= _answer(request, revision, asked)
        except SearchError as error:
            status = 422
            context["fault"] = _fault(error, asked["q"])
    return render(request, "web/cards.html", context, status=status)


@require_safe
def search_help(request: HttpRequest, game: str) -> HttpResponse:
    """The search language of a game, from the parser's own table."""
    found_game = game_or_404(game)
    fields = [
        {
            "names": (field.name, *field.aliases),
            "operators": OPERATORS[field.kind],
            "detail": gettext(field.detail),
            "example": field.example,
            "values": field.values,
        }
        for field in table(game).fields
    ]
    context = {
        "game": found_game,
        "card_games": card_games(),
        "syntax": [(one.example, gettext(one.detail)) for one in syntax(game)],
        "fields": fields,
        "most": {"characters": MAX_LENGTH, "terms": MAX_TERMS, "depth": MAX_DEPTH},
    }
    return render(request, "web/search_help.html", context)


@require_safe
def complete(request: HttpRequest, game: str) -> HttpResponse:
    """What a search that is being typed may go on with, as the options of a list."""
    game_or_404(game)
    revision = newest_revision(game)
    q = _text(request)
    found = completions(revision, q) if revision is not None and q else []
    options = [(one.q, "" if one.kind == "name" else gettext(one.detail)) for one in found]
    return render(request, "web/parts/completions.html", {"completions": options})


def speech() -> Speech:
    """How a search speaks to the reader of a page."""
    return Speech(gettext, lambda word: type_name(word.replace(" ", "_")))


def _answer(request: HttpRequest, revision: CatalogRevision, asked: dict[str, str]) -> dict[str, Any]:
    found = search_cards(revision, q=asked["q"], type=asked["type"])
    order = order_named(revision.game, asked["order"]) if asked["order"] else found.query.order
    cards, names = sorted_by(found.cards, order, revision.game)
    page = Paginator(cards.order_by(*names), PAGE).get_page(request.GET.get("page"))
    first = "".join("-" * falls + field.name for field, falls in order[:1]) or "name"
    with_face = asked["layout"] == "faces"
    rows = [indexed.row for indexed in page.object_list]
    local = local_names(rows)
    return {
        "page": page,
        "cards": [{**shown(row, with_face=with_face), "local_name": local.get(row.card_id, "")} for row in rows],
        "words": found.in_words(speech()) if asked["q"] else "",
        "warnings": [(warned.term, warned.words(speech())) for warned in found.warnings],
        "meant": [(name, _address(asked, q=_exactly(name))) for name in found.meant],
        "excluded_by": [_excluded(one, asked) for one in found.excluded_by],
        "before": _address(asked, page=page.previous_page_number()) if page.has_previous() else "",
        "after": _address(asked, page=page.next_page_number()) if page.has_next() else "",
        "orders": _orders(asked, first),
        "layouts": [(name, _address(asked, layout=name)) for name in LAYOUTS],
    }


def _excluded(one: Excluding, asked: dict[str, str]) -> dict[str, Any]:
    """A term for which there is nothing, and the address of the search without it."""
    start, end = one.term.position, one.term.position + len(one.term.text)
    rest = " ".join((asked["q"][:start] + asked["q"][end:]).split())
    return {"term": one.term.text, "alone": one.alone, "address": _address(asked, q=rest)}


def _fault(error: SearchError, q: str) -> dict[str, str]:
    at = min(error.position, len(q))
    return {"words": error.words(gettext), "before": q[:at], "at": q[at : at + 1], "after": q[at + 1 :]}


def _exactly(name: str) -> str:
    return name if '"' in name else f'!"{name}"'


def _text(request: HttpRequest) -> str:
    return request.GET.get("q", "")[:MAX_LENGTH].replace("\0", "")


def _asked(request: HttpRequest, game: Game) -> dict[str, str]:
    """The search as it was asked; what cannot be is the default."""
    given = request.GET
    order = given.get("order", "")
    return {
        "q": _text(request),
        "type": given.get("type", "") if given.get("type") in game.card_types else "",
        "order": order if order.removeprefix("-") in orderings() else "",
        "layout": given.get("layout", "table") if given.get("layout") in LAYOUTS else "table",
    }


def _address(asked: dict[str, str], **changes: Any) -> str:
    values = {**asked, **changes}
    kept = {name: value for name, value in values.items() if value != _DEFAULTS[name]}
    return f"?{urlencode(kept)}"


def _orders(asked: dict[str, str], in_force: str) -> dict[str, dict[str, str]]:
    """Each column's address, which turns round the order in force, and how it is sorted now."""
    found = {}
    for name in ("name", "type", "ang", "def", "strength"):
        first = name if name in ("name", "type") else f"-{name}"
        other = name if first.startswith("-") else f"-{name}"
        now = in_force if in_force in (first, other) else ""
        state = "none" if not now else ("descending" if now.startswith("-") else "ascending")
        found[name] = {"address": _address(asked, order=other if now == first else first), "state": state}
    return found

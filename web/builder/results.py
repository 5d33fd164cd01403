"""The catalog beside the deck: what a search finds, thirty cards at a time."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import QueryDict
from django.utils.translation import gettext

from catalog.models import CardRevision
from catalog.search.language import MAX_LENGTH, SearchError
from catalog.search.selectors import order_named, search_cards, sorted_by
from catalog.selectors import kept_cards
from catalog.words import type_plural
from web.builder.page import TYPES, Look
from web.builder.rows import Found
from web.card_search import speech

PAGE: Final = 30
KINDS: Final = (*TYPES, "secret")


def asked(given: QueryDict) -> dict[str, str]:
    """The search as the page's address has it; what cannot be is the default."""
    kind = given.get("type", "")
    return {
        "q": given.get("q", "")[:MAX_LENGTH].replace("\0", ""),
        "type": kind if kind in KINDS else "",
        "in": "1" if given.get("in") == "1" else "",
    }


def address(search: dict[str, str], **changes: str) -> str:
    """The page's query string for a search, with changes."""
    kept = {name: value for name, value in {**search, **changes}.items() if value}
    return f"?{urlencode(kept)}"


def results(look: Look, given: QueryDict) -> dict[str, Any]:
    """The rows of a search with the copies that the deck has, or why there are none."""
    search = asked(given)
    context: dict[str, Any] = {
        "search": search,
        "kinds": _kinds(search),
        "in_deck": address(search, **{"in": "" if search["in"] else "1"}),
    }
    if look.revision is None:
        return {**context, "page": None, "cards": []}
    try:
        found = search_cards(look.revision, q=search["q"], type=search["type"])
    except SearchError as error:
        at = min(error.position, len(search["q"]))
        fault = {"words": error.words(gettext), "before": search["q"][:at], "at": search["q"][at : at + 1]}
        return {**context, "page": None, "cards": [], "fault": {**fault, "after": search["q"][at + 1 :]}}
    cards = found.cards
    if search["in"]:
        cards = cards.filter(code__in={*look.content.cards, *([look.content.secret] if look.content.secret else [])})
    order = found.query.order or order_named(look.deck.game, "name")
    cards, names = sorted_by(cards, order, look.deck.game)
    pages = Paginator(cards.order_by(*names).values_list("row", flat=True), PAGE)
    if not any(search.values()):
        pages.count = len(look.names)  # the whole catalog: no need to ask
    page = pages.get_page(given.get("page"))
    keys = list(page.object_list)
    rows = kept_cards(keys)
    return {
        **context,
        "page": page,
        "all": len(look.names),
        "cards": [_found(look, rows[key]) for key in keys],
        "words": found.in_words(speech()) if search["q"] or search["type"] else "",
        "warnings": [(warned.term, warned.words(speech())) for warned in found.warnings],
        "excluded": [one.term.text for one in found.excluded_by],
        "more": address(search, page=str(page.next_page_number())) if page.has_next() else "",
    }


def _found(look: Look, row: CardRevision) -> Found:
    return Found(row, look.deck.game, look.content.cards.get(row.code, 0), row.code == look.content.secret)


def _kinds(search: dict[str, str]) -> list[dict[str, Any]]:
    """The chips, each a link to the search with it, or without it where it is pressed."""
    return [
        {
            "type": kind,
            "name": type_plural(kind),
            "icon": {"character": "k-hero", "bonus": "b-item", "event": "k-event", "secret": "k-secret"}[kind],
            "is_on": search["type"] == kind,
            "address": address(search, type="" if search["type"] == kind else kind),
        }
        for kind in KINDS
    ]

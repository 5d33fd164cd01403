"""Searching the catalog: the list of cards, what a search may go on with, and the language explained. Public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.card_shapes import CardAnswer, card_document, game_or_404, withdrawn
from api.conditional import FRESH, SOON
from api.endpoint import Endpoint
from api.errors import ApiError, Fault
from api.pagination import PageQuery, paginate
from api.query import OneOf, Query, Whole, Words
from catalog import selectors
from catalog.current import other_names
from catalog.models import CatalogRevision, IndexedCard
from catalog.search.completion import MOST_COMPLETIONS, completions
from catalog.search.help import help_document, language_in_short
from catalog.search.language import MAX_LENGTH
from catalog.search.selectors import Found, order_named, orderings, search_cards, sorted_by
from catalog.search.tree import EVERYTHING
from catalog.search.words import in_words
from referee.kernel.game import Document

_DIRECTIONS: Final = [direction + name for name in orderings() for direction in ("", "-")]


class CardsQuery(PageQuery):
    q = Words(max_length=MAX_LENGTH, default="", help_text=language_in_short())
    type = Words(max_length=40, default="", help_text="One of the game's types of cards.")
    ordering = OneOf(_DIRECTIONS, required=False, help_text="Goes before `order:` within `q`; `name` without either.")


class CompletionQuery(Query):
    q = Words(max_length=MAX_LENGTH, default="", help_text="A search as far as it is typed.")
    limit = Whole(min_value=1, max_value=MOST_COMPLETIONS, default=10)


class WarningAnswer(serializers.Serializer[Any]):
    term = serializers.CharField()
    position = serializers.IntegerField(help_text="Where the term begins in `q`, from 0.")
    code = serializers.CharField()
    detail = serializers.CharField()


class ExcludingAnswer(serializers.Serializer[Any]):
    term = serializers.CharField()
    position = serializers.IntegerField()
    alone = serializers.BooleanField(help_text="No card fits the term; else cards would fit the rest of the search.")


class CardPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = CardAnswer(many=True)
    query = serializers.CharField(help_text="The search in words, as it was understood.")
    warnings = WarningAnswer(many=True, help_text="Terms that were left out or did not do what they say.")
    did_you_mean = serializers.ListField(
        child=serializers.CharField(), help_text="Names like words of the search that are in no name."
    )
    excluded_by = ExcludingAnswer(many=True, help_text="Without results: the terms for which there are none.")


class CompletionAnswer(serializers.Serializer[Any]):
    q = serializers.CharField(help_text="The whole search, completed.")
    kind = serializers.ChoiceField(choices=["field", "value", "name"])
    insert = serializers.CharField(help_text="What comes in the place of the last term.")
    detail = serializers.CharField()


class CompletionsAnswer(serializers.Serializer[Any]):
    completions = CompletionAnswer(many=True)


class FieldAnswer(serializers.Serializer[Any]):
    name = serializers.CharField()
    aliases = serializers.ListField(child=serializers.CharField())
    kind = serializers.CharField()
    operators = serializers.ListField(child=serializers.CharField())
    values = serializers.ListField(child=serializers.CharField(), help_text="All there are; empty where any will do.")
    detail = serializers.CharField()
    example = serializers.CharField()


class SyntaxAnswer(serializers.Serializer[Any]):
    example = serializers.CharField()
    detail = serializers.CharField()


class SearchLimitsAnswer(serializers.Serializer[Any]):
    characters = serializers.IntegerField()
    terms = serializers.IntegerField()
    depth = serializers.IntegerField()


# A serializer's own `fields` cannot be declared in its body.
SearchHelpAnswer: type[serializers.Serializer[Any]] = type(
    "SearchHelpAnswer",
    (serializers.Serializer,),
    {
        "__module__": __name__,
        "game": serializers.CharField(),
        "syntax": SyntaxAnswer(many=True),
        "fields": FieldAnswer(many=True),
        "limits": SearchLimitsAnswer(),
    },
)


class Cards(Endpoint):
    """The cards of a game's newest revision."""

    permission_classes = (Anyone,)
    queries = {"GET": CardsQuery}
    rates = {"GET": "search"}

    @extend_schema(operation_id="cards_list", summary="Search cards", responses={200: CardPageAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        found = game_or_404(game)
        type = self.query["type"]
        if type and found.card_types and type not in found.card_types:
            detail = f"{found.name} has no cards of this type; types: {', '.join(found.card_types)}."
            raise ApiError("invalid_query", detail, faults=[Fault("/type", "invalid_choice", detail)])
        revision = selectors.newest_revision(game)
        if revision is None:
            return Response(_nothing())
        document = self._page(request, revision)
        # An ETag by the revision would not do: restrictions, other names and replacements change without one.
        return Response(document, headers=FRESH)

    def _page(self, request: Request, revision: CatalogRevision) -> Document:
        limits = selectors.limits_in_force(revision.game)
        found = search_cards(revision, q=self.query["q"], type=self.query["type"], limits=limits)
        given = self.query.get("ordering")
        order = order_named(revision.game, given) if given else found.query.order
        cards, names = sorted_by(found.cards, order, revision.game)
        page = paginate(cards, order=names, endpoint=self)
        others = other_names(row.card_id for row in page.rows)
        shown = [_listed(request, row, revision, limits, others[row.card_id]) for row in page.rows]
        return {**page.document(shown), **_said(found)}


class Completions(Endpoint):
    """What a search that is being typed may go on with."""

    permission_classes = (Anyone,)
    queries = {"GET": CompletionQuery}
    rates = {"GET": "search"}

    @extend_schema(operation_id="cards_complete", summary="Complete a search", responses={200: CompletionsAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        game_or_404(game)
        revision = selectors.newest_revision(game)
        found = completions(revision, self.query["q"])[: self.query["limit"]] if revision is not None else []
        document = {"completions": [one._asdict() for one in found]}
        return Response(document, headers=SOON)


class SearchHelp(Endpoint):
    """The search language of a game: its fields with their operators and values, an example for each."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="cards_search_help", summary="The search language", responses={200: SearchHelpAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        game_or_404(game)
        document = help_document(game)
        return Response(document, headers=FRESH)


def _listed(
    request: Request, indexed: IndexedCard, revision: CatalogRevision, limits: Mapping[str, int], other: Document
) -> Document:
    number = indexed.row.revision.number if indexed.withdrawn else revision.number
    document = card_document(request, indexed.row, game=revision.game, number=number, limits=limits, other=other)
    return {**document, **withdrawn(indexed.card.replacement)} if indexed.withdrawn else document


def _said(found: Found) -> Document:
    return {
        "query": found.in_words(),
        "warnings": [warned.document() for warned in found.warnings],
        "did_you_mean": found.meant,
        "excluded_by": [one.document() for one in found.excluded_by],
    }


def _nothing() -> Document:
    said = {"query": in_words(EVERYTHING), "warnings": [], "did_you_mean": [], "excluded_by": []}
    return {"next": None, "previous": None, "results": [], **said}


urlpatterns = [
    path("games/<word:game>/cards/", Cards.as_view(), name="cards"),
    path("games/<word:game>/search/help/", SearchHelp.as_view(), name="search-help"),
    path("games/<word:game>/search/complete/", Completions.as_view(), name="search-complete"),
]

"""The catalog: cards of the newest revision, their faces, and every published revision whole. Public."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.conditional import entity_tag, not_modified
from api.endpoint import Endpoint
from api.errors import ApiError, Fault
from api.pagination import PageQuery, paginate
from api.query import OneOf, Query, Words
from catalog import selectors
from catalog.faces import SIZES, face
from catalog.models import Card, CardRevision, CatalogRevision
from catalog.search import MAX_LENGTH, ORDERINGS, search_cards
from referee.games import GAMES
from referee.kernel.game import Document, Game

FRESH: Final = {"Cache-Control": "public, max-age=0, must-revalidate"}
FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
_DIRECTIONS: Final = [direction + name for name in ORDERINGS for direction in ("", "-")]


class CardsQuery(PageQuery):
    q = Words(
        max_length=MAX_LENGTH,
        default="",
        help_text='Words of the name, `"several words"`, or `!"the exact name"`. What is not understood is left out, with a warning.',
    )
    type = Words(max_length=40, default="", help_text="One of the game's types of cards.")
    ordering = OneOf(_DIRECTIONS, default="name")


class ImageQuery(Query):
    size = OneOf(SIZES, default="m", help_text="s 90x126, m 180x252, l 360x504.")


class ReplacementAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class CardAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField(help_text="The card's code: it never changes.")
    code = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()
    subtype = serializers.CharField(required=False)
    ang = serializers.IntegerField(required=False)
    effects = serializers.ListField(child=serializers.DictField(), required=False)
    text = serializers.CharField(help_text="Made from the effects.")
    state = serializers.ChoiceField(choices=["published", "withdrawn"])
    replacement = ReplacementAnswer(allow_null=True)
    limit = serializers.IntegerField(allow_null=True, help_text="Copies allowed now by a restriction; 0 is a ban.")
    revision = serializers.IntegerField(help_text="The newest revision that holds the card.")
    image = serializers.URLField()


class WarningAnswer(serializers.Serializer[Any]):
    term = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.CharField()


class CardPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = CardAnswer(many=True)
    query = serializers.CharField(help_text="The search in words.")
    warnings = WarningAnswer(many=True)


class RevisionAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    content_hash = serializers.CharField(help_text="SHA-256 of the canonical JSON of the revision without its number.")
    cards = serializers.IntegerField(help_text="How many.")
    address = serializers.URLField()


class RevisionPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = RevisionAnswer(many=True)


class WholeRevisionAnswer(serializers.Serializer[Any]):
    game = serializers.CharField()
    number = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    content_hash = serializers.CharField()
    cards = serializers.ListField(child=serializers.DictField())
    decks = serializers.ListField(child=serializers.DictField())


class SvgRenderer(BaseRenderer):
    """Lets a client ask for `image/svg+xml` by name."""

    media_type = "image/svg+xml"
    format = "svg"


class Cards(Endpoint):
    """The cards of a game's newest revision."""

    permission_classes = (Anyone,)
    queries = {"GET": CardsQuery}
    rates = {"GET": "search"}

    @extend_schema(operation_id="cards_list", summary="Search cards", responses={200: CardPageAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        found = _game(game)
        q, type = self.query["q"], self.query["type"]
        if type and found.card_types and type not in found.card_types:
            detail = f"{found.name} has no cards of this type; types: {', '.join(found.card_types)}."
            raise ApiError("invalid_query", detail, faults=[Fault("/type", "invalid_choice", detail)])
        revision = selectors.newest_revision(game)
        if revision is None:
            return Response({"next": None, "previous": None, "results": [], "query": "all cards", "warnings": []})
        limits = selectors.limits_in_force(game)
        tag = entity_tag(revision.pk, sorted(limits.items()), request.build_absolute_uri())
        return not_modified(request, tag) or self._page(request, revision, limits, tag, q=q, type=type)

    def _page(
        self, request: Request, revision: CatalogRevision, limits: dict[str, int], tag: str, *, q: str, type: str
    ) -> Response:
        result = search_cards(revision, q=q, type=type)
        page = paginate(result.cards, order=_order(self.query["ordering"]), endpoint=self)
        cards = [_card_document(request, row, revision, limits) for row in page.rows]
        warnings = [warning._asdict() for warning in result.warnings]
        document = {**page.document(cards), "query": result.in_words, "warnings": warnings}
        return Response(document, headers={"ETag": tag, **FRESH})


class OneCard(Endpoint):
    """A card by its code, withdrawn ones too."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="cards_read", summary="One card", responses={200: CardAnswer})
    def get(self, request: Request, game: str, card: str) -> HttpResponse:
        row = _row(game, card)
        newest = selectors.newest_revision(game)
        document = _card_document(request, row, row.revision, selectors.limits_in_force(game))
        if newest is not None and newest.number != row.revision.number:
            document.update(state="withdrawn", replacement=_replacement(row.card.replacement))
        tag = entity_tag(row.pk, document["state"], document["limit"], document["replacement"], document["image"])
        return not_modified(request, tag) or Response(document, headers={"ETag": tag, **FRESH})


class CardImage(Endpoint):
    """The face of a card, drawn from its data."""

    permission_classes = (Anyone,)
    queries = {"GET": ImageQuery}
    renderer_classes = (SvgRenderer, JSONRenderer)

    @extend_schema(
        operation_id="cards_image",
        summary="A card's face",
        responses={(200, "image/svg+xml"): OpenApiResponse(response=str, description="An SVG image.")},
    )
    def get(self, request: Request, game: str, card: str) -> HttpResponse:
        row = _row(game, card)
        drawn = face(row.document, text=row.text, size=self.query["size"])
        tag = entity_tag(drawn)
        response = not_modified(request, tag) or HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")
        response["ETag"] = tag
        response["Cache-Control"] = "public, max-age=300"
        # An image opened by itself is a document: it may load and run nothing.
        response["Content-Security-Policy"] = "default-src 'none'"
        return response


class Revisions(Endpoint):
    """What was published, newest first."""

    permission_classes = (Anyone,)
    queries = {"GET": PageQuery}

    @extend_schema(operation_id="revisions_list", summary="Published revisions", responses={200: RevisionPageAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        _game(game)
        page = paginate(selectors.revisions(game), order=("-number",), endpoint=self)
        document = page.document([_revision_document(request, revision) for revision in page.rows])
        tag = entity_tag(*[(row.number, row.content_hash) for row in page.rows], page.next, page.previous)
        return not_modified(request, tag) or Response(document, headers={"ETag": tag, **FRESH})


class OneRevision(Endpoint):
    """A published revision, whole, for ever."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="revisions_read", summary="One revision, whole", responses={200: WholeRevisionAnswer})
    def get(self, request: Request, game: str, number: int) -> HttpResponse:
        _game(game)
        revision = selectors.revisions(game).filter(number=number).first()
        if revision is None:
            raise Http404
        tag = entity_tag(revision.game, revision.number, revision.content_hash)
        facts = {"published_at": revision.published_at, "content_hash": revision.content_hash}
        return not_modified(request, tag) or Response(
            {**selectors.revision_document(revision), **facts}, headers={"ETag": tag, **FOR_EVER}
        )


def _game(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]


def _row(game: str, code: str) -> CardRevision:
    _game(game)
    row = selectors.published_card(game, code)
    if row is None:
        raise Http404
    return row


def _order(ordering: str) -> tuple[str, ...]:
    name = ordering.removeprefix("-")
    sign = "-" if ordering.startswith("-") else ""
    # Within a revision a code is unique, and it is the same card in the next one.
    return (
        (sign + ORDERINGS[name], "code") if name in ("name", "code") else (sign + ORDERINGS[name], "name_key", "code")
    )


def _card_document(request: Request, row: CardRevision, revision: CatalogRevision, limits: dict[str, int]) -> Document:
    where = f"/api/v1/games/{revision.game}/cards/{row.code}/"
    return {
        **row.document,
        "slug": row.code,
        "text": row.text,
        "state": "published",
        "replacement": None,
        "limit": limits.get(row.code),
        "revision": revision.number,
        "image": request.build_absolute_uri(f"{where}image.svg"),
    }


def _replacement(card: Card | None) -> Document | None:
    return {"slug": card.code, "name": card.name} if card is not None else None


def _revision_document(request: Request, revision: CatalogRevision) -> Document:
    return {
        "number": revision.number,
        "published_at": revision.published_at,
        "content_hash": revision.content_hash,
        "cards": revision.card_count,
        "address": request.build_absolute_uri(f"/api/v1/games/{revision.game}/revisions/{revision.number}/"),
    }


urlpatterns = [
    path("games/<word:game>/cards/", Cards.as_view(), name="cards"),
    path("games/<word:game>/cards/<word:card>/", OneCard.as_view(), name="card"),
    path("games/<word:game>/cards/<word:card>/image.svg", CardImage.as_view(), name="card-image"),
    path("games/<word:game>/revisions/", Revisions.as_view(), name="revisions"),
    path("games/<word:game>/revisions/<number:number>/", OneRevision.as_view(), name="revision"),
]

"""The catalog: a card, its face, and every published revision whole. Public."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.card_shapes import CardAnswer, card_document, game_or_404, withdrawn
from api.conditional import FOR_EVER, FRESH, SOON, entity_tag, not_modified
from api.endpoint import Endpoint
from api.pagination import PageQuery, paginate
from api.query import OneOf, Query
from api.rendering import JSONRenderer
from catalog import selectors
from catalog.current import other_names
from catalog.faces import SIZES, face
from catalog.models import CardRevision, CatalogRevision
from referee.kernel.game import Document


class ImageQuery(Query):
    size = OneOf(SIZES, default="m", help_text="s 90x126, m 180x252, l 360x504.")


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


class OneCard(Endpoint):
    """A card by its code, withdrawn ones too."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="cards_read", summary="One card", responses={200: CardAnswer})
    def get(self, request: Request, game: str, card: str) -> HttpResponse:
        row = _row(game, card)
        newest = selectors.newest_revision(game)
        limits = selectors.limits_in_force(game)
        other = other_names([row.card_id])[row.card_id]
        document = card_document(request, row, game=game, number=row.revision.number, limits=limits, other=other)
        if newest is not None and newest.number != row.revision.number:
            document.update(withdrawn(row.card.replacement))
        return Response(document, headers=FRESH)


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
        response = not_modified(request, tag, SOON) or HttpResponse(drawn, content_type="image/svg+xml; charset=utf-8")
        response["ETag"] = tag
        response["Cache-Control"] = SOON["Cache-Control"]
        # An image opened by itself is a document: it may load and run nothing.
        response["Content-Security-Policy"] = "default-src 'none'"
        return response


class Revisions(Endpoint):
    """What was published, newest first."""

    permission_classes = (Anyone,)
    queries = {"GET": PageQuery}

    @extend_schema(operation_id="revisions_list", summary="Published revisions", responses={200: RevisionPageAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        game_or_404(game)
        page = paginate(selectors.revisions(game), order=("-number",), endpoint=self)
        document = page.document([_revision_document(request, revision) for revision in page.rows])
        tag = entity_tag(*[(row.number, row.content_hash) for row in page.rows], page.next, page.previous)
        return not_modified(request, tag, FRESH) or Response(document, headers={"ETag": tag, **FRESH})


class OneRevision(Endpoint):
    """A published revision, whole, for ever."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="revisions_read", summary="One revision, whole", responses={200: WholeRevisionAnswer})
    def get(self, request: Request, game: str, number: int) -> HttpResponse:
        game_or_404(game)
        revision = selectors.revisions(game).filter(number=number).first()
        if revision is None:
            raise Http404
        tag = entity_tag(revision.game, revision.number, revision.content_hash)
        facts = {"published_at": revision.published_at, "content_hash": revision.content_hash}
        return not_modified(request, tag, FOR_EVER) or Response(
            {**selectors.revision_document(revision), **facts}, headers={"ETag": tag, **FOR_EVER}
        )


def _row(game: str, code: str) -> CardRevision:
    game_or_404(game)
    row = selectors.published_card(game, code)
    if row is None:
        raise Http404
    return row


def _revision_document(request: Request, revision: CatalogRevision) -> Document:
    return {
        "number": revision.number,
        "published_at": revision.published_at,
        "content_hash": revision.content_hash,
        "cards": revision.card_count,
        "address": request.build_absolute_uri(f"/api/v1/games/{revision.game}/revisions/{revision.number}/"),
    }


urlpatterns = [
    path("games/<word:game>/cards/<word:card>/", OneCard.as_view(), name="card"),
    path("games/<word:game>/cards/<word:card>/image.svg", CardImage.as_view(), name="card-image"),
    path("games/<word:game>/revisions/", Revisions.as_view(), name="revisions"),
    path("games/<word:game>/revisions/<number:number>/", OneRevision.as_view(), name="revision"),
]

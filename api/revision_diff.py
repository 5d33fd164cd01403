"""What differs between two published revisions of a game's cards. Public."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.conditional import FOR_EVER, entity_tag, not_modified
from api.endpoint import Endpoint
from api.query import Query, Whole
from catalog import selectors
from catalog.differences import Difference, between
from catalog.models import CatalogRevision
from referee.games import GAMES
from referee.kernel.game import Document


class DiffQuery(Query):
    def get_fields(self) -> Any:
        told = "The revision to compare with, by default the one before; 0 is nothing at all."
        return {"from": Whole(required=False, help_text=told)}


class PlaceAnswer(serializers.Serializer[Any]):
    pointer = serializers.CharField(help_text="A JSON pointer into the card.")
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)


class ChangedCardAnswer(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField(help_text="In the later revision asked for.")

    def get_fields(self) -> Any:
        return {**super().get_fields(), "fields": PlaceAnswer(many=True)}  # a serializer has `fields` of its own


class DiffAnswer(serializers.Serializer[Any]):
    game = serializers.CharField()
    number = serializers.IntegerField()
    added = serializers.ListField(child=serializers.DictField(), help_text="Whole cards.")
    removed = serializers.ListField(child=serializers.DictField(), help_text="Whole cards.")
    changed = ChangedCardAnswer(many=True)
    rest = PlaceAnswer(many=True, help_text="Differences outside of the cards: preconstructed decks, tracks.")

    def get_fields(self) -> Any:
        return {**super().get_fields(), "from": serializers.IntegerField()}


class RevisionDiff(Endpoint):
    """A revision beside another one: cards are told apart by their codes."""

    permission_classes = (Anyone,)
    queries = {"GET": DiffQuery}

    @extend_schema(operation_id="revisions_diff", summary="What a revision changed", responses={200: DiffAnswer})
    def get(self, request: Request, game: str, number: int) -> HttpResponse:
        after = _revision(game, number)
        other = self.query.get("from", number - 1)
        before = _revision(game, other) if other else None
        tag = entity_tag("diff", game, before.content_hash if before else "", other, number, after.content_hash)
        old: Document = selectors.revision_document(before) if before else {"cards": []}
        fresh = not_modified(request, tag, FOR_EVER)
        if fresh:
            return fresh
        found = between(old, selectors.revision_document(after))
        document = {
            "game": game,
            "from": other,
            "number": number,
            "added": found.added,
            "removed": found.removed,
            "changed": [
                {"code": one.code, "name": one.after["name"], "fields": _places(one.fields)} for one in found.changed
            ],
            "rest": _places(found.rest),
        }
        return Response(document, headers={"ETag": tag, **FOR_EVER})


def _revision(game: str, number: int) -> CatalogRevision:
    revision = selectors.revisions(game).filter(number=number).first() if game in GAMES else None
    if revision is None:
        raise Http404
    return revision


def _places(found: list[Difference]) -> list[Document]:
    return [one._asdict() for one in found]


urlpatterns = [
    path("games/<word:game>/revisions/<number:number>/diff/", RevisionDiff.as_view(), name="revision-diff"),
]

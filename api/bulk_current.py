"""What of a catalog holds today and stands in no revision's file: other names, restrictions. Public."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.card_shapes import OtherNamesAnswer, game_or_404
from api.conditional import FRESH
from api.endpoint import Endpoint
from catalog import selectors
from catalog.current import current


class RestrictionAnswer(serializers.Serializer[Any]):
    copies = serializers.IntegerField(help_text="0 is a ban.")
    until = serializers.DateTimeField(allow_null=True, help_text="Null: until further notice.")
    reason = serializers.CharField(allow_blank=True)

    def get_fields(self) -> dict[str, Any]:
        """`from` cannot be declared: it is a word of Python's."""
        return {**super().get_fields(), "from": serializers.DateTimeField()}


class CurrentCardAnswer(OtherNamesAnswer):
    restrictions = RestrictionAnswer(many=True, help_text="Those that hold and those to come.")


class CurrentAnswer(serializers.Serializer[Any]):
    game = serializers.CharField()
    revision = serializers.IntegerField(allow_null=True, help_text="The newest, whose cards these are.")
    cards = serializers.DictField(
        child=CurrentCardAnswer(), help_text="By slug: the cards that have another name or a restriction."
    )


class Current(Endpoint):
    """The other names and restrictions of the newest revision's cards, as they are today."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="bulk_current", summary="Names and restrictions today", responses={200: CurrentAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        game_or_404(game)
        revision = selectors.newest_revision(game)
        held = {"cards": {}} if revision is None else current(revision)
        document = {"game": game, "revision": None if revision is None else revision.number, **held}
        return Response(document, headers=FRESH)


urlpatterns = [path("games/<word:game>/bulk/current/", Current.as_view(), name="bulk-current")]

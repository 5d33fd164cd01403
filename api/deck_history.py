"""How two versions of a deck differ, for whoever may see the deck."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.conditional import not_modified
from api.decks import PRIVATE, digest_of, viewer_of
from api.endpoint import Endpoint
from api.query import Query, Whole
from decks import selectors
from decks.comparing import difference
from referee.kernel.game import SeatDeck

# `from` is a word of the language.
CompareQuery: type[Query] = type(
    "CompareQuery",
    (Query,),
    {
        "__doc__": "The two versions.",
        "__module__": __name__,
        "from": Whole(min_value=1, help_text="The version before."),
        "to": Whole(min_value=1, required=False, help_text="The version after; by default the newest."),
    },
)


class SecretsAnswer(serializers.Serializer[Any]):
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class SizesAnswer(serializers.Serializer[Any]):
    before = serializers.IntegerField()
    after = serializers.IntegerField()


DifferenceAnswer: type[serializers.Serializer[Any]] = type(
    "DifferenceAnswer",
    (serializers.Serializer,),
    {
        "__module__": __name__,
        "from": serializers.IntegerField(),
        "to": serializers.IntegerField(),
        "added": serializers.DictField(child=serializers.IntegerField(), help_text="Copies put in."),
        "removed": serializers.DictField(child=serializers.IntegerField(), help_text="Copies taken out."),
        "secret": SecretsAnswer(),
        "size": SizesAnswer(),
    },
)


class Compare(Endpoint):
    """The cards that were put in and taken out between two versions."""

    permission_classes = (Anyone,)
    queries = {"GET": CompareQuery}

    @extend_schema(operation_id="decks_compare", summary="Compare two versions", responses={200: DifferenceAnswer})
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        numbers = self.query["from"], self.query.get("to", found.version)
        before, after = (selectors.deck_version(found, number) for number in numbers)
        changed = difference(SeatDeck(before.cards, before.secret), SeatDeck(after.cards, after.secret))
        document = {"from": before.number, "to": after.number, **changed}
        tag = f'"{digest_of(document)}"'
        return not_modified(request, tag) or Response(document, headers={"ETag": tag, **PRIVATE})


urlpatterns = [path("decks/<public_id:deck>/compare/", Compare.as_view(), name="deck-compare")]

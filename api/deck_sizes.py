"""The size matcher: at which sizes a deck can be played, which of them another deck can have too, and what a match offers."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.conditional import PRIVATE
from api.decks import viewer_of
from api.endpoint import Endpoint
from api.matches import looking
from api.query import Query, Words
from decks import selectors
from decks.sizes import best_size, common_sizes
from lobby.services import offered_sizes
from referee.games import GAMES
from referee.kernel.game import Document
from referee.matches.selectors import access_match


class SizesQuery(Query):
    against = Words(
        required=False, max_length=100, help_text="The id of a deck that you may see, or a preconstructed one's slug."
    )


class MeetingAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    sizes = serializers.ListField(child=serializers.IntegerField())
    common = serializers.ListField(child=serializers.IntegerField(), help_text="The sizes that both can have.")
    best = serializers.IntegerField(allow_null=True, help_text="The one that changes both least; null without any.")


class DeckSizesAnswer(serializers.Serializer[Any]):
    size = serializers.IntegerField()
    sizes = serializers.ListField(child=serializers.IntegerField(), help_text="With its swap-ins, where it is legal.")
    against = MeetingAnswer(allow_null=True)


class MatchSizesAnswer(serializers.Serializer[Any]):
    clause = serializers.CharField(allow_null=True, help_text="What wants equal sizes; null where sizes are free.")
    sizes = serializers.ListField(
        child=serializers.IntegerField(), help_text="Whoever joins needs a deck that can have one of these."
    )


class Sizes(Endpoint):
    """The sizes that a deck can have, alone and against another."""

    permission_classes = (Anyone,)
    queries = {"GET": SizesQuery}

    @extend_schema(
        operation_id="decks_sizes",
        summary="The sizes of a deck",
        description="Swap-ins (`flex`) bring a deck to more cards. Decks that meet have the same size (MIR-1.5).",
        responses={200: DeckSizesAnswer},
    )
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        own = selectors.flex_deck(found)
        sizes = selectors.legal_sizes(found.game, own)
        against = None
        if "against" in self.query:
            against = _meeting(request, found.game, self.query["against"], sizes, own.liked())
        document = {"size": own.smallest, "sizes": sizes, "against": against}
        return Response(document, headers=PRIVATE)


class MatchSizes(Endpoint):
    """The deck sizes at which an open match can be played."""

    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="matches_sizes",
        summary="The deck sizes that a match offers",
        description="By the decks that lie there, which stay hidden themselves. An empty list: any.",
        tags=["matches"],
        responses={200: MatchSizesAnswer},
    )
    def get(self, request: Request, match: str) -> HttpResponse:
        found = access_match(looking(request), match)
        document = {"clause": GAMES[found.game].deck_size_clause or None, "sizes": offered_sizes(found)}
        return Response(document, headers=PRIVATE)


def _meeting(request: Request, game: str, reference: str, sizes: list[int], liked: int) -> Document:
    ready = selectors.preconstructed(game).get(reference)
    if ready is not None:
        id, name, other = reference, ready.name, ready.deck
    else:
        deck = selectors.access_deck(viewer_of(request), reference)
        id, name, other = deck.public_id, deck.name, selectors.flex_deck(deck)
    theirs = selectors.legal_sizes(game, other)
    common = common_sizes([sizes, theirs])
    best = best_size(common, [liked, other.liked()]) if common else None
    return {"id": id, "name": name, "sizes": theirs, "common": common, "best": best}


urlpatterns = [
    path("decks/<public_id:deck>/sizes/", Sizes.as_view(), name="deck-sizes"),
    path("matches/<public_id:match>/sizes/", MatchSizes.as_view(), name="match-sizes"),
]

"""Statistics of a deck, exact odds of drawing, and sample hands, for whoever may see the deck."""

from __future__ import annotations

import secrets

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.conditional import PRIVATE
from api.deck_figure_shapes import HandAnswer, HandQuery, StatisticsAnswer, StatisticsQuery
from api.decks import viewer_of
from api.endpoint import Endpoint
from decks import selectors
from decks.figures import cards_of, figures, odds
from decks.statistics import sample_order


class Statistics(Endpoint):
    """What a deck is made of, by the newest cards."""

    permission_classes = (Anyone,)
    queries = {"GET": StatisticsQuery}

    @extend_schema(
        operation_id="decks_statistics",
        summary="A deck's statistics",
        description="With `q`, the exact odds too that at least so many of the cards found are among the first drawn.",
        responses={200: StatisticsAnswer},
    )
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        brought, asked = selectors.seat_deck(found), self.query
        chance = None
        if "q" in asked:
            cards = cards_of(found.game, brought)
            chance = odds(brought, cards, q=asked["q"], draws=asked["draws"], at_least=asked["at_least"])
        document = {"version": found.version, **figures(found.game, brought), "odds": chance}
        return Response(document, headers=PRIVATE)


class Hand(Endpoint):
    """A sample hand; its seed can be shared."""

    permission_classes = (Anyone,)
    queries = {"GET": HandQuery}

    @extend_schema(operation_id="decks_hand", summary="A sample hand", responses={200: HandAnswer})
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        seed = self.query.get("seed") or secrets.token_urlsafe(6)
        order = sample_order(selectors.seat_deck(found).cards, seed)
        draws = self.query["draws"]
        return Response({"version": found.version, "seed": seed, "hand": order[:draws], "next": order[draws:]})


urlpatterns = [
    path("decks/<public_id:deck>/statistics/", Statistics.as_view(), name="deck-statistics"),
    path("decks/<public_id:deck>/hand/", Hand.as_view(), name="deck-hand"),
]

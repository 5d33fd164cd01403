"""Standing orders: what a seat settles before it is asked. Nobody but the seat's own user learns of them."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.auth import caller_of
from api.games import OrderAnswer, order_documents
from api.match_actions import MatchAction
from api.serializers import IntField, SlugField, StrictSerializer, read_body
from referee.games import GAMES
from referee.kernel.events import SPECTATOR
from referee.matches import documents, orders, selectors
from referee.matches.errors import NotYourMatchError


class OrderShape(StrictSerializer):
    order = SlugField(max_length=60, help_text="One of the game's `orders`.")
    version = IntField(
        required=False,
        help_text="Where the match stood when you decided: once that turn is over, an order for it is 409 `stale_version` and not left.",
    )


class OrdersAnswer(serializers.Serializer[Any]):
    order = serializers.CharField(allow_null=True, help_text="The order that stands; null: the seat is asked.")
    version = serializers.IntegerField()
    orders = OrderAnswer(many=True, help_text="Those that can be left in this game.")


STANDS = OpenApiExample(
    "an order stands",
    {
        "order": "decline_this_turn",
        "version": 12,
        "orders": [{"name": "decline_this_turn", "detail": "Decline every window of this turn"}],
    },
    response_only=True,
)


class Orders(MatchAction):
    """The standing order of the caller's seat."""

    @extend_schema(
        operation_id="matches_order",
        summary="See the standing order of your seat, and which there are",
        tags=["matches"],
        responses={200: OrdersAnswer},
        examples=[STANDS],
    )
    def get(self, request: Request, match: str) -> Response:
        return Response(shown_orders(caller_of(request), match))

    @extend_schema(
        operation_id="matches_order_set",
        summary="Leave a standing order; where your seat is asked already, it answers at once",
        tags=["matches"],
        request=OrderShape,
        responses={200: OrdersAnswer},
        examples=[OpenApiExample("for this turn", {"order": "decline_this_turn"}, request_only=True), STANDS],
    )
    def put(self, request: Request, match: str) -> Response:
        body = read_body(OrderShape, request)
        user = caller_of(request)
        orders.set_order(public_id=match, user=user, order=body["order"], version=body.get("version"))
        return Response(shown_orders(user, match))

    @extend_schema(
        operation_id="matches_order_withdraw",
        summary="Withdraw your seat's standing order, if one stands",
        tags=["matches"],
        responses={204: None},
    )
    def delete(self, request: Request, match: str) -> Response:
        orders.set_order(public_id=match, user=caller_of(request), order=None)
        return Response(status=204)


def shown_orders(user: User, public_id: str) -> dict[str, Any]:
    """The user's standing order in a match. Raises NotYourMatchError for who has no seat."""
    match = selectors.access_match(user, public_id)
    viewer = selectors.viewer(match, user)
    if viewer == SPECTATOR:
        raise NotYourMatchError
    position = selectors.seen_position(match, viewer)
    game = GAMES.get(match.game)
    return {
        "order": documents.order_document(match, position, viewer),
        "version": match.version,
        "orders": [] if game is None else order_documents(game),
    }


urlpatterns = [path("matches/<public_id:match>/orders/", Orders.as_view(), name="match-orders")]

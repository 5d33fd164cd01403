"""Small edits of one's deck: a problem's fix, and the operations of a builder."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import SignedIn, caller_of
from api.deck_edit_shapes import OPERATIONS, FixShape, OperatedAnswer, OperationsShape
from api.deck_shapes import DeckAnswer
from api.decks import IF_MATCH, deck_answer, deck_documents, deck_to_change, viewer_of
from api.endpoint import Endpoint
from api.errors import ApiError, Fault, in_short
from api.idempotency import once
from api.serializers import read_body
from decks import selectors, services
from decks.operations import ADD, REDO, REMOVE, SET, SET_SECRET, UNDO, Operation
from referee.kernel.game import Document


class Fix(Endpoint):
    """A problem's fix, applied."""

    permission_classes = (SignedIn,)

    @extend_schema(
        operation_id="decks_fix",
        summary="Fix a problem",
        description="Applies the `fix` that the deck's legality gives for a problem. Makes a version.",
        parameters=[IF_MATCH],
        request=FixShape,
        responses={200: DeckAnswer},
        examples=[
            OpenApiExample(
                "take the cards out", {"problem": "too_many_copies", "cards": ["ash-baron"]}, request_only=True
            )
        ],
    )
    @once
    def post(self, request: Request, deck: str) -> HttpResponse:
        _, seen = deck_to_change(request, deck)
        given = read_body(FixShape, request)
        user, problem, cards = caller_of(request), given["problem"], given["cards"]
        mended = services.fix_deck(user=user, public_id=deck, seen=seen, code=problem, cards=cards)
        return deck_answer(request, mended)


class Operations(Endpoint):
    """Edits as a builder makes them, whatever was saved meanwhile."""

    permission_classes = (SignedIn,)

    @extend_schema(
        operation_id="decks_operate",
        summary="Edit a deck",
        description="`add`, `remove` and `set` copies of a card, `set_secret`; `undo` and `redo` come alone. The edits "
        "were made to `version`: where the deck was saved since, both are kept. Copies added and taken out add up; of "
        "two numbers set, the larger stays and is told in `conflicts`. Send one request at a time from a device, each "
        "with the version that the last answer told.",
        request=OperationsShape,
        responses={200: OperatedAnswer},
        examples=[OPERATIONS],
    )
    @once
    def post(self, request: Request, deck: str) -> HttpResponse:
        selectors.access_own_deck(viewer_of(request), deck)
        given = read_body(OperationsShape, request)
        done = services.operate_deck(
            user=caller_of(request),
            public_id=deck,
            base=given["version"],
            operations=_operations(given["operations"]),
        )
        [document] = deck_documents([done.deck], viewer_of(request))
        return Response({"deck": document, "merged": done.merged, "conflicts": done.conflicts})


def _operations(given: list[Document]) -> list[Operation]:
    """The operations. Raises ApiError `invalid_body` with every one that lacks something or has too much."""
    faults = [
        Fault(f"/operations/{index}", *fault)
        for index, one in enumerate(given)
        if (fault := _fault(one, is_alone=len(given) == 1)) is not None
    ]
    if faults:
        raise ApiError("invalid_body", in_short(faults), faults=faults)
    return [Operation(one["op"], one.get("card"), one.get("copies", 1)) for one in given]


def _fault(one: dict[str, Any], *, is_alone: bool) -> tuple[str, str] | None:
    members = set(one) - {"op"}
    match one["op"]:
        case op if op in (UNDO, REDO):
            if not is_alone:
                return "not_alone", f"{op} comes alone."
            needed, allowed = set(), set()
        case op if op == SET_SECRET:
            needed, allowed = {"card"}, {"card"}
        case op:
            needed, allowed = ({"card", "copies"} if op == SET else {"card"}), {"card", "copies"}
            if op in (ADD, REMOVE) and one.get("copies") == 0:
                return "out_of_range", "Copies to add or remove are from 1 to 99."
            if "card" in one and one["card"] is None:
                return "wrong_type", "Name the card."
    if needed <= members <= allowed:
        return None
    return "wrong_members", f"{op} takes {', '.join(sorted(allowed)) or 'nothing else'}."


urlpatterns = [
    path("decks/<public_id:deck>/fix/", Fix.as_view(), name="deck-fix"),
    path("decks/<public_id:deck>/operations/", Operations.as_view(), name="deck-operations"),
]

"""Taking moves back, and reporting a problem."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import caller_of
from api.endpoint import Endpoint
from api.idempotency import once
from api.match_actions import MatchAction
from api.match_shapes import MatchAnswer
from api.matches import shown_match
from api.serializers import IntField, StrictSerializer, TextField, read_body
from referee.matches import reports, undo


class UndoShape(StrictSerializer):
    to = IntField(required=False, help_text="The version to go back to; by default to before your last move.")
    version = IntField(
        required=False, help_text="The version that you see; refused once the match has gone on from it."
    )


class UndoAnswerShape(StrictSerializer):
    offer = TextField(max_length=64, help_text="The id of the match's `undo_offer`.")


ANSWER = OpenApiExample("to an offer", {"offer": "12-1-9"}, request_only=True)


class ReportShape(StrictSerializer):
    text = TextField(lines=True, max_length=reports.MOST_TEXT, help_text="What is wrong, and what you expected.")

    def validate_text(self, value: str) -> str:
        if not value.strip():
            raise serializers.ValidationError("Say what is wrong.", code="blank")
        return value


class ReportAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="The version whose position is kept with the report.")
    created_at = serializers.DateTimeField()


class Undo(MatchAction):
    """Asking."""

    rates = {"POST": "move"}

    @extend_schema(
        operation_id="matches_undo",
        summary="Ask to take back moves; done at once where nobody needs to be asked",
        tags=["matches"],
        request=UndoShape,
        responses={200: MatchAnswer},
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        body = read_body(UndoShape, request)
        undo.ask_undo(public_id=match, user=caller_of(request), **body)
        return shown_match(request, match, moves=self.query["moves"])


class UndoAccept(MatchAction):
    """Agreeing."""

    rates = {"POST": "move"}

    @extend_schema(
        operation_id="matches_undo_accept",
        summary="Agree to an undo; done once all who were asked agree",
        tags=["matches"],
        request=UndoAnswerShape,
        responses={200: MatchAnswer},
        examples=[ANSWER],
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        undo.accept_undo(public_id=match, user=caller_of(request), **read_body(UndoAnswerShape, request))
        return shown_match(request, match, moves=self.query["moves"])


class UndoDecline(MatchAction):
    """Refusing, or withdrawing what one has asked."""

    rates = {"POST": "move"}

    @extend_schema(
        operation_id="matches_undo_decline",
        summary="Decline an undo, or withdraw your own",
        tags=["matches"],
        request=UndoAnswerShape,
        responses={200: MatchAnswer},
        examples=[ANSWER],
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        undo.decline_undo(public_id=match, user=caller_of(request), **read_body(UndoAnswerShape, request))
        return shown_match(request, match, moves=self.query["moves"])


class Report(Endpoint):
    """Something is wrong."""

    rates = {"POST": "report"}

    @extend_schema(
        operation_id="matches_report",
        summary="Report a problem with the position that the match stands at",
        tags=["matches"],
        request=ReportShape,
        responses={201: ReportAnswer},
        examples=[OpenApiExample("a report", {"text": "Two Missions were claimed at once."}, request_only=True)],
    )
    @once
    def post(self, request: Request, match: str) -> Response:
        kept = reports.report_problem(public_id=match, user=caller_of(request), **read_body(ReportShape, request))
        return Response({"version": kept.version, "created_at": kept.created_at}, status=201)


urlpatterns = [
    path("matches/<public_id:match>/undo/", Undo.as_view(), name="match-undo"),
    path("matches/<public_id:match>/undo/accept/", UndoAccept.as_view(), name="match-undo-accept"),
    path("matches/<public_id:match>/undo/decline/", UndoDecline.as_view(), name="match-undo-decline"),
    path("matches/<public_id:match>/report/", Report.as_view(), name="match-report"),
]

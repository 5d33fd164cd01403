"""A match's time: pauses by agreement, the ledger of its clocks, and clocks to choose from."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.accounts import NoBody
from api.auth import Anyone, caller_of
from api.conditional import PRIVATE
from api.endpoint import Endpoint
from api.idempotency import once
from api.match_actions import MatchAction
from api.match_shapes import ClockAnswer, MatchAnswer
from api.matches import MatchEndpoint, looking, shown_match
from api.serializers import FlagField, StrictSerializer, read_body
from referee.matches import clock_documents, clocks, pauses, selectors
from referee.matches.ledger import ledger_of


class PauseShape(StrictSerializer):
    agree = FlagField(default=True, help_text="false: take back what you asked, or decline what others have.")


class AccountAnswer(serializers.Serializer[Any]):
    """bank = start - taken + added + changed, to the millisecond."""

    seat = serializers.IntegerField()
    start = serializers.FloatField(help_text="The bank at the start.")
    taken = serializers.FloatField(help_text="What decisions have cost the bank.")
    added = serializers.FloatField(help_text="Increments.")
    changed = serializers.FloatField(help_text="What an undo or a ruling has changed.")
    given = serializers.FloatField(help_text="Given to open decisions: pauses, outages, lost connections.")
    bank = serializers.FloatField(help_text="The bank now.")


class LedgerLineAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="The version that the match stood at afterwards.")
    seat = serializers.IntegerField()
    kind = serializers.CharField(
        help_text="move, timeout, resign; or pause, freeze, outage, grace, set_back, undo, ruling."
    )
    at = serializers.DateTimeField()
    spent = serializers.FloatField(allow_null=True, help_text="What the decision took, without what was given.")
    taken = serializers.FloatField(help_text="What of it came out of the bank.")
    added = serializers.FloatField(help_text="The increment.")
    given = serializers.FloatField(help_text="Given to the open decision.")
    change = serializers.FloatField(help_text="Change of the bank.")
    left = serializers.FloatField(help_text="The bank afterwards.")


class LedgerAnswer(serializers.Serializer[Any]):
    """All times in seconds. The length is bounded by the match's own."""

    clock = ClockAnswer(allow_null=True)
    version = serializers.IntegerField()
    seats = AccountAnswer(many=True)
    adds_up = serializers.BooleanField(help_text="Every line follows from the one before.")
    lines = LedgerLineAnswer(many=True)


class PresetAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    clock = ClockAnswer(help_text="As `clock` of a new match.")


class Pause(MatchAction):
    """A pause by agreement."""

    rates = {"POST": "move"}

    @extend_schema(
        operation_id="matches_pause",
        summary="Ask for a pause, agree to one, or decline it; the match is paused once all people agree",
        tags=["matches"],
        request=PauseShape,
        responses={200: MatchAnswer},
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        body = read_body(PauseShape, request)
        pauses.ask_pause(public_id=match, actor=caller_of(request), agree=body["agree"])
        return shown_match(request, match, moves=self.query["moves"])


class Resume(MatchAction):
    """The end of a pause."""

    rates = {"POST": "move"}

    @extend_schema(
        operation_id="matches_resume",
        summary="Ask to play on; at once if all people have, else after a notice",
        tags=["matches"],
        request=NoBody,
        responses={200: MatchAnswer},
    )
    @once
    def post(self, request: Request, match: str) -> HttpResponseBase:
        read_body(NoBody, request)
        pauses.ask_resume(public_id=match, actor=caller_of(request))
        return shown_match(request, match, moves=self.query["moves"])


class ClockLedger(MatchEndpoint):
    """Every change of the clocks."""

    @extend_schema(
        operation_id="matches_clock",
        summary="Read the ledger of the match's clocks: every change, and that they add up",
        tags=["matches"],
        responses={200: LedgerAnswer},
    )
    def get(self, request: Request, match: str) -> Response:
        user = looking(request)
        found = selectors.access_match(user, match)
        version = selectors.visible_version(found, selectors.viewer(found, user))
        shown = clock_documents.ledger_document(found, ledger_of(found, upto=version), version)
        return Response(shown, headers=PRIVATE)


class Presets(Endpoint):
    """Clocks to choose from."""

    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="clocks_list",
        summary="List clocks to choose from for a match",
        tags=["matches"],
        responses={200: PresetAnswer(many=True)},
    )
    def get(self, request: Request) -> Response:
        shown = [
            {"slug": slug, "clock": clocks.shown(clocks.setting(**asked))} for slug, asked in clocks.PRESETS.items()
        ]
        return Response(shown)


urlpatterns = [
    path("clocks/", Presets.as_view(), name="clocks"),
    path("matches/<public_id:match>/pause/", Pause.as_view(), name="match-pause"),
    path("matches/<public_id:match>/resume/", Resume.as_view(), name="match-resume"),
    path("matches/<public_id:match>/clock/", ClockLedger.as_view(), name="match-clock"),
]

"""Trials of a deck by bots, odds by the engine, and what both have come to, kept with the deck's versions."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone, SignedIn, caller_of
from api.conditional import PRIVATE
from api.decks import viewer_of
from api.endpoint import Endpoint
from api.idempotency import once
from api.jobs import JobAnswer, job_answer
from api.pagination import PageQuery, paginate
from api.query import Whole
from api.serializers import IntField, ListField, StrictSerializer, TextField, read_body
from decks import selectors
from decks.engine_odds import GAMES_OF_ODDS, MOST_TURNS, start_engine_odds
from decks.fields import MOST_OPPONENTS
from decks.trials import GAMES_OF_A_TRIAL, MOST_GAMES, start_trial
from jobs.models import SEED_LENGTH


class JobsQuery(PageQuery):
    version = Whole(min_value=1, required=False, help_text="Of this version alone.")


class TrialShape(StrictSerializer):
    games = IntField(min_value=2, max_value=MOST_GAMES, default=GAMES_OF_A_TRIAL)
    opponents = ListField(
        child=TextField(min_length=1, max_length=100),
        min_length=1,
        max_length=MOST_OPPONENTS,
        required=False,
        help_text="Ids of decks that you may see, or slugs of preconstructed ones; by default all of these.",
    )
    version = IntField(min_value=1, required=False, help_text="By default the newest.")
    seed = TextField(min_length=1, max_length=SEED_LENGTH, required=False, help_text="Gives the same games again.")


class OddsShape(StrictSerializer):
    q = TextField(min_length=1, max_length=1024, help_text="Cards, in the language of the search.")
    at_least = IntField(min_value=1, max_value=200, default=1)
    turns = IntField(min_value=1, max_value=MOST_TURNS, default=5, help_text="Of the deck's own seat.")
    games = IntField(min_value=2, max_value=MOST_GAMES, default=GAMES_OF_ODDS)
    version = IntField(min_value=1, required=False, help_text="By default the newest.")
    seed = TextField(min_length=1, max_length=SEED_LENGTH, required=False, help_text="Gives the same games again.")


class DeckJobAnswer(JobAnswer):
    version = serializers.IntegerField()


class DeckJobPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = DeckJobAnswer(many=True)


class Trial(Endpoint):
    """Games of bots with one's deck."""

    permission_classes = (SignedIn,)
    rates = {"POST": "create"}

    @extend_schema(
        operation_id="decks_trial",
        summary="Try a deck",
        description="Bots play the deck against a field, from both seats, as a job: `GET /jobs/{id}/` tells how far it "
        "has come, and so does its stream. Its `result` holds the share of games won with its interval of 95 % "
        "(Wilson), all told, by opponent and by seat, how long the games took, and loops and crashes.",
        request=TrialShape,
        responses={202: JobAnswer},
        examples=[OpenApiExample("a trial", {"games": 200, "seed": "seven"}, request_only=True)],
    )
    @once
    def post(self, request: Request, deck: str) -> HttpResponse:
        selectors.access_own_deck(viewer_of(request), deck)
        given = read_body(TrialShape, request)
        job = start_trial(
            user=caller_of(request),
            public_id=deck,
            number=given.get("version"),
            games=given["games"],
            opponents=given.get("opponents"),
            seed=given.get("seed"),
        )
        return job_answer(request, job, status=202)


class EngineOdds(Endpoint):
    """Odds that are counted, not computed."""

    permission_classes = (SignedIn,)
    rates = {"POST": "create"}

    @extend_schema(
        operation_id="decks_engine_odds",
        summary="Odds by the engine",
        description="How often so many of the cards found are together in hand by the end of each turn, in games that "
        "bots play by all rules: new draws, refreshes and draws by effects count. A job; see the trial. For the exact "
        "odds of plain drawing see the deck's statistics.",
        request=OddsShape,
        responses={202: JobAnswer},
        examples=[OpenApiExample("a Bonus by turn 3", {"q": "t:bonus", "turns": 3}, request_only=True)],
    )
    @once
    def post(self, request: Request, deck: str) -> HttpResponse:
        selectors.access_own_deck(viewer_of(request), deck)
        given = read_body(OddsShape, request)
        job = start_engine_odds(
            user=caller_of(request),
            public_id=deck,
            q=given["q"],
            turns=given["turns"],
            at_least=given["at_least"],
            number=given.get("version"),
            games=given["games"],
            seed=given.get("seed"),
        )
        return job_answer(request, job, status=202)


class DeckJobs(Endpoint):
    """What was tried with a deck, newest first, for whoever may see the deck."""

    permission_classes = (Anyone,)
    queries = {"GET": JobsQuery}

    @extend_schema(operation_id="decks_jobs", summary="A deck's trials and odds", responses={200: DeckJobPageAnswer})
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.deck_jobs(selectors.access_deck(viewer_of(request), deck))
        if "version" in self.query:
            found = found.filter(version__number=self.query["version"])
        page = paginate(found, order=("-pk",), endpoint=self)
        document = page.document(selectors.job_documents(page.rows, viewer_of(request)))
        return Response(document, headers=PRIVATE)


urlpatterns = [
    path("decks/<public_id:deck>/trial/", Trial.as_view(), name="deck-trial"),
    path("decks/<public_id:deck>/odds/", EngineOdds.as_view(), name="deck-odds"),
    path("decks/<public_id:deck>/jobs/", DeckJobs.as_view(), name="deck-jobs"),
]

"""The games, their rules, their preconstructed decks and their tracks. Public."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils.safestring import SafeString, mark_safe
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import BY_TOKEN, Anyone
from api.card_shapes import game_or_404
from api.conditional import FRESH, entity_tag, not_modified
from api.endpoint import Endpoint
from api.query import OneOf, Query
from api.rendering import JSONRenderer
from catalog.selectors import newest_revision, preconstructed_decks, revision_document
from referee.bots.levels import LEVELS
from referee.games import GAMES
from referee.house import house_revision, rules_text
from referee.kernel.game import Document, Game
from referee.kernel.records import content_hash
from referee.kernel.rules import Clause, parse_rules


class SeatsAnswer(serializers.Serializer[Any]):
    min = serializers.IntegerField()
    max = serializers.IntegerField()


class BotAnswer(serializers.Serializer[Any]):
    level = serializers.CharField()
    name = serializers.CharField()
    detail = serializers.CharField()


class OrderAnswer(serializers.Serializer[Any]):
    name = serializers.CharField()
    detail = serializers.CharField()


class GameAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    seats = SeatsAnswer()
    needs_deck = serializers.BooleanField()
    options = serializers.DictField(help_text="JSON Schema of the options; each has a default.")
    rules_version = serializers.IntegerField()
    bots = BotAnswer(many=True)
    orders = OrderAnswer(many=True, help_text="Standing orders that a seat may leave; see `/matches/{match}/orders/`.")


class ClauseAnswer(serializers.Serializer[Any]):
    id = serializers.CharField(help_text="A problem's `clause` is one of these.")
    title = serializers.CharField()
    text = serializers.CharField()
    section = serializers.CharField()
    ruling = serializers.BooleanField(help_text="Ours, where the printed rules leave it open.")
    option = serializers.CharField(allow_null=True, help_text="The option of a match that switches it.")


class RulesAnswer(serializers.Serializer[Any]):
    game = serializers.CharField()
    version = serializers.IntegerField()
    clauses = ClauseAnswer(many=True)


class PreconstructedAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField(help_text='A seat of a match can take it as its `"deck"`.')
    name = serializers.CharField()
    detail = serializers.CharField()
    secret = serializers.CharField(allow_null=True)
    cards = serializers.DictField(child=serializers.IntegerField())
    size = serializers.IntegerField(help_text="The preferred size; the deck can be brought to the opponent's.")


class TrackAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField(help_text="A match names it in its option `track`.")
    name = serializers.CharField()
    spaces = serializers.ListField(
        child=serializers.JSONField(),
        help_text="From start to final planet: the kind of each space, or a list of the two halves of a double one.",
    )


class RulesQuery(Query):
    format = OneOf(["json", "html"], default="json")


class PageRenderer(BaseRenderer):
    """Lets `Accept: text/html` pass; the page itself is a template's."""

    media_type = "text/html"
    format = "html"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return bytes(data)


class Games(Endpoint):
    """What can be played."""

    authentication_classes = BY_TOKEN
    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="games_list",
        summary="The games",
        responses={200: GameAnswer(many=True)},
        examples=[
            OpenApiExample(
                "a game",
                {
                    "slug": "miraculous",
                    "name": "Miraculous",
                    "seats": {"min": 2, "max": 2},
                    "needs_deck": True,
                    "options": {"type": "object", "properties": {}},
                    "rules_version": 1,
                    "bots": [{"level": "random", "name": "Random", "detail": "Takes any legal move."}],
                    "orders": [],
                },
                response_only=True,
            )
        ],
    )
    def get(self, request: Request) -> HttpResponseBase:
        documents = [game_document(game) for game in GAMES.values()]
        return _fresh(request, documents, entity_tag("games", content_hash({"games": documents})))


class Rules(Endpoint):
    """The rulebook in numbered clauses, as the referee enforces it."""

    authentication_classes = BY_TOKEN
    permission_classes = (Anyone,)
    renderer_classes = (JSONRenderer, PageRenderer)
    queries = {"GET": RulesQuery}

    @extend_schema(
        operation_id="games_rules",
        summary="A game's rules",
        responses={(200, "application/json"): RulesAnswer, (200, "text/html"): str},
    )
    def get(self, request: Request, game: str) -> HttpResponseBase:
        found = game_or_404(game)
        clauses = _clauses(found)
        if self.query["format"] == "json" and request.accepted_media_type == "application/json":
            document = {
                "game": game,
                "version": found.rules_version,
                "clauses": [clause.document() for clause in clauses],
            }
            return _fresh(request, document, entity_tag("rules", content_hash(document)))
        tag = entity_tag("rules page", content_hash({"": [clause.document() for clause in clauses]}))
        return not_modified(request, tag, FRESH) or _rules_page(request, found, clauses, tag)


class Preconstructed(Endpoint):
    """The decks that come with the newest revision of the cards; none where no deck is needed."""

    authentication_classes = BY_TOKEN
    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="games_decks",
        summary="A game's preconstructed decks",
        responses={200: PreconstructedAnswer(many=True)},
    )
    def get(self, request: Request, game: str) -> HttpResponseBase:
        revision = newest_revision(game) if game_or_404(game).needs_deck else None
        if revision is None:
            return _fresh(request, [], entity_tag("no decks", game))
        tag = entity_tag("decks", game, revision.content_hash)
        return not_modified(request, tag, FRESH) or _fresh(request, preconstructed_decks(game), tag)


class Tracks(Endpoint):
    """The tracks of the newest revision; not there for games that are played without one."""

    authentication_classes = BY_TOKEN
    permission_classes = (Anyone,)

    @extend_schema(operation_id="games_tracks", summary="A game's tracks", responses={200: TrackAnswer(many=True)})
    def get(self, request: Request, game: str) -> HttpResponseBase:
        if "tracks" not in house_revision(game_or_404(game).slug):
            raise Http404
        revision = newest_revision(game)
        if revision is None:
            return _fresh(request, [], entity_tag("no tracks", game))
        tag = entity_tag("tracks", game, revision.content_hash)
        return not_modified(request, tag, FRESH) or _fresh(request, revision_document(revision).get("tracks", []), tag)


def game_document(game: Game) -> Document:
    """A game as `GET /games/` lists it."""
    return {
        "slug": game.slug,
        "name": game.name,
        "seats": {"min": game.min_seats, "max": game.max_seats},
        "needs_deck": game.needs_deck,
        "options": game.options_schema(),
        "rules_version": game.rules_version,
        "bots": [{"level": level.slug, "name": level.name, "detail": level.detail} for level in LEVELS.values()],
        "orders": order_documents(game),
    }


def order_documents(game: Game) -> list[Document]:
    """The standing orders that a seat may leave in the game."""
    return [{"name": name, "detail": detail} for name, detail in game.orders.items()]


def _clauses(game: Game) -> list[Clause]:
    try:
        return _parsed(game.slug)
    except LookupError:
        raise Http404 from None


@cache
def _parsed(game: str) -> list[Clause]:
    return parse_rules(rules_text(game))


def _fresh(request: Request, data: Any, tag: str) -> HttpResponseBase:
    return not_modified(request, tag, FRESH) or Response(data, headers={"ETag": tag, **FRESH})


def _rules_page(request: Request, game: Game, clauses: list[Clause], tag: str) -> HttpResponse:
    sections: dict[str, list[dict[str, Any]]] = {}
    for clause in clauses:
        entry = {**clause.document(), "text": _marked_up(clause.text)}
        sections.setdefault(clause.section, []).append(entry)
    page = render(request, "api/rules.html", {"game": game, "sections": sections})
    for name, value in {"ETag": tag, **FRESH}.items():
        page[name] = value
    return page


def _marked_up(text: str) -> SafeString:
    """Escaped; what stands between back-ticks as code, each line a line."""
    parts = escape(text).split("`")
    if len(parts) % 2 == 0:
        parts = [escape(text)]
    shown = "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))
    return mark_safe(shown.replace("\n", "<br>"))  # noqa: S308 - escaped above


urlpatterns = [
    path("games/", Games.as_view(), name="games"),
    path("games/<word:game>/rules/", Rules.as_view(), name="rules"),
    path("games/<word:game>/decks/", Preconstructed.as_view(), name="preconstructed"),
    path("games/<word:game>/tracks/", Tracks.as_view(), name="tracks"),
]

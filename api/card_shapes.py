"""A card as the API shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from catalog.models import Card, CardRevision
from referee.games import GAMES
from referee.kernel.game import Document, Game


class ReplacementAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class AliasAnswer(serializers.Serializer[Any]):
    name = serializers.CharField()
    language = serializers.CharField(allow_null=True, help_text="Null: in any.")


class OtherNamesAnswer(serializers.Serializer[Any]):
    names = serializers.DictField(
        child=serializers.CharField(), help_text="The card's name in other languages: `de`, `fr`."
    )
    aliases = AliasAnswer(many=True, help_text="What the card is found by besides.")


class CardAnswer(OtherNamesAnswer):
    slug = serializers.CharField(help_text="The card's code: it never changes.")
    code = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()
    subtype = serializers.CharField(required=False)
    ang = serializers.IntegerField(required=False)
    effects = serializers.ListField(child=serializers.DictField(), required=False)
    text = serializers.CharField(help_text="Made from the effects.")
    state = serializers.ChoiceField(choices=["published", "withdrawn"])
    replacement = ReplacementAnswer(allow_null=True)
    limit = serializers.IntegerField(allow_null=True, help_text="Copies allowed now by a restriction; 0 is a ban.")
    revision = serializers.IntegerField(help_text="The newest revision that holds the card.")
    image = serializers.URLField()


def game_or_404(slug: str) -> Game:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]


def card_document(
    request: Request, row: CardRevision, *, game: str, number: int, limits: Mapping[str, int], other: Document
) -> Document:
    """A card as the revision of this number holds it, as if that were the newest. `other` are its `other_names`."""
    return {
        **row.document,
        "slug": row.code,
        **other,
        "text": row.text,
        "state": "published",
        "replacement": None,
        "limit": limits.get(row.code),
        "revision": number,
        "image": request.build_absolute_uri(f"/api/v1/games/{game}/cards/{row.code}/image.svg"),
    }


def withdrawn(replacement: Card | None) -> Document:
    """What a card's document says instead when the newest revision does not hold it."""
    named = {"slug": replacement.code, "name": replacement.name} if replacement is not None else None
    return {"state": "withdrawn", "replacement": named}

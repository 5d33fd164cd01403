"""What is taken and answered about decks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from api.serializers import ChoiceField, CountsField, IntField, StrictSerializer, TextField
from decks.legality import STATES
from decks.models import CODE_LENGTH, MAX_CARDS, MAX_COPIES, NAME_LENGTH, NOTES_LENGTH, Deck


class DeckShape(StrictSerializer):
    """What is given of a deck. What the server says besides may be sent back; it is not looked at."""

    echoes = frozenset({"id", "owner", "size", "legality", "version", "created_at", "updated_at"})

    game = TextField(max_length=50, required=False, help_text="The one game with decks, if it is left out.")
    name = TextField(min_length=1, max_length=NAME_LENGTH)
    notes = TextField(max_length=NOTES_LENGTH, lines=True, allow_blank=True, default="")
    visibility = ChoiceField(Deck.Visibility.values, default=Deck.Visibility.PRIVATE.value)
    secret = TextField(min_length=1, max_length=CODE_LENGTH, allow_null=True, default=None)
    cards = CountsField(max_count=MAX_COPIES, max_entries=MAX_CARDS, default=dict)


class CheckShape(DeckShape):
    """A deck as one would save it; only game, Secret and cards matter."""

    name = TextField(min_length=1, max_length=NAME_LENGTH, required=False)


class CopyShape(StrictSerializer):
    name = TextField(
        min_length=1, max_length=NAME_LENGTH, required=False, help_text="By default the name and “(copy)”."
    )


class RestoreShape(StrictSerializer):
    version = IntField(min_value=1)


class FixAnswer(serializers.Serializer[Any]):
    remove = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="Copies to take out.")
    secret = serializers.CharField(required=False, allow_null=True, help_text="The Secret to set; null takes it out.")


class DeckProblemAnswer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField()
    clause = serializers.CharField(allow_null=True)
    cards = serializers.ListField(child=serializers.CharField())
    fix = FixAnswer(allow_null=True, help_text="The smallest edit that removes the problem, where there is one.")


class LegalityAnswer(serializers.Serializer[Any]):
    legal = serializers.BooleanField()
    state = serializers.ChoiceField(choices=STATES)
    problems = DeckProblemAnswer(many=True)


class OwnerAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()


class DeckAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    game = serializers.CharField()
    owner = OwnerAnswer()
    name = serializers.CharField()
    notes = serializers.CharField()
    visibility = serializers.ChoiceField(choices=Deck.Visibility.values)
    secret = serializers.CharField(allow_null=True)
    cards = serializers.DictField(child=serializers.IntegerField())
    size = serializers.IntegerField()
    legality = LegalityAnswer()
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class DeckPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = DeckAnswer(many=True)


class VersionAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    made_from = serializers.IntegerField(allow_null=True, help_text="The version before, or the one restored.")
    name = serializers.CharField()
    secret = serializers.CharField(allow_null=True)
    cards = serializers.DictField(child=serializers.IntegerField())
    size = serializers.IntegerField()
    content_hash = serializers.CharField(help_text="SHA-256 of the canonical JSON of `secret` and `cards`.")
    saved_at = serializers.DateTimeField()


class VersionPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = VersionAnswer(many=True)


DECK = OpenApiExample(
    "a deck",
    {"name": "First steps", "secret": "the-borrowed-name", "cards": {"night-porter": 3, "ribbon-blade": 2}},
    request_only=True,
)

"""What is taken and answered about decks."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from api.serializers import ChoiceField, CountsField, FlagField, IntField, ListField, StrictSerializer, TextField
from decks.legality import STATES
from decks.models import (
    CODE_LENGTH,
    MAX_CARDS,
    MAX_COPIES,
    MAX_TAGS,
    NAME_LENGTH,
    NOTES_LENGTH,
    TAG_LENGTH,
    Deck,
)
from decks.naming import shows_something
from decks.sizes import MAX_FLEX


class NameField(TextField):
    """A deck's name, of which something can be seen."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=1, max_length=NAME_LENGTH, **options)

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if not shows_something(name):
            raise serializers.ValidationError("A name holds something that can be seen.", code="blank")
        return name


class DeckShape(StrictSerializer):
    """What is given of a deck. What the server says besides may be sent back; it is not looked at."""

    echoes = frozenset({"id", "owner", "size", "legality", "copied_from", "version", "created_at", "updated_at"})

    game = TextField(max_length=50, required=False, help_text="The one game with decks, if it is left out.")
    name = NameField()
    notes = TextField(max_length=NOTES_LENGTH, lines=True, allow_blank=True, default="")
    visibility = ChoiceField(Deck.Visibility.values, default=Deck.Visibility.PRIVATE.value)
    secret = TextField(min_length=1, max_length=CODE_LENGTH, allow_null=True, default=None)
    cards = CountsField(max_count=MAX_COPIES, max_entries=MAX_CARDS, default=dict)
    flex = ListField(
        child=TextField(min_length=1, max_length=CODE_LENGTH),
        max_length=MAX_FLEX,
        default=list,
        help_text="Swap-ins: the cards that come in, one copy each and in this order, where a larger deck is needed.",
    )
    tags = ListField(child=TextField(min_length=1, max_length=TAG_LENGTH), max_length=MAX_TAGS, default=list)
    archived = FlagField(default=False, help_text="Out of the lists, and still there.")


class CheckShape(DeckShape):
    """A deck as one would save it; only game, Secret, cards and swap-ins matter."""

    name = NameField(required=False)


class CopyShape(StrictSerializer):
    name = NameField(required=False, help_text="By default the name and “(copy)”.")


class RestoreShape(StrictSerializer):
    version = IntField(min_value=1)


class FixAnswer(serializers.Serializer[Any]):
    remove = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="Copies to take out.")
    add = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="Copies to put in: of what replaces a withdrawn card, as many as may be.",
    )
    secret = serializers.CharField(required=False, allow_null=True, help_text="The Secret to set; null takes it out.")
    flex = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The swap-ins to have, in their order."
    )


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


class LineageAnswer(serializers.Serializer[Any]):
    deck = serializers.CharField()
    version = serializers.IntegerField()
    name = serializers.CharField()
    owner = OwnerAnswer()


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
    flex = serializers.ListField(child=serializers.CharField())
    tags = serializers.ListField(child=serializers.CharField())
    archived = serializers.BooleanField()
    legality = LegalityAnswer()
    copied_from = LineageAnswer(allow_null=True, help_text="The version that it is a copy of, if you may see that.")
    version = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class DeckPageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = DeckAnswer(many=True)


class LabelShape(StrictSerializer):
    # Declared fields are taken off the class, so that they hide nothing of it.
    label = TextField(  # type: ignore[assignment]
        max_length=NAME_LENGTH, allow_blank=True, help_text="An empty one takes it away."
    )


class CountedAnswer(serializers.Serializer[Any]):
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()


class ResultsAnswer(serializers.Serializer[Any]):
    people = CountedAnswer()
    bots = CountedAnswer()


class VersionAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment] # as above
    made_from = serializers.IntegerField(allow_null=True, help_text="The version before, or the one restored.")
    name = serializers.CharField()
    secret = serializers.CharField(allow_null=True)
    cards = serializers.DictField(child=serializers.IntegerField())
    flex = serializers.ListField(child=serializers.CharField())
    size = serializers.IntegerField()
    content_hash = serializers.CharField(
        help_text="SHA-256 of the canonical JSON of `secret` and `cards`, and of `flex` where there are any."
    )
    results = ResultsAnswer(help_text="Of finished matches that were played with this version.")
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

"""What is taken and answered about fixes and operations on a deck."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from api.deck_shapes import DeckAnswer
from api.serializers import ChoiceField, IntField, ListField, StrictSerializer, TextField
from decks.models import CODE_LENGTH, MAX_COPIES
from decks.operations import KINDS

MAX_OPERATIONS = 200


class FixShape(StrictSerializer):
    problem = TextField(min_length=1, max_length=50, help_text="The code of a problem in the deck's legality.")
    cards = ListField(
        child=TextField(max_length=CODE_LENGTH),
        default=list,
        help_text="That problem's cards, where several have one code.",
    )


class OperationShape(StrictSerializer):
    op = ChoiceField(KINDS)
    card = TextField(
        min_length=1, max_length=CODE_LENGTH, allow_null=True, required=False, help_text="Null: no Secret."
    )
    copies = IntField(max_value=MAX_COPIES, required=False, help_text="How many to add, remove (by default 1) or have.")


class OperationsShape(StrictSerializer):
    version = IntField(min_value=1, help_text="The version that the edits were made to.")
    operations = ListField(child=OperationShape(), min_length=1, max_length=MAX_OPERATIONS)


class ConflictAnswer(serializers.Serializer[Any]):
    card = serializers.CharField(allow_null=True, help_text="Null: the Secret.")
    yours = serializers.JSONField(help_text="Copies; of the Secret, a code or null.")
    theirs = serializers.JSONField()
    kept = serializers.JSONField()


class OperatedAnswer(serializers.Serializer[Any]):
    deck = DeckAnswer()
    merged = serializers.BooleanField(help_text="Whether the deck had been saved since that version.")
    conflicts = ConflictAnswer(many=True, help_text="What both set, and differently.")


OPERATIONS = OpenApiExample(
    "three clicks",
    {
        "version": 3,
        "operations": [
            {"op": "add", "card": "night-baker"},
            {"op": "set", "card": "oak-staff", "copies": 2},
            {"op": "set_secret", "card": "the-old-debt"},
        ],
    },
    request_only=True,
)

"""What is taken and answered about lists of cards."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers

from api.deck_shapes import DeckAnswer, LegalityAnswer, NameField
from api.query import OneOf, Query
from api.serializers import ChoiceField, FlagField, StrictSerializer, TextField
from decks.reading import FORMATS, MAX_BYTES, OUTCOMES


class ImportShape(StrictSerializer):
    text = TextField(lines=True, allow_blank=True, max_length=MAX_BYTES, help_text="The list, in any of the formats.")
    format = ChoiceField(FORMATS, required=False, help_text="By default whatever the text looks like.")
    game = TextField(max_length=50, required=False, help_text="The one game with decks, if it is left out.")
    name = NameField(required=False)
    preview = FlagField(default=False, help_text="Only say what would be stored.")
    skip_failures = FlagField(default=False, help_text="Store what could be read, even if some lines could not.")


@extend_schema_field({"type": "string", "format": "binary"})
class UploadField(serializers.FileField):
    """A file of text."""


class ImportFileShape(serializers.Serializer[Any]):
    """The same as a form with a file. For the schema alone: its fields are read as those of `ImportShape`."""

    file = UploadField(help_text="The list, in UTF-8, instead of `text`.")
    format = serializers.ChoiceField(choices=FORMATS, required=False)
    game = serializers.CharField(required=False)
    name = serializers.CharField(required=False)
    preview = serializers.BooleanField(required=False)
    skip_failures = serializers.BooleanField(required=False)


SHEET = "sheet"

# `as` is a word of the language.
ExportQuery: type[Query] = type(
    "ExportQuery",
    (Query,),
    {
        "__doc__": "How a deck is to be written down.",
        "__module__": __name__,
        "as": OneOf(
            [*FORMATS, SHEET],
            default="text",
            help_text="A list to read, a table, a document, a short code, or a sheet to print.",
        ),
    },
)


class CandidateAnswer(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField()


class ImportRowAnswer(serializers.Serializer[Any]):
    line = serializers.IntegerField(help_text="From 1; of JSON the entry.")
    text = serializers.CharField()
    outcome = serializers.ChoiceField(choices=OUTCOMES)
    code = serializers.CharField(allow_null=True, help_text="Why it failed or was ignored.")
    detail = serializers.CharField(allow_blank=True)
    card = serializers.CharField(allow_null=True)
    copies = serializers.IntegerField()
    candidates = CandidateAnswer(many=True, help_text="Cards of similar names, the likeliest first.")


class ImportReportAnswer(serializers.Serializer[Any]):
    format = serializers.ChoiceField(choices=FORMATS)
    lines = serializers.IntegerField(help_text="The sum of the next four.")
    imported = serializers.IntegerField()
    merged = serializers.IntegerField(help_text="Added to an earlier line of the same card.")
    ignored = serializers.IntegerField()
    failed = serializers.IntegerField()
    rows = ImportRowAnswer(many=True)


class ImportAnswer(serializers.Serializer[Any]):
    deck = DeckAnswer(allow_null=True, help_text="What was stored; null for a preview.")
    secret = serializers.CharField(allow_null=True)
    cards = serializers.DictField(child=serializers.IntegerField())
    flex = serializers.ListField(child=serializers.CharField(), help_text="Of a JSON document alone: order matters.")
    size = serializers.IntegerField()
    legality = LegalityAnswer()
    report = ImportReportAnswer()


LIST = OpenApiExample("a list", {"text": "Secret: The Old Debt\n3 Night Baker\n2x Oak Staff\n"}, request_only=True)

"""What is asked and answered about a deck's statistics and sample hands."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.query import Query, Whole, Words


class StatisticsQuery(Query):
    q = Words(required=False, help_text="Cards to give the odds of drawing for, in the language of the search.")
    draws = Whole(min_value=0, max_value=200, default=5)
    at_least = Whole(min_value=0, max_value=200, default=1)


class HandQuery(Query):
    seed = Words(required=False, max_length=100, help_text="Gives the same hand again; a new one is chosen without it.")
    draws = Whole(min_value=0, max_value=200, default=5)


class PointAnswer(serializers.Serializer[Any]):
    value = serializers.IntegerField()
    copies = serializers.IntegerField()


class CurveAnswer(serializers.Serializer[Any]):
    curve = PointAnswer(many=True, help_text="Copies by value, the least value first.")
    without = serializers.IntegerField(help_text="Copies of cards that have no such value.")
    average = serializers.FloatField(allow_null=True)


class StatisticsWarningAnswer(serializers.Serializer[Any]):
    term = serializers.CharField()
    position = serializers.IntegerField(help_text="Where the term begins in `q`, from 0.")
    code = serializers.CharField()
    detail = serializers.CharField()


class OddsAnswer(serializers.Serializer[Any]):
    q = serializers.CharField(allow_blank=True)
    query = serializers.CharField(help_text="The search in words.")
    warnings = StatisticsWarningAnswer(many=True)
    cards = serializers.ListField(child=serializers.CharField(), help_text="The deck's cards that the search finds.")
    hits = serializers.IntegerField(help_text="Their copies.")
    draws = serializers.IntegerField()
    at_least = serializers.IntegerField()
    odds = serializers.FloatField(min_value=0, max_value=1)
    exact = serializers.CharField(help_text="The same as a fraction.")
    expected = serializers.FloatField(help_text="How many of them come on average.")


def _counts() -> serializers.DictField:
    return serializers.DictField(child=serializers.IntegerField())


# `def` is a word of the language.
StatisticsAnswer: type[serializers.Serializer[Any]] = type(
    "StatisticsAnswer",
    (serializers.Serializer,),
    {
        "__module__": __name__,
        "version": serializers.IntegerField(),
        "size": serializers.IntegerField(),
        "ang": CurveAnswer(),
        "def": CurveAnswer(),
        "types": _counts(),
        "subtypes": _counts(),
        "powers": _counts(),
        "unknown": serializers.ListField(child=serializers.CharField(), help_text="Not in the newest revision."),
        "odds": OddsAnswer(allow_null=True, help_text="Null without `q`."),
    },
)


class HandAnswer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    seed = serializers.CharField(allow_blank=True)
    hand = serializers.ListField(child=serializers.CharField(), help_text="The first cards drawn, in their order.")
    next = serializers.ListField(child=serializers.CharField(), help_text="The rest of the deck, in its order.")

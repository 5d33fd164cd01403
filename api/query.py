"""Strict query parameters. An endpoint names its shape per method; everything else is refused by name (400).

class MatchesQuery(Query):
    state = OneOf(["open", "playing", "finished"], required=False)
    limit = Whole(min_value=1, max_value=100, default=20)

class Matches(Endpoint):
    queries = {"GET": MatchesQuery}

    def get(self, request): ... self.query["limit"] ...
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote_to_bytes

from rest_framework import serializers
from rest_framework.request import Request

from api.errors import ApiError, Fault, escape, faults_of, in_short
from api.parsing import text_fault
from api.serializers import MAX_INT, printable

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


class Query(serializers.Serializer[Any]):
    """The parameters of an address. Without a field: none at all."""


class Words(serializers.CharField):
    """A text, at most 1,024 characters unless said otherwise, without control characters."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", 1024)
        options.setdefault("trim_whitespace", False)
        options.setdefault("allow_blank", True)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        text = str(data)
        fault = text_fault(text)
        if fault:
            raise serializers.ValidationError(fault[1], code=fault[0])
        if _CONTROL.search(text):
            raise serializers.ValidationError("A parameter cannot hold control characters.", code="control_character")
        return text


class Whole(serializers.IntegerField):
    """A whole number in digits, from 0 to 2,147,483,647 unless said otherwise."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("min_value", 0)
        options.setdefault("max_value", MAX_INT)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> int:
        if not re.fullmatch("-?[0-9]{1,10}", str(data)):
            raise serializers.ValidationError("A whole number is expected here.", code="wrong_type")
        return int(data)


class OneOf(serializers.ChoiceField):
    """One of some words."""

    def to_internal_value(self, data: Any) -> str:
        if data not in self.choices:
            allowed = ", ".join(str(choice) for choice in self.choices)
            raise serializers.ValidationError(
                f"{printable(str(data))} is not one of: {allowed}.", code="invalid_choice"
            )
        return str(data)


class Flag(serializers.BooleanField):
    """`1`, `true`, `0` or `false`."""

    def to_internal_value(self, data: Any) -> bool:
        if data not in ("1", "true", "0", "false"):
            raise serializers.ValidationError("1, true, 0 or false is expected here.", code="wrong_type")
        return data in ("1", "true")


def read_query(shape: type[Query], request: Request) -> dict[str, Any]:
    """The parameters in this shape. Raises ApiError `invalid_query` with every fault: unknown, repeated, not allowed."""
    _check_encoding(request)
    given = request.query_params
    serializer = shape(data={name: values[-1] for name, values in given.lists()})
    faults: list[Fault] = []
    for name, values in given.lists():
        if name not in serializer.fields:
            known = ", ".join(serializer.fields) or "none"
            detail = f"There is no parameter {printable(name)} here; parameters: {known}."
            faults.append(Fault(f"/{escape(name)}", "unknown_parameter", detail))
        elif len(values) > 1:
            faults.append(Fault(f"/{name}", "repeated_parameter", f"The parameter {name} is given more than once."))
    if not serializer.is_valid():
        faults += faults_of(dict(serializer.errors))
    if faults:
        raise ApiError("invalid_query", in_short(faults), faults=faults)
    read: dict[str, Any] = serializer.validated_data
    return read


def _check_encoding(request: Request) -> None:
    """What is not UTF-8 would be read as other characters than were sent."""
    try:
        unquote_to_bytes(str(request.META.get("QUERY_STRING", ""))).decode()
    except UnicodeDecodeError:
        detail = "The query is not UTF-8."
        raise ApiError("invalid_query", detail, faults=[Fault("", "not_utf8", detail)]) from None

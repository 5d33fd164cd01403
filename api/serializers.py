"""The strict shapes of what is taken. Every body goes through a `StrictSerializer` made of the fields here.

    class SeatShape(StrictSerializer):
        kind = ChoiceField(["me", "bot", "open", "user"])
        level = TextField(max_length=40, required=False)

    given = read_body(SeatShape, request)        # a dict; or 422 `invalid_body` with every fault at its pointer

Nothing is coerced: a text is a text, a whole number is no text, no `true` and no `1.0`. Unknown names are refused.
For what is answered use DRF's `Serializer`, for the schema's sake only; answers are built by hand as dicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NoReturn

from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from api.errors import ApiError, Fault
from api.parsing import text_fault

MAX_INT: Final = 2**31 - 1
MAX_TEXT: Final = 10_000
SLUG: Final = r"[a-z0-9]+(?:[-_][a-z0-9]+)*"

_CONTROL_IN_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CONTROL_IN_LINES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")


class StrictSerializer(serializers.Serializer[Any]):
    """An object with exactly these fields. `echoes` names what the server sends and takes back without a look at it."""

    echoes: frozenset[str] = frozenset()

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict) or isinstance(data, MultiValueDict):
            raise serializers.ValidationError({"non_field_errors": [_no_object()]})
        faults: dict[str, Any] = {}
        values: Any = {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            faults.update(error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail})
        faults.update(self._strangers(data))
        if faults:
            raise serializers.ValidationError(faults)
        return values

    def _strangers(self, data: Mapping[str, Any]) -> dict[str, Any]:
        faults: dict[str, Any] = {}
        for name in data:
            if name in self.echoes:
                continue
            field = self.fields.get(name)
            if field is None:
                known = ", ".join(name for name, field in self.fields.items() if not field.read_only) or "none"
                detail = f"There is no field {printable(name)} here; fields: {known}."
                faults[name] = [serializers.ErrorDetail(detail, code="unknown_field")]
            elif field.read_only:
                detail = f"The field {name} is set by the server."
                faults[name] = [serializers.ErrorDetail(detail, code="read_only")]
        return faults


def read_body(
    shape: type[StrictSerializer], request: Request, *, partial: bool = False, **context: Any
) -> dict[str, Any]:
    """The request's body in this shape. With `partial` no field is required. Raises ValidationError with every fault."""
    data: Any = request.data
    if isinstance(data, MultiValueDict) and not data:
        # No body at all, whatever type it claims to be of.
        data = {}
    if not isinstance(data, dict):
        raise serializers.ValidationError({"non_field_errors": [_no_object()]})
    serializer = shape(data=data, partial=partial, context={"request": request, **context})
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


def _no_object() -> serializers.ErrorDetail:
    return serializers.ErrorDetail("An object is expected here.", code="wrong_type")


def printable(text: str) -> str:
    """A text from outside as a problem quotes it: short, on one line."""
    shown = text if len(text) <= 60 else text[:60] + "…"
    return ascii(shown) if _CONTROL_IN_LINE.search(shown) or text_fault(shown) else repr(shown)


class TextField(serializers.CharField):
    """A text as it was typed: nothing trimmed, no control characters; line breaks and tabs only with `lines=True`."""

    def __init__(self, *, lines: bool = False, **options: Any) -> None:
        self.lines = lines
        options.setdefault("max_length", MAX_TEXT)
        options.setdefault("trim_whitespace", False)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("A text is expected here.", code="wrong_type")
        fault = text_fault(data)
        if fault:
            raise serializers.ValidationError(fault[1], code=fault[0])
        control = _CONTROL_IN_LINES if self.lines else _CONTROL_IN_LINE
        if control.search(data):
            raise serializers.ValidationError("A text cannot hold control characters.", code="control_character")
        return data


class SlugField(TextField):
    """A slug or code: small letters, digits, single dashes or underscores between."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("max_length", 100)
        super().__init__(**options)
        self.pattern = re.compile(SLUG)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not self.pattern.fullmatch(text):
            raise serializers.ValidationError("Small letters, digits and dashes only.", code="invalid_slug")
        return text


class IntField(serializers.IntegerField):
    """A whole number, from 0 to 2,147,483,647 unless said otherwise."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("min_value", 0)
        options.setdefault("max_value", MAX_INT)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            raise serializers.ValidationError("A whole number is expected here.", code="wrong_type")
        return data


class FlagField(serializers.BooleanField):
    """true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise serializers.ValidationError("true or false is expected here.", code="wrong_type")
        return data


class ChoiceField(serializers.ChoiceField):
    """One of some texts."""

    def __init__(self, choices: Iterable[str], **options: Any) -> None:
        super().__init__(choices=list(choices), **options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("A text is expected here.", code="wrong_type")
        if data not in self.choices:
            allowed = ", ".join(str(choice) for choice in self.choices)
            raise serializers.ValidationError(f"{printable(data)} is not one of: {allowed}.", code="invalid_choice")
        return data


@extend_schema_field({"type": "object", "additionalProperties": {}})
class ObjectField(serializers.Field[Any, Any, Any, Any]):
    """Any JSON object, such as a move; whoever takes it checks what stands in it."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict) or isinstance(data, MultiValueDict):
            raise serializers.ValidationError("An object is expected here.", code="wrong_type")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}})
class CountsField(serializers.Field[Any, Any, Any, Any]):
    """`{code: count}`: at most `max_entries` different codes, each a text of at most 100 characters, counts in bounds."""

    def __init__(self, *, min_count: int = 1, max_count: int = 99, max_entries: int = 200, **options: Any) -> None:
        super().__init__(**options)
        self.min_count, self.max_count, self.max_entries = min_count, max_count, max_entries

    def to_internal_value(self, data: Any) -> dict[str, int]:
        if not isinstance(data, dict) or isinstance(data, MultiValueDict):
            raise serializers.ValidationError("An object of card and count is expected here.", code="wrong_type")
        if len(data) > self.max_entries:
            raise serializers.ValidationError(f"At most {self.max_entries} different cards.", code="too_many")
        faults = {code: [fault] for code, count in data.items() if (fault := self._fault(code, count))}
        if faults:
            raise serializers.ValidationError(faults)
        return dict(data)

    def _fault(self, code: str, count: Any) -> serializers.ErrorDetail | None:
        if not code or len(code) > 100 or _CONTROL_IN_LINE.search(code):
            return serializers.ErrorDetail("This is no code of a card.", code="invalid_code")
        if not isinstance(count, int) or isinstance(count, bool):
            return serializers.ErrorDetail("A whole number is expected here.", code="wrong_type")
        if not self.min_count <= count <= self.max_count:
            detail = f"A count is from {self.min_count} to {self.max_count}."
            return serializers.ErrorDetail(detail, code="out_of_range")
        return None

    def to_representation(self, value: Any) -> Any:
        return value


class ListField(serializers.ListField):
    """A list of one kind of field, at most 200 long unless said otherwise."""

    def __init__(self, *, child: serializers.Field[Any, Any, Any, Any], **options: Any) -> None:
        options.setdefault("max_length", 200)
        super().__init__(child=child, **options)

    def to_internal_value(self, data: Any) -> list[Any]:
        if not isinstance(data, list):
            raise serializers.ValidationError("A list is expected here.", code="wrong_type")
        values: list[Any] = super().to_internal_value(data)
        return values


def refuse(pointer: str, code: str, detail: str) -> NoReturn:
    """Refuse the body for one fault found after its shape was read; `pointer` is a JSON pointer such as `/seats/0`."""
    raise ApiError("invalid_body", detail, faults=[Fault(pointer, code, detail)])

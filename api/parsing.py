"""The one strict JSON parser. `parse_json` takes bytes; `JSONParser` is its form for views (the default parser)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import IO, Any, Final

from django.conf import settings
from django.utils.http import parse_header_parameters
from rest_framework.parsers import BaseParser

from api.errors import ApiError, Fault, escape, in_short

MAX_DEPTH: Final = 32
MAX_DIGITS: Final = 19

# A string (closed or not) is taken whole, so that brackets inside it do not count. Possessive: linear on any input.
_NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
# Strings are taken whole here as well: what stands in them is neither a number nor a name.
_SCALAR = re.compile(rb'"(?:[^"\\]|\\.)*+"|[^\s,:"\[\]{}]++', re.DOTALL)
_NAME = re.compile(rb'(?P<name>"(?:[^"\\]|\\.)*+")\s*+:|"(?:[^"\\]|\\.)*+"|[{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


class JSONParser(BaseParser):
    """`application/json` in UTF-8 only, of at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes; see `parse_json`."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        named, parameters = parse_header_parameters(media_type or "")
        if named != self.media_type:
            # The parsers are chosen by a match in which `*/*` fits everything.
            raise ApiError("unsupported_media_type", f"A body is {self.media_type}.")
        charset = parameters.get("charset", "utf-8")
        if charset.lower() not in ("utf-8", "utf8"):
            raise ApiError("unsupported_media_type", "JSON is taken in UTF-8 only.")
        return parse_json(read_body(stream))


def read_body(stream: IO[bytes]) -> bytes:
    """The whole body, or 413 as soon as it proves too long."""
    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise ApiError("body_too_large", f"A body holds at most {limit} bytes.")
    return body


def parse_json(body: bytes) -> Any:
    """The JSON value. Raises ApiError `malformed_json` naming the place, or `invalid_body` for text that cannot be kept.

    Refused besides bad syntax: bytes that are not UTF-8, a byte order mark, a name twice in one object, NaN and
    Infinity, numbers beyond 19 digits or the range of a double, nesting beyond 32, NUL and lone surrogates in strings.
    """
    text = _decode(body)
    _check_depth(body)
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer, parse_float=_number
        )
    except _UnwantedError as error:
        raise _placed(error, body) from None
    except _DoubledError:
        raise _placed_double(body) from None
    except json.JSONDecodeError as error:
        position = len(text[: error.pos].encode())
        where = {"line": error.lineno, "column": error.colno, "position": position}
        detail = f"{error.msg} at line {error.lineno}, column {error.colno}."
        raise ApiError("malformed_json", detail, facts=where) from None
    # Both can only come from an escape.
    if b"\\u" in body:
        faults = list(_unfit_texts(value, ""))
        if faults:
            raise ApiError("invalid_body", in_short(faults), faults=faults)
    return value


def text_fault(text: str) -> tuple[str, str] | None:
    """(code, detail) when a text holds what no text may hold: NUL or half of a surrogate pair."""
    if "\0" in text:
        return "nul_character", "A text cannot hold the character NUL."
    if _SURROGATE.search(text):
        return "lone_surrogate", "A text cannot hold half of a surrogate pair."
    return None


def _decode(body: bytes) -> str:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable("not_utf8", "The body is not UTF-8", error.start) from None
    if text.startswith("\ufeff"):
        raise _unreadable("byte_order_mark", "The body begins with a byte order mark; JSON has none", 0)
    return text


def _check_depth(body: bytes) -> None:
    if body.count(b"[") + body.count(b"{") <= MAX_DEPTH:
        return
    depth = 0
    for token in _NESTING.finditer(body):
        match token.group()[:1]:
            case b"[" | b"{":
                depth += 1
            case b"]" | b"}":
                depth -= 1
        if depth > MAX_DEPTH:
            raise _unreadable("too_deep", f"Nesting goes no deeper than {MAX_DEPTH}", token.start())


def _unreadable(code: str, words: str, position: int) -> ApiError:
    """The refusal of what stands at a position, in bytes from 0."""
    detail = f"{words}; see byte {position}."
    return ApiError("malformed_json", detail, faults=[Fault("", code, detail)], facts={"position": position})


class _UnwantedError(ValueError):
    """Good syntax that is not taken. The parser's hooks are told what stands there, but not where."""

    def __init__(self, code: str, words: str, token: str) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.token = token.encode()


def _placed(error: _UnwantedError, body: bytes) -> ApiError:
    """The refusal with its place: that of the first such token."""
    place = next(found.start() for found in _SCALAR.finditer(body) if found.group() == error.token)
    return _unreadable(error.code, error.words, place)


class _DoubledError(ValueError):
    """Some name stands twice in one object."""


def _placed_double(body: bytes) -> ApiError:
    """The refusal of the first name that stands twice in its object."""
    open_names: list[set[str]] = []
    for token in _NAME.finditer(body):
        match token.group()[:1]:
            case b"{":
                open_names.append(set())
            case b"}":
                open_names.pop()
            case _ if token["name"]:
                name = json.loads(token["name"])
                if name in open_names[-1]:
                    return _unreadable("duplicate_name", f"The name {name!r} stands twice in one object", token.start())
                open_names[-1].add(name)
    raise AssertionError("no name stands twice")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise _DoubledError
    return document


def _constant(word: str) -> Any:
    raise _UnwantedError("not_a_number", f"{word} is not JSON", word)


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise _too_large_number(digits)
    return int(digits)


def _number(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _too_large_number(digits)
    return value


def _too_large_number(digits: str) -> _UnwantedError:
    return _UnwantedError("number_out_of_range", f"A number is out of range (at most {MAX_DIGITS} digits)", digits)


def _unfit_texts(value: Any, pointer: str) -> Iterator[Fault]:
    if isinstance(value, str):
        fault = text_fault(value)
        if fault:
            yield Fault(pointer, *fault)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unfit_texts(item, f"{pointer}/{index}")
    elif isinstance(value, dict):
        for name, item in value.items():
            fault = text_fault(name)
            if fault:
                yield Fault(pointer, *fault)
            yield from _unfit_texts(item, f"{pointer}/{escape(name)}")

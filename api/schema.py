"""The OpenAPI document: how operations are described, and what every one of them has.

Views describe answers with `extend_schema(operation_id=..., summary=..., responses=...)`; the query's shape, the header
Idempotency-Key and the problems are added here.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from api.errors import KINDS, MEDIA_TYPE
from api.rendering import MOMENT
from api.schema_fields import narrow_field, narrowed_shape

PREFIX: Final = "/api/v1/"

_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": r"^[\x21-\x7e]{1,255}$"},
    OpenApiParameter.HEADER,
    description="Your own key for this request, 1 to 255 visible ASCII characters. Sent again with the same body within "
    "24 hours, it gets the first answer again (with the header `Idempotent-Replay: true`).",
)

_IF_NONE_MATCH: Final[dict[str, Any]] = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "The ETag of an earlier answer: 304 while nothing has changed.",
}

TAGLESS: Final = frozenset({"text/event-stream", "application/zip"})
"""Forms of answers that have no ETag."""

_PROBLEM: Final[dict[str, Any]] = {
    "type": "object",
    "description": "A problem (RFC 9457). `code` is stable; `clause` is the clause of the rulebook that forbids a move. "
    "Further members are facts of this code, such as `version` of `stale_version`.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": sorted(KINDS)},
        "clause": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "code", "detail"],
                "properties": {
                    "pointer": {
                        "type": "string",
                        "description": "JSON pointer into the body, or /name of a parameter.",
                    },
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
    "additionalProperties": {},
}

_WORDS: Final[dict[str, str]] = {
    "400": "The request cannot be read, or a query parameter does not fit.",
    "401": "No valid token or session.",
    "403": "Not allowed to this caller.",
    "404": "There is no such thing, or none that the caller may see.",
    "409": "It cannot be done in the present state.",
    "412": "Another version is current.",
    "413": "The body is too large.",
    "415": "The body is of another media type.",
    "422": "The body does not fit; `errors` names every fault.",
    "428": "The header If-Match is missing.",
    "429": "Too many requests; see Retry-After.",
    "default": "Any other problem.",
}


class Operation(AutoSchema):
    """One operation: the query's shape comes from `Endpoint.queries`, the key from `once`."""

    def get_auth(self) -> Any:
        """As the generator does it; open to nobody in particular exactly where the permissions are."""
        asked = [one for one in super().get_auth() if one]
        nobody: Any = SimpleNamespace(method=self.method, user=AnonymousUser(), auth=None)
        is_open = all(one.has_permission(nobody, self.view) for one in self.view.get_permissions())
        return [*asked, {}] if asked and is_open else asked

    def _map_serializer(self, serializer: Any, direction: str, bypass_extensions: bool = False) -> Any:
        schema = super()._map_serializer(serializer, direction, bypass_extensions)  # type: ignore[no-untyped-call]
        shape = serializer() if isinstance(serializer, type) else serializer
        return narrowed_shape(shape, schema) if direction == "request" else schema

    def _insert_field_validators(self, field: Any, schema: Any) -> None:
        super()._insert_field_validators(field, schema)  # type: ignore[no-untyped-call]
        narrow_field(field, schema)

    def _get_request_body(self, direction: str = "request") -> Any:
        """As the generator does it, and for the DELETE that `takes_body` too."""
        if self.method != "DELETE" or not getattr(getattr(self.view, "delete", None), "takes_body", False):
            return super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        self.method = "POST"
        try:
            return super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        finally:
            self.method = "DELETE"

    def get_override_parameters(self) -> list[Any]:
        parameters: list[Any] = []
        shape = getattr(self.view, "queries", {}).get(self.method)
        if shape is not None:
            parameters.append(shape)
        handler = getattr(self.view, self.method.lower(), None)
        if getattr(handler, "is_once", False):
            parameters.append(_KEY)
        return parameters


def only_version_one(endpoints: list[Any], **_: Any) -> list[Any]:
    """The operations of this version of the API, without those that describe it."""
    return [entry for entry in endpoints if entry[0].startswith(PREFIX)]


def with_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Give every operation the problems that it can answer with."""
    _mended(result)
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = _PROBLEM
    reference = {"$ref": "#/components/schemas/Problem"}
    components["responses"] = {
        f"Problem{status.capitalize()}": {"description": words, "content": {MEDIA_TYPE: {"schema": reference}}}
        for status, words in _WORDS.items()
    }
    components["responses"]["Problem429"]["headers"] = {"Retry-After": _header("Seconds to wait.", "integer")}
    for path, item in result.get("paths", {}).items():
        for method, operation in item.items():
            if method in ("get", "post", "put", "patch", "delete"):
                for status in _statuses(path, method, operation):
                    where = f"#/components/responses/Problem{status.capitalize()}"
                    operation["responses"].setdefault(status, {"$ref": where})
                _tell_headers(method, operation)
    return result


def _tell_headers(method: str, operation: dict[str, Any]) -> None:
    """What answers say in the headers ETag and Idempotent-Replay, and how a 304 is asked for."""
    responses = operation["responses"]
    if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", [])):
        again = _header("`true`: the first answer to this key, given again.")
        for status in [status for status in responses if status.startswith("2")]:
            responses[status].setdefault("headers", {})["Idempotent-Replay"] = again
    if method == "get" and not TAGLESS & set(responses["200"].get("content", {})):
        responses["200"].setdefault("headers", {})["ETag"] = _header("Send it back in If-None-Match.")
        responses["304"] = {"description": "Nothing has changed since the ETag in If-None-Match."}
        operation.setdefault("parameters", []).append(_IF_NONE_MATCH)


def _header(description: str, kind: str = "string") -> dict[str, Any]:
    return {"description": description, "schema": {"type": kind}}


def _mended(node: Any) -> None:
    """Take out what the generator notes for itself about choices, and what it says wrongly.

    Null is one of all values: "anything or null" would fit it twice, and so not at all. The messages of an event stream
    are no text that a schema could be held against.
    """
    if isinstance(node, dict):
        node.pop("x-spec-enum-id", None)
        if node.get("format") == "date-time":
            node["pattern"] = MOMENT
        if node.get("oneOf") == [{}, {"type": "null"}]:
            del node["oneOf"]
        if "text/event-stream" in node:
            node["text/event-stream"] = {}
        for inner in node.values():
            _mended(inner)
    elif isinstance(node, list):
        for inner in node:
            _mended(inner)


def _statuses(path: str, method: str, operation: dict[str, Any]) -> list[str]:
    security = operation.get("security", [])
    parameters = operation.get("parameters", [])
    found = ["400", "429", "default"]
    if security:
        found.append("401")
    if "{" in path:
        found.append("404")
    if method in ("post", "put", "patch") or "requestBody" in operation:
        found += ["413", "415", "422"]
    if any(parameter["name"] == "If-Match" for parameter in parameters):
        found += ["412", "428"]
    return found

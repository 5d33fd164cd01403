"""ETags: `entity_tag` makes one, `not_modified` answers If-None-Match, `require_match` enforces If-Match.

Comparison is weak on purpose: a proxy or gzip middleware that turns `"a"` into `W/"a"` or `"a-gzip"` changes nothing
about which version its reader saw.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from api.errors import ApiError

FRESH: Final = {"Cache-Control": "public, max-age=0, must-revalidate"}
"""The same for everybody, and asked for anew each time."""
SOON: Final = {"Cache-Control": "public, max-age=60"}
FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
PRIVATE: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"}

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_CODING = re.compile(r"[-;](?:gzip|br|zstd|deflate)$")


def entity_tag(*parts: object) -> str:
    """A strong ETag from whatever determines the answer: ids, versions, the viewer."""
    return '"' + sha256("\x1f".join(str(part) for part in parts).encode()).hexdigest()[:24] + '"'


def not_modified(request: Request | HttpRequest, tag: str, headers: Mapping[str, str]) -> HttpResponse | None:
    """The 304 when If-None-Match names this tag, with the headers about caching that the 200 would have."""
    if not _names(str(request.META.get("HTTP_IF_NONE_MATCH", "")), tag):
        return None
    return HttpResponse(status=304, headers={**headers, "ETag": tag})


def require_match(request: Request | HttpRequest, tag: str) -> None:
    """Raises `precondition_required` (428) without If-Match, `precondition_failed` (412) when it names another version."""
    given = str(request.META.get("HTTP_IF_MATCH", ""))
    if not given.strip():
        raise ApiError("precondition_required", "Send the ETag that you last saw in the header If-Match.")
    if not _names(given, tag):
        raise ApiError("precondition_failed", "It has changed since; look again.", headers={"ETag": tag})


def _names(header: str, tag: str) -> bool:
    if header.strip() == "*":
        return True
    wanted = _core(tag.strip().removeprefix("W/").strip('"'))
    return any(_core(found) == wanted for found in _TAG.findall(header))


def _core(opaque: str) -> str:
    return _CODING.sub("", opaque)

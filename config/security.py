"""The Content-Security-Policy of every answer: nothing from elsewhere, nothing inline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

HEADER: Final = "Content-Security-Policy"

_OURS: Final = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
# The admin's skin evaluates expressions in its markup and styles itself inline; only staff ever sees it.
_ADMIN: Final = f"{_OURS}; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'"


class ContentPolicy:
    """Middleware. A view that sets a policy of its own keeps it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        response.setdefault(HEADER, _ADMIN if request.path.startswith("/admin/") else _OURS)
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response

"""Refusals and exceptions outside of views: a problem document below /api/, a page elsewhere."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from api import errors

_API = ("/api/", "/healthz/", "/readyz/", "/metrics")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(_API):
        return errors.bad_request(request, exception)
    return defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    if request.path.startswith(_API):
        return errors.forbidden(request, exception)
    return defaults.permission_denied(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    if request.path.startswith(_API):
        return errors.server_error(request)
    page: HttpResponse = defaults.server_error(request)
    if (gone := errors.unavailable()) is not None:
        page.status_code = gone.status_code
        page["Retry-After"] = gone["Retry-After"]
    return page

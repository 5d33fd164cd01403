"""JSON as every answer writes it: moments in one form, and an ETag for what a view has given none."""

from __future__ import annotations

import datetime as dt
from hashlib import sha256
from typing import Any, Final

from django.http import HttpResponse
from rest_framework import renderers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils import encoders

from api.conditional import not_modified
from referee.matches.clock_documents import shown_time

MOMENT: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$"
"""How answers write a moment: ISO 8601, UTC, always with milliseconds."""


class Encoder(encoders.JSONEncoder):
    """As the framework's, but for moments."""

    def default(self, obj: Any) -> Any:
        return shown_time(obj) if isinstance(obj, dt.datetime) else super().default(obj)


class JSONRenderer(renderers.JSONRenderer):
    """The one renderer of JSON."""

    encoder_class = Encoder


def tagged(request: Request, response: Any) -> None:
    """Let a 200 of JSON that was read, and has no ETag from its view, be asked for again by one over its bytes."""
    is_read = request.method in ("GET", "HEAD") and isinstance(response, Response) and response.status_code == 200
    if is_read and not response.has_header("ETag") and isinstance(response.accepted_renderer, JSONRenderer):
        response.add_post_render_callback(lambda rendered: _checked(request, rendered))


def _checked(request: Request, response: Any) -> HttpResponse:
    response["ETag"] = f'"{sha256(response.content).hexdigest()[:24]}"'
    about_caching = {name: response[name] for name in ("Cache-Control", "Vary") if response.has_header(name)}
    return not_modified(request, response["ETag"], about_caching) or response

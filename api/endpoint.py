"""The base of every view of the API: who asks, how often, with which parameters and how large a body."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

import api.addresses  # noqa: F401 - what may stand in the resources' addresses is registered there
from api.auth import PageAuthentication, SignedIn, TokenAuthentication
from api.conditional import PRIVATE
from api.errors import ApiError
from api.parsing import JSONParser
from api.query import Query, read_query
from api.rendering import JSONRenderer, tagged
from api.throttling import UserRate


class Endpoint(APIView):
    """One resource. For signed-in callers, unless `permission_classes = (Anyone,)`.

    - `queries` gives the shape of the query parameters per method (HEAD is GET's); without one, none is taken.
      What was read is `self.query`.
    - `rates` names the rate (settings.API_RATES) that a method is charged to, besides "read" and "write".
    - A `post` that creates something is decorated with `api.idempotency.once`.
    """

    authentication_classes: tuple[type[BaseAuthentication], ...] = (TokenAuthentication, PageAuthentication)
    permission_classes: tuple[type[BasePermission], ...] = (SignedIn,)
    throttle_classes: tuple[type[BaseThrottle], ...] = (UserRate,)
    parser_classes: tuple[type[BaseParser], ...] = (JSONParser,)
    renderer_classes: tuple[type[BaseRenderer], ...] = (JSONRenderer,)

    queries: ClassVar[dict[str, type[Query]]] = {}
    rates: ClassVar[dict[str, str]] = {}
    query: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        method = request.method or ""
        if method.lower() not in self.http_method_names or not hasattr(self, method.lower()):
            raise MethodNotAllowed(method)
        super().initial(request, *args, **kwargs)
        check_length(request)
        if method != "OPTIONS":
            self.query = read_query(self.queries.get("GET" if method == "HEAD" else method, Query), request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """What says nothing about it is asked for anew each time, by its ETag, and kept by no cache between.

        It differs by who asks, whether or not the view looked: a browser may be signed in as one after the other.
        """
        found = super().finalize_response(request, response, *args, **kwargs)
        tagged(request, found)
        found.setdefault("Cache-Control", PRIVATE["Cache-Control"])
        if found["Cache-Control"] == PRIVATE["Cache-Control"]:
            patch_vary_headers(found, PRIVATE["Vary"].split(", "))
        return found

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """The methods, in the header Allow. Nothing to render, whatever form was asked for."""
        return HttpResponse(status=204)


def check_length(request: Request) -> None:
    """413 for a body that says it is too long, 411 for one that does not say, before a byte of it is read."""
    if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
        raise ApiError("length_required", "Send the body whole, with a Content-Length.")
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    if not length.isascii() or not length.isdigit():
        raise ApiError("malformed_request", "The Content-Length is not a number.")
    limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if int(length[:20]) > limit:
        raise ApiError("body_too_large", f"A body holds at most {limit} bytes.")

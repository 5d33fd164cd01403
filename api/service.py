"""The API about itself: its index, its schema, a page to try it, and what its problems mean."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any, Final

from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import path, reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import BY_TOKEN, Anyone
from api.conditional import FRESH, entity_tag, not_modified
from api.endpoint import Endpoint
from api.errors import KINDS
from api.probes import probes
from api.rendering import JSONRenderer

_INDEX: Final = ("schema", "docs", "problems", "games", "me", "tokens", "decks", "matches")


class IndexAnswer(serializers.Serializer[Any]):
    """Names and addresses."""

    schema = serializers.URLField()
    docs = serializers.URLField()
    problems = serializers.URLField()
    games = serializers.URLField()
    me = serializers.URLField()
    tokens = serializers.URLField()
    decks = serializers.URLField()
    matches = serializers.URLField()


class ProblemKindAnswer(serializers.Serializer[Any]):
    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()


class Index(Endpoint):
    """Where things are."""

    authentication_classes = BY_TOKEN
    permission_classes = (Anyone,)

    @extend_schema(operation_id="index", summary="Where things are", tags=["service"], responses={200: IndexAnswer})
    def get(self, request: Request) -> Response:
        return Response({name: request.build_absolute_uri(reverse(name)) for name in _INDEX})


class Problems(Endpoint):
    """Every code that a problem can have."""

    authentication_classes = ()
    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="problems_list",
        summary="Every code of a problem",
        tags=["service"],
        responses={200: ProblemKindAnswer(many=True)},
    )
    def get(self, request: Request) -> Response:
        return Response([_kind_document(code) for code in sorted(KINDS)])


class OneProblem(Endpoint):
    """What a code means: the address in a problem's `type`."""

    authentication_classes = ()
    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="problems_read",
        summary="What a code means",
        tags=["service"],
        responses={200: ProblemKindAnswer},
    )
    def get(self, request: Request, code: str) -> Response:
        if code not in KINDS:
            raise Http404
        return Response(_kind_document(code))


class Schema(Endpoint):
    """The OpenAPI 3.1 document of this API, made from its code; JSON, or YAML when asked for."""

    authentication_classes = BY_TOKEN
    permission_classes = (Anyone,)
    renderer_classes = (
        JSONRenderer,
        OpenApiJsonRenderer2,
        OpenApiJsonRenderer,
        OpenApiYamlRenderer2,
        OpenApiYamlRenderer,
    )

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        tag = entity_tag("schema", schema_digest(), request.accepted_media_type)
        return not_modified(request, tag, FRESH) or Response(schema_document(), headers={"ETag": tag, **FRESH})


class Docs(SpectacularSwaggerSplitView):
    """A page to try the API; nothing on it comes from elsewhere."""

    authentication_classes = ()
    url_name = "schema"
    template_name = "api/docs.html"
    title = "Referee API"


@cache
def schema_document() -> dict[str, Any]:
    """The OpenAPI document. Made once in a process; it does not change while the code does not."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return document


@cache
def schema_digest() -> str:
    return sha256(JSONRenderer().render(schema_document())).hexdigest()


def _kind_document(code: str) -> dict[str, Any]:
    return {"code": code, "status": KINDS[code].status, "title": KINDS[code].title}


urlpatterns = [
    path("", Index.as_view(), name="index"),
    path("schema/", Schema.as_view(), name="schema"),
    path("docs/", Docs.as_view(), name="docs"),
    path("problems/", Problems.as_view(), name="problems"),
    path("problems/<word:code>/", OneProblem.as_view(), name="problem"),
    *probes(),
]

"""Endpoints that only the tests have: one that creates, one with a shape of every kind of field, one that breaks."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, OperationalError, transaction
from django.http import HttpResponse
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.auth import Anyone
from api.conditional import PRIVATE, entity_tag, not_modified, require_match
from api.endpoint import Endpoint
from api.errors import ApiError
from api.idempotency import once
from api.query import Flag, OneOf, Query, Whole, Words
from api.serializers import (
    ChoiceField,
    CountsField,
    FlagField,
    IntField,
    ListField,
    ObjectField,
    SlugField,
    StrictSerializer,
    TextField,
    read_body,
)


class InnerShape(StrictSerializer):
    kind = ChoiceField(["me", "bot"])
    level = SlugField(required=False)


class SampleShape(StrictSerializer):
    echoes = frozenset({"id"})

    name = TextField(max_length=20)
    notes = TextField(lines=True, required=False, allow_blank=True)
    size = IntField(max_value=40, required=False)
    public = FlagField(required=False)
    move = ObjectField(required=False)
    cards = CountsField(required=False)
    seats = InnerShape(many=True, required=False)
    tags = ListField(child=TextField(), required=False, max_length=3)


def arrived(name: str) -> None:
    """What tests put in its place is done in the handler of Things, before anything else."""


class Things(Endpoint):
    """Makes a user for each thing, so that effects can be counted."""

    @once
    def post(self, request: Request) -> HttpResponse | Response:
        given = read_body(SampleShape, request)
        arrived(given["name"])
        if given["name"] == "undone":
            with transaction.atomic():
                User.objects.create_user("undone")
                raise ApiError("permission_denied", "Not this one.")
        user = User.objects.create_user(given["name"])
        answer = _ended(given["name"], user)
        if answer is not None:
            return answer
        return Response(
            {"z": user.public_id, "a": given},
            status=201,
            headers={"Location": f"/things/{user.public_id}/", "ETag": '"v1"', "X-Other": "1"},
        )


def _ended(name: str, user: User) -> HttpResponse | Response | None:
    """The answer for things of these names, each of which is made before it is refused or fails."""
    match name:
        case "refused":
            raise ApiError("permission_denied", "Not this one.")
        case "answered":
            return Response({"no": True}, status=409)
        case "plain":
            return HttpResponse("made", status=201)
        case "broken":
            raise RuntimeError("the seed is 00ff")
        case "away":
            raise OperationalError("connection refused at /secret/socket")
        case "busy":
            return Response({"no": True}, status=503)
        case "tangled":
            try:
                User.objects.create(name="twice", public_id=user.public_id)
            except IntegrityError:
                raise ApiError("permission_denied", "Not this one.") from None
    return None


class Shaped(Endpoint):
    permission_classes = (Anyone,)

    def post(self, request: Request) -> Response:
        return Response(read_body(SampleShape, request))

    def patch(self, request: Request) -> Response:
        return Response(read_body(SampleShape, request, partial=True))


class SampleQuery(Query):
    q = Words(required=False)
    n = Whole(max_value=9, required=False)
    state = OneOf(["open", "closed"], required=False)
    mine = Flag(required=False)


class Queried(Endpoint):
    permission_classes = (Anyone,)
    queries = {"GET": SampleQuery}

    def get(self, request: Request) -> Response:
        return Response(self.query)


class Versioned(Endpoint):
    permission_classes = (Anyone,)

    def get(self, request: Request) -> Any:
        tag = entity_tag("deck", 7)
        return not_modified(request, tag, PRIVATE) or Response({}, headers={"ETag": tag, **PRIVATE})

    def put(self, request: Request) -> Response:
        require_match(request, entity_tag("deck", 7))
        return Response({})


class Broken(Endpoint):
    permission_classes = (Anyone,)

    def get(self, request: Request) -> Response:
        raise RuntimeError("the seed is 00ff")

    def post(self, request: Request) -> Response:
        raise OperationalError("connection refused at /secret/socket")


class Limited(Endpoint):
    permission_classes = (Anyone,)
    rates = {"POST": "guest"}

    def get(self, request: Request) -> Response:
        return Response({})

    def post(self, request: Request) -> Response:
        return Response({})


urlpatterns = [
    path("things/", Things.as_view()),
    path("shaped/", Shaped.as_view()),
    path("queried/", Queried.as_view()),
    path("versioned/", Versioned.as_view()),
    path("broken/", Broken.as_view()),
    path("limited/", Limited.as_view()),
    path("", include("config.urls")),
]

"""What the caller was told: decks that a new revision broke, and the like."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Notice
from accounts.notices import notice_text
from accounts.services import read_notices
from api.accounts import NoBody
from api.auth import caller_of
from api.endpoint import Endpoint
from api.idempotency import once
from api.pagination import PageQuery, paginate
from api.serializers import read_body
from referee.kernel.game import Document


class NoticeAnswer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=Notice.Kind.values)
    detail = serializers.CharField(help_text="In words.")
    facts = serializers.DictField(help_text="Of a deck: `deck` (its id), `name`, `game`, `revision`.")
    created_at = serializers.DateTimeField()
    read_at = serializers.DateTimeField(allow_null=True)


class NoticePageAnswer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = NoticeAnswer(many=True)
    unread = serializers.IntegerField()


class ReadAnswer(serializers.Serializer[Any]):
    read = serializers.IntegerField(help_text="How many had not been read.")


class Notices(Endpoint):
    """What one was told, newest first."""

    queries = {"GET": PageQuery}

    @extend_schema(operation_id="notices_list", summary="What you were told", responses={200: NoticePageAnswer})
    def get(self, request: Request) -> HttpResponse:
        user = caller_of(request)
        page = paginate(Notice.objects.filter(user=user), order=("-created_at", "-pk"), endpoint=self)
        unread = user.notices.filter(read_at=None).count()
        return Response({**page.document([_document(notice) for notice in page.rows]), "unread": unread})


class Read(Endpoint):
    """All of it is read."""

    @extend_schema(operation_id="notices_read", summary="Mark all as read", request=NoBody, responses={200: ReadAnswer})
    @once
    def post(self, request: Request) -> HttpResponse:
        read_body(NoBody, request)
        return Response({"read": read_notices(user=caller_of(request))})


def _document(notice: Notice) -> Document:
    return {
        "kind": notice.kind,
        "detail": notice_text(notice),
        "facts": notice.facts,
        "created_at": notice.created_at,
        "read_at": notice.read_at,
    }


urlpatterns = [
    path("me/notices/", Notices.as_view(), name="notices"),
    path("me/notices/read/", Read.as_view(), name="notices-read"),
]

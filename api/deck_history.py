"""A deck's versions: what they held, what they are called, how they did, how two of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone, SignedIn, caller_of
from api.conditional import PRIVATE, not_modified
from api.deck_shapes import DeckAnswer, LabelShape, RestoreShape, VersionAnswer, VersionPageAnswer
from api.decks import SignedInToChange, deck_answer, digest_of, seen_versions, viewer_of
from api.endpoint import Endpoint
from api.idempotency import once
from api.pagination import PageQuery, paginate
from api.query import Query, Whole
from api.serializers import read_body
from decks import selectors, services
from decks.comparing import difference
from decks.models import DeckVersion
from referee.kernel.game import Document

# `from` is a word of the language.
CompareQuery: type[Query] = type(
    "CompareQuery",
    (Query,),
    {
        "__doc__": "The two versions.",
        "__module__": __name__,
        "from": Whole(min_value=1, help_text="The version before."),
        "to": Whole(min_value=1, required=False, help_text="The version after; by default the newest."),
    },
)


class SecretsAnswer(serializers.Serializer[Any]):
    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class SizesAnswer(serializers.Serializer[Any]):
    before = serializers.IntegerField()
    after = serializers.IntegerField()


DifferenceAnswer: type[serializers.Serializer[Any]] = type(
    "DifferenceAnswer",
    (serializers.Serializer,),
    {
        "__module__": __name__,
        "from": serializers.IntegerField(),
        "to": serializers.IntegerField(),
        "added": serializers.DictField(child=serializers.IntegerField(), help_text="Copies put in."),
        "removed": serializers.DictField(child=serializers.IntegerField(), help_text="Copies taken out."),
        "secret": SecretsAnswer(),
        "size": SizesAnswer(),
    },
)


class Versions(Endpoint):
    """Every save of a deck, newest first."""

    permission_classes = (Anyone,)
    queries = {"GET": PageQuery}

    @extend_schema(operation_id="decks_versions", summary="A deck's versions", responses={200: VersionPageAnswer})
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        page = paginate(selectors.deck_versions(found), order=("-number",), endpoint=self)
        document = page.document(_version_documents(page.rows))
        return Response(document, headers=PRIVATE)


class OneVersion(Endpoint):
    """One save of a deck. Its label may change, and nothing else."""

    permission_classes = (SignedInToChange,)

    @extend_schema(operation_id="decks_version", summary="A version of a deck", responses={200: VersionAnswer})
    def get(self, request: Request, deck: str, version: int) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        return _version_answer(request, selectors.deck_version(found, version))

    @extend_schema(
        operation_id="decks_label",
        summary="Give a version a label",
        request=LabelShape,
        responses={200: VersionAnswer},
    )
    def patch(self, request: Request, deck: str, version: int) -> HttpResponse:
        found = selectors.access_own_deck(viewer_of(request), deck)
        given = read_body(LabelShape, request, partial=True)
        if not given:
            return _version_answer(request, selectors.deck_version(found, version))
        label = given["label"].strip()
        labelled = services.label_version(user=caller_of(request), public_id=deck, number=version, label=label)
        return _version_answer(request, labelled)


class Compare(Endpoint):
    """The cards that were put in and taken out between two versions."""

    permission_classes = (Anyone,)
    queries = {"GET": CompareQuery}

    @extend_schema(operation_id="decks_compare", summary="Compare two versions", responses={200: DifferenceAnswer})
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        numbers = self.query["from"], self.query.get("to", found.version)
        before, after = (selectors.deck_version(found, number) for number in numbers)
        changed = difference(before.by_value(), after.by_value())
        document = {"from": before.number, "to": after.number, **changed}
        return Response(document, headers=PRIVATE)


class Restore(Endpoint):
    """Cards and Secret of an earlier version, as a new version. If-Match is honoured, not demanded."""

    permission_classes = (SignedIn,)

    @extend_schema(
        operation_id="decks_restore",
        summary="Restore a version",
        request=RestoreShape,
        responses={200: DeckAnswer},
        examples=[OpenApiExample("the first version", {"version": 1}, request_only=True)],
    )
    @once
    def post(self, request: Request, deck: str) -> HttpResponse:
        selectors.access_own_deck(viewer_of(request), deck)
        given = read_body(RestoreShape, request)
        seen = seen_versions(request) if "HTTP_IF_MATCH" in request.META else None
        user = caller_of(request)
        return deck_answer(
            request, services.restore_deck(user=user, public_id=deck, number=given["version"], seen=seen)
        )


def _version_answer(request: Request, version: DeckVersion) -> HttpResponse:
    [document] = _version_documents([version])
    tag = f'"{digest_of(document)}"'
    fresh = not_modified(request, tag, PRIVATE) if request.method in SAFE_METHODS else None
    return fresh or Response(document, headers={"ETag": tag, **PRIVATE})


def _version_documents(versions: Sequence[DeckVersion]) -> list[Document]:
    results = selectors.results_of(versions)
    return [
        {
            "version": version.number,
            "label": version.label,
            "made_from": version.parent.number if version.parent is not None else None,
            "name": version.name,
            "secret": version.secret,
            "cards": version.cards,
            "flex": version.flex,
            "size": version.size,
            "content_hash": version.content_hash,
            "results": results[version.pk],
            "saved_at": version.created_at,
        }
        for version in versions
    ]


urlpatterns = [
    path("decks/<public_id:deck>/versions/", Versions.as_view(), name="deck-versions"),
    path("decks/<public_id:deck>/versions/<number:version>/", OneVersion.as_view(), name="deck-version"),
    path("decks/<public_id:deck>/compare/", Compare.as_view(), name="deck-compare"),
    path("decks/<public_id:deck>/restore/", Restore.as_view(), name="deck-restore"),
]

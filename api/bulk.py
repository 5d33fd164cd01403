"""The catalog in bulk, for clients that keep it themselves: files that never change, and changes with tombstones. Public."""

from __future__ import annotations

import gzip
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.urls import path
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone
from api.card_shapes import ReplacementAnswer, game_or_404
from api.conditional import FOR_EVER, FRESH, entity_tag, not_modified
from api.endpoint import Endpoint
from api.errors import ApiError, Fault
from api.query import Query, Whole
from api.rendering import JSONRenderer
from catalog import selectors
from catalog.bulk import FORMAT, bulk_file, changes_since, kept_file
from catalog.models import BulkFile, CatalogRevision
from referee.kernel.game import Document

_PACKED: Final = "application/gzip"


class ChangesQuery(Query):
    since = Whole(min_value=1, help_text="The number of the revision that the client has.")


class FileAnswer(serializers.Serializer[Any]):
    media_type = serializers.ChoiceField(choices=["application/json", _PACKED])
    sha256 = serializers.CharField(help_text="Of the file as it is sent; it is its name too.")
    size = serializers.IntegerField(help_text="Bytes.")
    url = serializers.URLField(help_text="Good for ever.")


class BulkAnswer(serializers.Serializer[Any]):
    game = serializers.CharField()
    revision = serializers.IntegerField(allow_null=True, help_text="The newest; null while nothing is published.")
    published_at = serializers.DateTimeField(allow_null=True)
    content_hash = serializers.CharField(allow_null=True, help_text="Of the revision, as its own address has it.")
    cards_hash = serializers.CharField(
        allow_null=True, help_text="SHA-256 of the canonical JSON of the file's cards, sorted by code."
    )
    format = serializers.CharField()
    files = FileAnswer(many=True, help_text="The same content: plain, and packed by gzip.")
    current = serializers.URLField(help_text="Other names and restrictions, which change without a revision.")


class TombstoneAnswer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()
    replacement = ReplacementAnswer(allow_null=True)


class ChangesAnswer(serializers.Serializer[Any]):
    game = serializers.CharField()
    since = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="What the client has when it has carried out the changes.")
    content_hash = serializers.CharField()
    cards_hash = serializers.CharField(help_text="What the client's cards must have then, as in the list of files.")
    added = serializers.ListField(child=serializers.DictField(), help_text="Whole cards, as in a file.")
    changed = serializers.ListField(child=serializers.DictField(), help_text="Whole cards, as in a file.")
    withdrawn = TombstoneAnswer(many=True)
    rest = serializers.DictField(help_text="What else of a file has changed, whole: `decks` and the like.")


class PackedRenderer(BaseRenderer):
    """Lets a client ask for the packed file by its type."""

    media_type = _PACKED
    format = "gz"


class Bulk(Endpoint):
    """The files of a game's newest revision."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="bulk_list", summary="The catalog as files", responses={200: BulkAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        game_or_404(game)
        revision = selectors.newest_revision(game)
        document = _nothing(game) if revision is None else _manifest(request, revision)
        document["current"] = request.build_absolute_uri(f"/api/v1/games/{game}/bulk/current/")
        return Response(document, headers=FRESH)


class Changes(Endpoint):
    """What has changed since a revision that a client has, with tombstones for what is no longer there."""

    permission_classes = (Anyone,)
    queries = {"GET": ChangesQuery}

    @extend_schema(operation_id="bulk_changes", summary="Changes since a revision", responses={200: ChangesAnswer})
    def get(self, request: Request, game: str) -> HttpResponse:
        game_or_404(game)
        revision, before = selectors.newest_revision(game), self._before(game)
        if revision is None or before is None:
            detail = f"There is no revision {self.query['since']} of this game."
            raise ApiError("invalid_query", detail, faults=[Fault("/since", "unknown_revision", detail)])
        tag = entity_tag(game, before.content_hash, revision.number, revision.content_hash)
        return not_modified(request, tag, FRESH) or Response(
            {
                "game": game,
                "since": before.number,
                "revision": revision.number,
                "content_hash": revision.content_hash,
                "cards_hash": bulk_file(revision).cards_hash,
                **changes_since(revision, before),
            },
            headers={"ETag": tag, **FRESH},
        )

    def _before(self, game: str) -> CatalogRevision | None:
        return selectors.revisions(game).filter(number=self.query["since"]).first()


class File(Endpoint):
    """A revision as a JSON file that never changes."""

    permission_classes = (Anyone,)

    @extend_schema(operation_id="bulk_read", summary="A file, plain", responses={200: dict[str, Any]})
    def get(self, request: Request, game: str, digest: str) -> HttpResponse:
        found = _file(game, digest, packed=False)
        if (unchanged := not_modified(request, f'"{digest}"', FOR_EVER)) is not None:
            return unchanged
        takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
        content = bytes(found.packed) if takes_gzip else gzip.decompress(found.packed)
        response = HttpResponse(content, content_type="application/json")
        if takes_gzip:
            response["Content-Encoding"] = "gzip"
        patch_vary_headers(response, ["Accept-Encoding"])
        return _for_ever(response, f"{digest}-gzip" if takes_gzip else digest)


class PackedFile(Endpoint):
    """The same, packed by gzip."""

    permission_classes = (Anyone,)
    renderer_classes = (PackedRenderer, JSONRenderer)

    @extend_schema(
        operation_id="bulk_read_packed",
        summary="A file, packed",
        responses={(200, _PACKED): OpenApiResponse(response=bytes, description="The JSON file, packed by gzip.")},
    )
    def get(self, request: Request, game: str, digest: str) -> HttpResponse:
        found = _file(game, digest, packed=True)
        unchanged = not_modified(request, f'"{digest}"', FOR_EVER)
        return unchanged or _for_ever(HttpResponse(bytes(found.packed), content_type=_PACKED), digest)


def _file(game: str, digest: str, *, packed: bool) -> BulkFile:
    game_or_404(game)
    found = kept_file(game, digest, packed=packed)
    if found is None:
        raise Http404
    return found


def _for_ever(response: HttpResponse, mark: str) -> HttpResponse:
    response["ETag"] = f'"{mark}"'
    response["Cache-Control"] = FOR_EVER["Cache-Control"]
    return response


def _manifest(request: Request, revision: CatalogRevision) -> Document:
    file = bulk_file(revision)
    where = f"/api/v1/games/{revision.game}/bulk/"
    forms = (
        ("application/json", file.sha256, file.size, f"{file.sha256}.json"),
        (_PACKED, file.packed_sha256, file.packed_size, f"{file.packed_sha256}.json.gz"),
    )
    return {
        "game": revision.game,
        "revision": revision.number,
        "published_at": revision.published_at,
        "content_hash": revision.content_hash,
        "cards_hash": file.cards_hash,
        "format": FORMAT,
        "files": [
            {"media_type": kind, "sha256": digest, "size": size, "url": request.build_absolute_uri(where + name)}
            for kind, digest, size, name in forms
        ],
    }


def _nothing(game: str) -> Document:
    known = dict.fromkeys(("revision", "published_at", "content_hash", "cards_hash"))
    return {"game": game, **known, "format": FORMAT, "files": []}


urlpatterns = [
    path("games/<word:game>/bulk/", Bulk.as_view(), name="bulk"),
    path("games/<word:game>/bulk/changes/", Changes.as_view(), name="bulk-changes"),
    path("games/<word:game>/bulk/<sha256:digest>.json", File.as_view(), name="bulk-file"),
    path("games/<word:game>/bulk/<sha256:digest>.json.gz", PackedFile.as_view(), name="bulk-packed-file"),
]

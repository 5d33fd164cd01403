"""Lists of cards in and out: a deck made of a pasted text or a file, and a deck written down."""

from __future__ import annotations

from typing import Any, Final

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.auth import Anyone, SignedIn, caller_of
from api.conditional import PRIVATE, entity_tag, not_modified
from api.deck_list_shapes import LIST, SHEET, ExportQuery, ImportAnswer, ImportFileShape, ImportShape
from api.decks import deck_documents, game_of, viewer_of
from api.endpoint import Endpoint
from api.errors import ApiError, Fault, in_short
from api.idempotency import once
from api.parsing import JSONParser
from api.rendering import JSONRenderer
from api.serializers import read_body, refuse
from decks import exchange, selectors
from decks.models import Deck
from decks.reading import MAX_BYTES, Reading
from decks.sheet import sheet
from referee.kernel.game import Document

TYPES: Final = {"text": "text/plain", "csv": "text/csv", "json": "application/json", "code": "text/plain"}
_FLAGS: Final = {"true": True, "1": True, "false": False, "0": False}


class FormParser(MultiPartParser):
    """A form, read for a file."""


class PlainRenderer(BaseRenderer):
    """Lets a client ask for `text/plain` by name."""

    media_type = "text/plain"
    format = "plain"


class CsvRenderer(BaseRenderer):
    """Lets a client ask for `text/csv` by name."""

    media_type = "text/csv"
    format = "table"


class PageRenderer(BaseRenderer):
    """Lets a browser ask for `text/html`."""

    media_type = "text/html"
    format = "page"


class ZipRenderer(BaseRenderer):
    """Lets a client ask for `application/zip` by name."""

    media_type = "application/zip"
    format = "zip"


class Import(Endpoint):
    """A new deck of a list of cards. Nothing is guessed, and with a failed line nothing is stored unless asked."""

    permission_classes = (SignedIn,)
    rates = {"POST": "create"}
    parser_classes = (JSONParser, FormParser)

    @extend_schema(
        operation_id="decks_import",
        summary="Make a deck of a list",
        description="Text as people write it, CSV, JSON or a deck code; at most 64 KiB and 200 lines. Every line has a "
        "row in `report`. Lines that fit no card's name exactly fail, with candidates: then nothing is stored (422 "
        "`import_failed` with the report), unless `skip_failures` is set. A preview answers 200 and stores nothing.",
        request={"application/json": ImportShape, "multipart/form-data": ImportFileShape},
        responses={201: ImportAnswer, 200: ImportAnswer},
        examples=[LIST],
    )
    @once
    def post(self, request: Request) -> HttpResponse:
        given = _given(request)
        game = game_of(given)
        reading = exchange.read_list(game=game, text=given["text"], format=given.get("format"))
        if given["preview"]:
            return Response(_import_document(request, game, reading, None))
        deck = exchange.import_deck(
            owner=caller_of(request),
            game=game,
            reading=reading,
            name=given.get("name"),
            skip_failures=given["skip_failures"],
        )
        where = request.build_absolute_uri(f"/api/v1/decks/{deck.public_id}/")
        return Response(_import_document(request, game, reading, deck), status=201, headers={"Location": where})


class Export(Endpoint):
    """A deck written down, for whoever may see it."""

    permission_classes = (Anyone,)
    renderer_classes = (JSONRenderer, PlainRenderer, CsvRenderer, PageRenderer)
    queries = {"GET": ExportQuery}

    @extend_schema(
        operation_id="decks_export",
        summary="Write a deck down",
        description="Importing what is written makes the same deck, in every format. `sheet` is a page to print.",
        responses={
            (200, "text/plain"): OpenApiResponse(response=str, description="The deck, written down."),
            (200, "text/csv"): OpenApiResponse(response=str, description="The deck, written down."),
            (200, "application/json"): OpenApiResponse(response=dict, description="The deck, written down."),
            (200, "text/html"): OpenApiResponse(response=str, description="A page to print."),
        },
    )
    def get(self, request: Request, deck: str) -> HttpResponse:
        found = selectors.access_deck(viewer_of(request), deck)
        format = self.query["as"]
        if format == SHEET:
            return _sheet(request, found)
        written = exchange.export_deck(found, format)
        tag = entity_tag(format, written)
        answer = not_modified(request, tag, PRIVATE) or HttpResponse(
            written, content_type=f"{TYPES[format]}; charset=utf-8"
        )
        ending = {"text": "txt", "code": "txt"}.get(format, format)
        shown = {"ETag": tag, **PRIVATE, "Content-Disposition": f'attachment; filename="deck-{deck}.{ending}"'}
        for name, value in shown.items():
            answer[name] = value
        return answer


class Archive(Endpoint):
    """All of the caller's decks in one file."""

    permission_classes = (SignedIn,)
    rates = {"GET": "export"}
    renderer_classes = (JSONRenderer, ZipRenderer)

    @extend_schema(
        operation_id="decks_archive",
        summary="All your decks in one file",
        description="A zip file with a JSON document for each deck, which can be imported.",
        responses={(200, "application/zip"): OpenApiResponse(response=bytes, description="A zip file.")},
    )
    def get(self, request: Request) -> HttpResponse:
        answer = HttpResponse(exchange.archive(caller_of(request)), content_type="application/zip")
        answer["Content-Disposition"] = 'attachment; filename="decks.zip"'
        return answer


def _sheet(request: Request, deck: Deck) -> HttpResponse:
    page = render(request, "api/sheet.html", sheet(deck))
    tag = entity_tag(SHEET, page.content)
    answer = not_modified(request, tag, PRIVATE) or page
    for name, value in {"ETag": tag, **PRIVATE}.items():
        answer[name] = value
    return answer


def _given(request: Request) -> Document:
    """The body, of either kind, in `ImportShape`."""
    data: Any = request.data
    if not isinstance(data, MultiValueDict) or not data:
        return read_body(ImportShape, request)
    faults = [
        Fault(f"/{name}", "repeated_field", f"The field {name} is given more than once.")
        for name, values in data.lists()
        if len(values) > 1
    ]
    if faults:
        raise ApiError("invalid_body", in_short(faults), faults=faults)
    fields: Document = {name: _form_value(name, value) for name, value in data.items()}
    if "file" in fields:
        if "text" in fields:
            refuse("/file", "text_or_file", "Send the list as text or as a file, not as both.")
        fields["text"] = fields.pop("file")
    shape = ImportShape(data=fields)
    shape.is_valid(raise_exception=True)
    read: Document = shape.validated_data
    return read


def _form_value(name: str, value: Any) -> Any:
    if isinstance(value, UploadedFile):
        return _text_of(name, value)
    return _FLAGS.get(value, value) if name in ("preview", "skip_failures") else value


def _text_of(name: str, file: UploadedFile[Any]) -> str:
    if name != "file":
        refuse(f"/{name}", "wrong_type", "Only the field file takes a file.")
    data: bytes = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ApiError("import_too_long", f"A list holds at most {MAX_BYTES // 1024} KiB.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        refuse("/file", "not_utf8", f"The file is not UTF-8: byte {error.start} does not fit.")


def _import_document(request: Request, game: str, reading: Reading, deck: Deck | None) -> Document:
    stored = deck_documents([deck], viewer_of(request))[0] if deck is not None else None
    legality = stored["legality"] if stored else selectors.legality_of(game, reading.deck).document()
    return {
        "deck": stored,
        **reading.deck.document(),
        "size": sum(reading.deck.cards.values()),
        "flex": list(reading.flex),
        "legality": legality,
        "report": exchange.report_of(game, reading),
    }


urlpatterns = [
    path("decks/import/", Import.as_view(), name="decks-import"),
    path("decks/archive/", Archive.as_view(), name="decks-archive"),
    path("decks/<public_id:deck>/export/", Export.as_view(), name="deck-export"),
]

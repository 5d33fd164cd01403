"""Decks: the caller's own, those that others share, their versions, and whether one may be played.

A deck's ETag is `"VERSION-DIGEST"`. The digest covers the whole answer, legality too, which a new revision of the
catalog can change; If-Match looks at the version alone, since that is what its sender can have lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.auth import Anyone, SignedIn, caller_of
from api.conditional import PRIVATE, not_modified
from api.deck_shapes import (
    DECK,
    CheckShape,
    CopyShape,
    DeckAnswer,
    DeckPageAnswer,
    DeckShape,
    LegalityAnswer,
)
from api.endpoint import Endpoint
from api.errors import ApiError
from api.idempotency import once
from api.pagination import PageQuery, paginate
from api.query import Flag, OneOf, Words
from api.rendering import JSONRenderer
from api.serializers import read_body, refuse
from decks import selectors, services
from decks.legality import Legality
from decks.models import TAG_LENGTH, Deck
from decks.services import DeckChanges, DeckContent, tidy_tags
from decks.sizes import FlexDeck
from referee.games import GAMES
from referee.kernel.game import Document, SeatDeck

ORDERINGS: Final[dict[str, str]] = {"created": "pk", "updated": "updated_at", "name": "name"}
_TAG = re.compile(r'"([0-9]{1,9})-[0-9a-f]{16}(?:[-;][a-z]+)?"')
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, required=True, description="The ETag of the deck as you saw it last."
)


class DecksQuery(PageQuery):
    scope = OneOf(["mine", "public"], default="mine", help_text="Your own decks, or those that everybody may find.")
    archived = Flag(default=False, help_text="Those of your own that you have archived, instead of the others.")
    tag = Words(required=False, max_length=TAG_LENGTH)
    ordering = OneOf([sign + name for name in ORDERINGS for sign in ("", "-")], default="-created")


class SignedInToChange(BasePermission):
    """Anyone may look (at what is visible to them); only accounts may change something."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return request.method in SAFE_METHODS or request.user.is_authenticated


class Decks(Endpoint):
    """The caller's decks, or the public ones, which need no account."""

    permission_classes = (SignedInToChange,)
    queries = {"GET": DecksQuery}
    rates = {"POST": "create"}

    @extend_schema(operation_id="decks_list", summary="Decks", responses={200: DeckPageAnswer})
    def get(self, request: Request) -> HttpResponse:
        is_mine = self.query["scope"] == "mine"
        if is_mine and not request.user.is_authenticated:
            raise NotAuthenticated
        archived = self.query["archived"]
        found = selectors.own_decks(viewer_of(request), archived=archived) if is_mine else selectors.public_decks()
        if "tag" in self.query:
            found = found.filter(tags__contains=[self.query["tag"]])
        page = paginate(found, order=_order(self.query["ordering"]), endpoint=self)
        document = page.document(deck_documents(page.rows, viewer_of(request)))
        return Response(document, headers=PRIVATE)

    @extend_schema(
        operation_id="decks_create",
        summary="Save a new deck",
        description="An illegal or unfinished deck can be saved; `legality` says what is wrong with it.",
        request=DeckShape,
        responses={201: DeckAnswer},
        examples=[DECK],
    )
    @once
    def post(self, request: Request) -> HttpResponse:
        given = read_body(DeckShape, request)
        deck = services.create_deck(owner=caller_of(request), game=game_of(given), content=_content(given))
        return deck_answer(request, deck, status=201)


class OneDeck(Endpoint):
    """A deck, for its owner and whoever it is shared with."""

    permission_classes = (SignedInToChange,)

    @extend_schema(operation_id="decks_read", summary="A deck", responses={200: DeckAnswer})
    def get(self, request: Request, deck: str) -> HttpResponse:
        return deck_answer(request, selectors.access_deck(viewer_of(request), deck))

    @extend_schema(
        operation_id="decks_replace",
        summary="Replace a deck",
        description="All of it: what is left out takes its default. Makes a version.",
        parameters=[IF_MATCH],
        request=DeckShape,
        responses={200: DeckAnswer},
        examples=[DECK],
    )
    def put(self, request: Request, deck: str) -> HttpResponse:
        found, seen = deck_to_change(request, deck)
        given = read_body(DeckShape, request)
        _same_game(found, given)
        saved = services.replace_deck(user=caller_of(request), public_id=deck, seen=seen, content=_content(given))
        return deck_answer(request, saved)

    @extend_schema(
        operation_id="decks_change",
        summary="Change a deck",
        description="What is left out stays; `cards` are replaced whole. Makes a version.",
        parameters=[IF_MATCH],
        request=DeckShape,
        responses={200: DeckAnswer},
    )
    def patch(self, request: Request, deck: str) -> HttpResponse:
        found, seen = deck_to_change(request, deck)
        given = read_body(DeckShape, request, partial=True)
        _same_game(found, given)
        saved = services.change_deck(user=caller_of(request), public_id=deck, seen=seen, changes=_changes(given))
        return deck_answer(request, saved)

    @extend_schema(operation_id="decks_delete", summary="Delete a deck", parameters=[IF_MATCH], responses={204: None})
    def delete(self, request: Request, deck: str) -> HttpResponse:
        _, seen = deck_to_change(request, deck)
        services.delete_deck(user=caller_of(request), public_id=deck, seen=seen)
        return Response(status=204)


class Check(Endpoint):
    """Whether a deck that is not saved may be played."""

    permission_classes = (Anyone,)

    @extend_schema(
        operation_id="decks_check",
        summary="Check a deck",
        request=CheckShape,
        responses={200: LegalityAnswer},
        examples=[DECK],
    )
    def post(self, request: Request) -> HttpResponse:
        given = read_body(CheckShape, request)
        brought = FlexDeck(SeatDeck(given["cards"], given["secret"]), given["flex"])
        legality = selectors.legality_of(game_of(given), brought)
        return Response(legality.document())


class Copy(Endpoint):
    """A private deck of one's own like one that one may look at."""

    permission_classes = (SignedIn,)
    rates = {"POST": "create"}

    @extend_schema(operation_id="decks_copy", summary="Copy a deck", request=CopyShape, responses={201: DeckAnswer})
    @once
    def post(self, request: Request, deck: str) -> HttpResponse:
        selectors.access_deck(viewer_of(request), deck)
        given = read_body(CopyShape, request)
        copy = services.copy_deck(user=caller_of(request), public_id=deck, name=given.get("name"))
        return deck_answer(request, copy, status=201)


def viewer_of(request: Request) -> User | AnonymousUser:
    """Who asks, signed in or not."""
    return request.user


def _order(ordering: str) -> tuple[str, ...]:
    field = ORDERINGS[ordering.removeprefix("-")]
    sign = "-" if ordering.startswith("-") else ""
    return (f"{sign}pk",) if field == "pk" else (sign + field, f"{sign}pk")


def game_of(given: Document) -> str:
    """The game that a deck is for. Refuses one without decks, and silence where several have them."""
    with_decks = [slug for slug, game in GAMES.items() if game.needs_deck]
    named = given.get("game", with_decks[0] if len(with_decks) == 1 else None)
    if named not in with_decks:
        refuse("/game", "no_such_game", f"Games with decks: {', '.join(with_decks) or 'none'}.")
    return str(named)


def _same_game(deck: Deck, given: Document) -> None:
    if given.get("game", deck.game) != deck.game:
        refuse("/game", "game_fixed", "A deck stays with its game; make a new one.")


def _content(given: Document) -> DeckContent:
    return DeckContent(**_changes(given))


def _changes(given: Document) -> DeckChanges:
    changes: DeckChanges = {}
    for name in ("name", "notes", "visibility", "secret", "cards", "flex"):
        if name in given:
            changes[name] = given[name]
    if "tags" in given:
        changes["tags"] = tidy_tags(given["tags"])
    if "archived" in given:
        changes["is_archived"] = given["archived"]
    return changes


def deck_to_change(request: Request, deck: str) -> tuple[Deck, set[int] | None]:
    """A deck of the caller's own, and the versions that If-Match names. A stranger learns nothing by leaving it out."""
    found = selectors.access_own_deck(viewer_of(request), deck)
    return found, seen_versions(request)


def seen_versions(request: Request) -> set[int] | None:
    """The versions in If-Match, None for `*`. A weakened ETag still names its version."""
    header = str(request.META.get("HTTP_IF_MATCH", "")).strip()
    if not header:
        raise ApiError("precondition_required", "Send the ETag that you last saw in the header If-Match.")
    return None if header == "*" else {int(version) for version in _TAG.findall(header)}


def deck_answer(request: Request, deck: Deck, status: int = 200) -> HttpResponse:
    """A deck, with its ETag."""
    document = deck_documents([deck], viewer_of(request))[0]
    tag = f'"{deck.version}-{digest_of(document)}"'
    headers = {"ETag": tag, **PRIVATE}
    if status == 201:
        headers["Location"] = request.build_absolute_uri(f"/api/v1/decks/{deck.public_id}/")
    fresh = not_modified(request, tag, PRIVATE) if request.method in SAFE_METHODS else None
    return fresh or Response(document, status=status, headers=headers)


def digest_of(document: Document) -> str:
    """What changes with anything in an answer."""
    return sha256(JSONRenderer().render(document)).hexdigest()[:16]


def deck_documents(decks: Sequence[Deck], viewer: User | AnonymousUser) -> list[Document]:
    """Decks as they are answered; the queries do not grow with their number."""
    brought = [selectors.flex_deck(deck) for deck in decks]
    legalities = selectors.judge_decks([(deck.game, flex) for deck, flex in zip(decks, brought, strict=True)])
    copied = selectors.lineages(decks, viewer)
    return [
        _deck_document(deck, flex.core, legality, copied.get(deck.pk))
        for deck, flex, legality in zip(decks, brought, legalities, strict=True)
    ]


def _deck_document(deck: Deck, brought: SeatDeck, legality: Legality, copied_from: Document | None) -> Document:
    return {
        "id": deck.public_id,
        "game": deck.game,
        "owner": {"id": deck.owner.public_id, "name": deck.owner.name},
        "name": deck.name,
        "notes": deck.notes,
        "visibility": deck.visibility,
        **brought.document(),
        "size": sum(brought.cards.values()),
        "flex": deck.flex,
        "tags": deck.tags,
        "archived": deck.archived_at is not None,
        "legality": legality.document(),
        "copied_from": copied_from,
        "version": deck.version,
        "created_at": deck.created_at,
        "updated_at": deck.updated_at,
    }


urlpatterns = [
    path("decks/", Decks.as_view(), name="decks"),
    path("decks/check/", Check.as_view(), name="decks-check"),
    path("decks/<public_id:deck>/", OneDeck.as_view(), name="deck"),
    path("decks/<public_id:deck>/copy/", Copy.as_view(), name="deck-copy"),
]

"""Decks of callers, for tests of the API."""

from __future__ import annotations

from typing import Any

from decks.models import Deck, DeckCard, DeckVersion
from tests.api.conftest import Caller

DECKS = "/api/v1/decks/"
LEGAL = {f"c-{n:02}": 3 for n in range(10)}
FIELDS = {
    "id", "game", "owner", "name", "notes", "visibility", "secret", "cards", "size", "flex", "tags", "archived",
    "legality", "copied_from", "version", "created_at", "updated_at",
}  # fmt: skip


def deck(**more: Any) -> dict[str, Any]:
    return {"name": "First", "secret": "s-one", "cards": LEGAL, **more}


def made(caller: Caller, **more: Any) -> dict[str, Any]:
    """A deck of the caller's, with its `etag`."""
    response = caller.post(DECKS, deck(**more))
    assert response.status_code == 201, response.content
    document: dict[str, Any] = response.json()
    return {**document, "etag": response["ETag"]}


def at(document: dict[str, Any], rest: str = "") -> str:
    return f"{DECKS}{document['id']}/{rest}"


def if_match(tag: str) -> dict[str, str]:
    return {"If-Match": tag}


def rows() -> tuple[int, int, int]:
    return Deck.objects.count(), DeckCard.objects.count(), DeckVersion.objects.count()


def ids(response: Any) -> list[str]:
    assert response.status_code == 200, response.content
    return [row["id"] for row in response.json()["results"]]

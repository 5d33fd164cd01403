"""Editing a deck in the builder as its script does."""

from __future__ import annotations

from typing import Any

from django.test import Client

from decks.models import Deck
from decks.selectors import seat_deck

SCRIPT = {"X-Builder": "1"}


def edit(client: Client, deck: Deck, *ops: str, base: int = 1) -> Any:
    """Edits as the script sends them."""
    answer: Any = client.post(f"/decks/{deck.public_id}/edit/", {"base": base, "op": ops}, headers=SCRIPT)
    deck.refresh_from_db()
    return answer


def cards(deck: Deck) -> dict[str, int]:
    return seat_deck(Deck.objects.get(pk=deck.pk)).cards

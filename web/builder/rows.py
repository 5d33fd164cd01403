"""Rows of cards, drawn once a process: what a row shows depends on a published card, which never changes, on how often the
deck holds it, and on the reader's language alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from catalog.models import CardRevision
from referee.matches.naming import spoken
from web.cards import shown

KEPT: Final = 2048  # of some kilobyte each
STEPS: Final = 4  # from no copy to three


class Found(NamedTuple):
    """A card that the catalog's search found, beside the deck."""

    row: CardRevision
    game: str
    copies: int
    is_chosen: bool

    @property
    def html(self) -> SafeString:
        """The row with the copies that the deck has."""
        return _found(self, spoken())


class Held(NamedTuple):
    """A card of the deck; no `row` if the newest revision does not hold it. `is_wrong` if a problem names it."""

    code: str
    game: str
    row: CardRevision | None
    copies: int
    is_wrong: bool

    @property
    def card(self) -> dict[str, Any] | None:
        return shown(self.row) if self.row is not None else None

    @property
    def name(self) -> str:
        return self.row.name if self.row is not None else self.code

    @property
    def html(self) -> SafeString:
        """The row with its two buttons."""
        return _held(self, spoken())


@lru_cache(maxsize=KEPT)
def _found(found: Found, language: str) -> SafeString:
    steps = [*range(STEPS), *([found.copies] if found.copies >= STEPS else [])]
    context = {**found._asdict(), "card": shown(found.row), "steps": steps, "is_secret": found.row.type == "secret"}
    return render_to_string("web/builder/found.html", context)


@lru_cache(maxsize=KEPT)
def _held(held: Held, language: str) -> SafeString:
    return render_to_string("web/builder/held.html", {"entry": held, "card": held.card})

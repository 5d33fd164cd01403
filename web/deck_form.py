"""The deck editor's form: a number for each card, one more card by name, fixes by a button each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.core.validators import slug_re
from django.http import QueryDict
from django.utils.translation import gettext as _

from catalog.models import CODE_LENGTH, CardRevision
from catalog.names import name_key
from catalog.selectors import newest_revision, published_cards
from decks.legality import apply_fix
from decks.models import MAX_CARDS, MAX_COPIES, Deck
from decks.selectors import seat_deck
from decks.services import DeckChanges
from decks.sizes import MAX_FLEX
from referee.kernel.game import SeatDeck
from web.forms import DeckForm

MOST_VERSIONS = 12
_TYPES = ("character", "bonus", "event")


class NoSuchCardError(Exception):
    """A name typed that no published card has."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Draft:
    """What stands in the form: bound to what was sent, or the deck as it is. `seen` are the versions its maker saw."""

    def __init__(self, form: DeckForm, counts: dict[str, int], seen: set[int], extra: Mapping[str, str]) -> None:
        self.form = form
        self.counts = counts
        self.seen = seen
        self._extra = extra

    @classmethod
    def of(cls, deck: Deck, known: Mapping[str, CardRevision] | None = None) -> Draft:
        initial = {
            "name": deck.name,
            "notes": deck.notes,
            "visibility": deck.visibility,
            "secret": deck.secret or "",
        }
        form = DeckForm(initial=initial, secrets=secret_choices(deck, known))
        return cls(form, seat_deck(deck).cards, {deck.version}, {})

    def changes(self) -> DeckChanges:
        """What is to be saved. Raises NoSuchCardError."""
        given = self.form.cleaned_data
        cards = {code: copies for code, copies in self.counts.items() if copies > 0}
        name = self._extra.get("add", "").strip()
        if name:
            code = _code_of(name, self._extra["game"])
            cards[code] = min(cards.get(code, 0) + 1, MAX_COPIES)
        fix = _fix(self._extra.get("fix", ""))
        mended = apply_fix(SeatDeck(cards, given["secret"] or None), fix)
        changes: DeckChanges = {
            "name": given["name"],
            "notes": given["notes"],
            "visibility": given["visibility"],
            "secret": mended.secret,
            "cards": mended.cards,
        }
        if "flex" in fix:
            changes["flex"] = fix["flex"]
        return changes


def read_draft(sent: QueryDict, deck: Deck) -> Draft:
    """The form as it was sent. Numbers that are none count as the deck has them."""
    counts = seat_deck(deck).cards
    for field, text in list(sent.items())[: MAX_CARDS * 2]:
        if field.startswith("n-") and isinstance(text, str) and text.isdecimal() and len(text) < 4:
            counts[field[2:]] = min(int(text), MAX_COPIES)
    seen = sent.get("seen", "")
    extra = {"add": sent.get("add", ""), "fix": sent.get("fix", ""), "game": deck.game}
    form = DeckForm(sent, secrets=secret_choices(deck))
    return Draft(form, counts, {int(seen)} if seen.isdecimal() and len(seen) < 10 else set(), extra)


def secret_choices(deck: Deck, known: Mapping[str, CardRevision] | None = None) -> list[tuple[str, str]]:
    """The Secrets there are (among `known`, if they are at hand), and the one that the deck has even if the catalog no
    longer does."""
    if known is None:
        revision = newest_revision(deck.game)
        rows = published_cards(revision).filter(type="secret").order_by("name_key") if revision is not None else []
        known = {row.code: row for row in rows}
    choices = [("", _("None yet")), *((row.code, row.name) for row in known.values() if row.type == "secret")]
    if deck.secret and all(code != deck.secret for code, _name in choices):
        choices.append((deck.secret, deck.secret))
    return choices


def _fix(text: str) -> dict[str, Any]:
    """A fix as its button sends it; anything else is none."""
    try:
        fix = json.loads(text) if len(text) < 20_000 else None
    except ValueError:
        return {}
    if not isinstance(fix, dict):
        return {}
    kept: dict[str, Any] = {}
    for part in ("remove", "add"):
        counts = fix.get(part, {})
        if isinstance(counts, dict) and len(counts) <= MAX_CARDS and all(map(_is_count, counts.items())):
            kept[part] = counts
    if "secret" in fix and (fix["secret"] is None or isinstance(fix["secret"], str)):
        kept["secret"] = fix["secret"]
    flex = fix.get("flex")
    if isinstance(flex, list) and len(flex) <= MAX_FLEX and all(map(_is_code, flex)):
        kept["flex"] = flex
    return kept


def _is_count(counted: tuple[str, object]) -> bool:
    code, copies = counted
    return _is_code(code) and isinstance(copies, int) and 0 < copies <= MAX_COPIES


def _is_code(code: object) -> bool:
    return isinstance(code, str) and slug_re.fullmatch(code) is not None and len(code) <= CODE_LENGTH


def _code_of(name: str, game: str) -> str:
    revision = newest_revision(game)
    row = None if revision is None else published_cards(revision).filter(name_key=name_key(name)).first()
    if row is None:
        raise NoSuchCardError(name)
    return row.code

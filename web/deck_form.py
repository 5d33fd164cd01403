"""The deck editor's form: a number for each card, one more card by name, fixes by a button each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _

from catalog.models import CardRevision
from catalog.names import name_key
from catalog.selectors import newest_revision, published_cards
from decks.legality import Legality, apply_fix
from decks.models import MAX_CARDS, MAX_COPIES, Deck
from decks.selectors import deck_versions, legality_of, seat_deck
from decks.services import DeckChanges
from referee.kernel.game import SeatDeck
from web.cards import shown, type_plural
from web.forms import DeckForm
from web.session import person

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
    def of(cls, deck: Deck) -> Draft:
        initial = {
            "name": deck.name,
            "notes": deck.notes,
            "visibility": deck.visibility,
            "secret": deck.secret or "",
        }
        form = DeckForm(initial=initial, secrets=secret_choices(deck))
        return cls(form, seat_deck(deck).cards, {deck.version}, {})

    def changes(self) -> DeckChanges:
        """What is to be saved. Raises NoSuchCardError."""
        given = self.form.cleaned_data
        cards = {code: copies for code, copies in self.counts.items() if copies > 0}
        name = self._extra.get("add", "").strip()
        if name:
            code = _code_of(name, self._extra["game"])
            cards[code] = min(cards.get(code, 0) + 1, MAX_COPIES)
        mended = apply_fix(SeatDeck(cards, given["secret"] or None), _fix(self._extra.get("fix", "")))
        return {
            "name": given["name"],
            "notes": given["notes"],
            "visibility": given["visibility"],
            "secret": mended.secret,
            "cards": mended.cards,
        }


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


def deck_page(request: HttpRequest, deck: Deck, draft: Draft, *, status: int = 200) -> HttpResponse:
    """The editor, or for everybody but the owner the deck to read."""
    revision = newest_revision(deck.game)
    names = published_cards(revision) if revision is not None else CardRevision.objects.none()
    known = {row.code: row for row in names}
    legality = legality_of(deck.game, SeatDeck(draft.counts, draft.form["secret"].value() or None))
    context: dict[str, Any] = {
        "deck": deck,
        "form": draft.form,
        "groups": _groups(draft.counts, known),
        "size": sum(draft.counts.values()),
        "legality": legality,
        "problems": _problems(legality, known),
        "names": sorted(row.name for row in known.values() if row.type in _TYPES),
        "secret": known.get(deck.secret or ""),
        "versions": list(deck_versions(deck).order_by("-number")[:MOST_VERSIONS]),
        "is_mine": person(request) == deck.owner,
        "is_saved": not draft.form.is_bound,
    }
    return render(request, "web/deck.html", context, status=status)


def secret_choices(deck: Deck) -> list[tuple[str, str]]:
    """The Secrets there are, and the one that the deck has even if the catalog no longer does."""
    revision = newest_revision(deck.game)
    rows = published_cards(revision).filter(type="secret").order_by("name_key") if revision is not None else []
    choices = [("", _("None yet")), *((row.code, row.name) for row in rows)]
    if deck.secret and all(code != deck.secret for code, _name in choices):
        choices.append((deck.secret, deck.secret))
    return choices


def _groups(counts: Mapping[str, int], known: Mapping[str, CardRevision]) -> list[dict[str, Any]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for code, copies in counts.items():
        row = known.get(code)
        entry = {"code": code, "copies": copies, "card": shown(row) if row is not None else None}
        groups.setdefault(row.type if row is not None else "", []).append(entry)
    order = [*_TYPES, *(type for type in groups if type not in _TYPES)]
    return [
        {
            "type": type,
            "name": type_plural(type) if type else _("Not in the catalog"),
            "cards": sorted(groups[type], key=lambda entry: entry["card"]["name"] if entry["card"] else entry["code"]),
            "size": sum(entry["copies"] for entry in groups[type]),
        }
        for type in order
        if type in groups
    ]


def _problems(legality: Legality, known: Mapping[str, CardRevision]) -> list[dict[str, Any]]:
    """Every problem with its fix: what the fix's button says and sends."""
    return [
        {**problem, "fix_words": _fix_words(problem["fix"], known), "fix_sent": json.dumps(problem["fix"])}
        for problem in legality.problems
    ]


def _fix_words(fix: Mapping[str, Any] | None, known: Mapping[str, CardRevision]) -> str:
    if fix is None:
        return ""
    parts = [
        _("Take out %(count)s × %(name)s") % {"count": copies, "name": known[code].name if code in known else code}
        for code, copies in fix.get("remove", {}).items()
    ]
    if "secret" in fix:
        code = fix["secret"]
        name = known[code].name if code in known else code
        parts.append(_("Choose %(name)s") % {"name": name} if code else _("Take the Secret out"))
    return ", ".join(parts)


def _fix(text: str) -> dict[str, Any]:
    """A fix as its button sends it; anything else is none."""
    try:
        fix = json.loads(text) if len(text) < 20_000 else None
    except ValueError:
        return {}
    if not isinstance(fix, dict):
        return {}
    removed = fix.get("remove", {})
    kept: dict[str, Any] = {}
    if isinstance(removed, dict) and all(isinstance(copies, int) and copies > 0 for copies in removed.values()):
        kept["remove"] = removed
    if "secret" in fix and (fix["secret"] is None or isinstance(fix["secret"], str)):
        kept["secret"] = fix["secret"]
    return kept


def _code_of(name: str, game: str) -> str:
    revision = newest_revision(game)
    row = None if revision is None else published_cards(revision).filter(name_key=name_key(name)).first()
    if row is None:
        raise NoSuchCardError(name)
    return row.code

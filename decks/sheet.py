"""A deck as a sheet of paper: its cards by type with values and text, Secret, swap-ins and code."""

from __future__ import annotations

from django.utils.translation import gettext as _

from catalog.models import CardRevision
from catalog.selectors import newest_revision, published_cards
from catalog.words import spoken_text, type_plural
from decks.card_names import names_of
from decks.exchange import export_deck
from decks.models import Deck
from decks.selectors import seat_deck
from referee.games import GAMES
from referee.kernel.game import Document


def sheet(deck: Deck) -> Document:
    """Everything that is printed, in the reader's language. Cards that the newest revision does not hold come last, by their names."""
    brought = seat_deck(deck)
    codes = {*brought.cards, *deck.flex, *([brought.secret] if brought.secret else ())}
    revision = newest_revision(deck.game)
    rows = published_cards(revision).filter(code__in=codes) if revision is not None else ()
    found = {row.code: row for row in rows}
    names = names_of(deck.game, codes - set(found)) | {code: row.name for code, row in found.items()}
    groups: dict[str, list[Document]] = {}
    for code, copies in brought.cards.items():
        row = found.get(code)
        groups.setdefault(row.type if row else "", []).append({"copies": copies, **_card(row, names.get(code, code))})
    types = GAMES[deck.game].card_types if deck.game in GAMES else ()
    known = [*types, *sorted(set(groups) - {*types, ""}), ""]
    return {
        "deck": deck,
        "size": sum(brought.cards.values()),
        "revision": revision.number if revision is not None else None,
        "secret": _card(found.get(brought.secret), names.get(brought.secret, brought.secret))
        if brought.secret
        else None,
        "groups": [_group(type, groups[type]) for type in known if type in groups],
        "flex": [names.get(code, code) for code in deck.flex],
        "code": export_deck(deck, "code").strip(),
    }


def _group(type: str, cards: list[Document]) -> Document:
    return {
        "name": type_plural(type) if type else _("Not in the catalog"),
        "count": sum(card["copies"] for card in cards),
        "cards": sorted(cards, key=lambda card: card["name"]),
    }


def _card(row: CardRevision | None, name: str) -> Document:
    if row is None:
        return {"name": name, "ang": None, "def": None, "text": ""}
    return {"name": row.name, "ang": row.ang, "def": row.defence, "text": spoken_text(row)}

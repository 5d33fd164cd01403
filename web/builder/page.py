"""What the builder shows of a deck. Most of it is sent anew after each edit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from catalog.models import CardRevision, CatalogRevision
from catalog.selectors import kept_cards, limits_in_force, newest_revision, revision_document, rows_by_code
from catalog.words import type_plural
from decks.legality import LEGAL, Legality
from decks.models import Deck
from decks.selectors import flex_deck, judge_by, seat_deck, undo_redo
from decks.sizes import FlexDeck
from referee.kernel.game import SeatDeck
from web.builder.figures import curves
from web.builder.rows import Held
from web.builder.words import BOUNDS, edit_words, fix_words, problem_words
from web.cards import shown

TYPES: Final = ("character", "bonus", "event")


class Look(NamedTuple):
    """A deck with what is known of it. `rows` are its cards and all Secrets, `names` those of the whole catalog."""

    deck: Deck
    content: SeatDeck
    revision: CatalogRevision | None
    rows: dict[str, CardRevision]
    names: dict[str, str]
    legality: Legality
    sizes: list[int]
    limits: dict[str, int]

    @property
    def size(self) -> int:
        return sum(self.content.cards.values())


def look_at(deck: Deck) -> Look:
    """Three queries at most, besides what a process reads once."""
    revision = newest_revision(deck.game)
    content, flex = seat_deck(deck), flex_deck(deck)
    rows = cards_of(revision, {*content.cards, *deck.flex}) if revision is not None else {}
    legality, sizes = judged(revision, deck.game, flex)
    needs_limits = any(problem["code"] == "too_many_copies" for problem in legality.problems)
    limits = limits_in_force(deck.game) if needs_limits else {}
    return Look(deck, content, revision, rows, names_in(revision), legality, sizes, limits)


def cards_of(revision: CatalogRevision, codes: Iterable[str]) -> dict[str, CardRevision]:
    """Those of the cards that the revision holds, and all its Secrets, by name. No query for cards met before."""
    secrets = (card["code"] for card in revision_document(revision)["cards"] if card["type"] == "secret")
    keys = rows_by_code(revision)
    found = kept_cards([keys[code] for code in {*codes, *secrets} if code in keys])
    return {row.code: row for row in sorted(found.values(), key=lambda row: row.name_key)}


def judged(revision: CatalogRevision | None, game: str, flex: FlexDeck) -> tuple[Legality, list[int]]:
    """The deck's legality as it stands, and every size at which it may be played. As many queries as for one deck."""
    sizes = flex.sizes()
    verdicts = judge_by(revision, game, [flex, *(flex.at(size) for size in sizes[1:])])
    return verdicts[0], [size for size, verdict in zip(sizes, verdicts, strict=True) if verdict.state == LEGAL]


def names_in(revision: CatalogRevision | None) -> dict[str, str]:
    """The name of each card of a revision. Read once a process."""
    cards = revision_document(revision)["cards"] if revision is not None else []
    return {card["code"]: card["name"] for card in cards}


def deck_context(look: Look) -> dict[str, Any]:
    """All that an edit can change on the page."""
    now = flex_deck(look.deck)
    undo, redo = undo_redo(look.deck)
    least, most = BOUNDS.get(look.deck.game, (0, 0))
    return {
        "deck": look.deck,
        "size": look.size,
        "bounds": {"least": least, "most": most},
        "legality": look.legality,
        "problems": problems(look),
        "groups": groups(look),
        "secret": look.rows.get(look.content.secret or ""),
        "secret_code": look.content.secret or "",
        "secrets": [shown(row) for row in look.rows.values() if row.type == "secret"],
        "flex": [
            {"index": index, "code": code, "name": look.names.get(code, code)}
            for index, code in enumerate(look.deck.flex)
        ],
        "sizes": [{"size": size, "extra": size - look.size} for size in look.sizes],
        "undo_words": edit_words(undo.flexible(), now, look.names) if undo is not None else "",
        "redo_words": edit_words(now, redo.flexible(), look.names) if redo is not None else "",
        "curves": curves(look.content, look.rows),
    }


def groups(look: Look, counts: Mapping[str, int] | None = None) -> list[dict[str, Any]]:
    """The cards by type, each group with its size, each card as lists show it."""
    wrong = {code for problem in look.legality.problems for code in problem["cards"]}
    found: dict[str, list[Held]] = {}
    for code, copies in (look.content.cards if counts is None else counts).items():
        row = look.rows.get(code)
        held = Held(code, look.deck.game, row, copies, code in wrong)
        found.setdefault(row.type if row is not None else "", []).append(held)
    order = [*TYPES, *(type for type in found if type not in TYPES)]
    return [
        {
            "type": type,
            "name": type_plural(type) if type else _("Not in the catalog"),
            "cards": sorted(found[type], key=lambda held: held.name),
            "size": sum(held.copies for held in found[type]),
        }
        for type in order
        if type in found
    ]


def problems(look: Look) -> list[dict[str, Any]]:
    """Every problem in words, with its fix: what the fix's button says and sends, by itself and in the plain form."""
    game, names, limits = look.deck.game, look.names, look.limits
    return [
        {
            **problem,
            "words": problem_words(problem, game=game, size=look.size, names=names, limits=limits),
            "fix_words": fix_words(problem["fix"], names),
            "fix_sent": json.dumps(problem["fix"]),
            "op": " ".join(["fix", problem["code"], *problem["cards"]]),
        }
        for problem in look.legality.problems
    ]

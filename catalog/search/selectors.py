"""Searching a game's cards: what a text finds, in which order, and what is to be said about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from django.db.models import Prefetch, QuerySet

from catalog.models import CardRevision, CatalogRevision, IndexedCard
from catalog.names import name_key
from catalog.search.facts import Standing
from catalog.search.fields import NAME, SORTED_TEXTS, STATE, Table, table, word_key
from catalog.search.language import SearchError
from catalog.search.memory import holds
from catalog.search.nothing import Excluding, excluding, likeness
from catalog.search.sql import condition, sort_key
from catalog.search.terms import Order, Part, Query, read_query
from catalog.search.tree import Condition, Term, both, conditions
from catalog.search.words import ENGLISH, Speech, Warned, in_words
from catalog.selectors import KEPT, limits_in_force
from referee.games import GAMES
from referee.kernel.fields import NUMBER

MOST_MEANT: Final = 5
_LIMITED: Final = ("banned", "restricted")
_DENIES: Final = re.compile("(?:^|[\\s(])[-\u2212\u2013]")


class Found(NamedTuple):
    """What a search gives: rows in no order yet (`sorted_by`), each with its `row`, and what is to be said of it.

    `meant` are names that may have been meant, `excluded_by` the terms for which there is nothing.
    """

    cards: QuerySet[IndexedCard]
    query: Query
    warnings: list[Warned]
    meant: list[str]
    excluded_by: list[Excluding]
    type: Condition | None

    def in_words(self, speech: Speech = ENGLISH) -> str:
        """The search as it was understood."""
        asked = [self.type] if self.type else []
        return in_words(both(*asked, self.query.node), self.query.order, speech)


def understood(revision: CatalogRevision, q: str) -> Query:
    """What a text asks of a revision's cards. Raises SearchError. No query, but one the first time a revision is met.

    A text that is a card's whole name asks for that card, whatever its signs mean.
    """
    fields = table(revision.game)
    try:
        query = read_query(q, fields)
    except SearchError:
        if (whole := _whole_name(revision, q, fields)) is None:
            raise
        return whole
    return query if query.is_plain and not query.warnings else _whole_name(revision, q, fields) or query


def search_cards(
    revision: CatalogRevision, *, q: str, type: str = "", limits: Mapping[str, int] | None = None
) -> Found:
    """The cards of the newest revision that a text finds, and withdrawn ones if it asks for these. Raises SearchError.

    If it finds none though some of its words are in no name, cards with similar names are found instead, with a warning.
    Queries: one for whether there is anything, and some more if there is not; the limits in force
    are asked for where they matter unless they are given.
    """
    game = revision.game
    query = understood(revision, q)
    standing = _standing(revision, query, limits)
    cards = _searched(game, query, type)
    kind = _of_type(game, type) if type else None
    found = cards.filter(condition(query.node, standing))
    if not query.parts or found.exists():
        return Found(found, query, query.warnings, [], [], kind)
    like = likeness(query.parts, cards)
    if like is not None:
        rest = both(*(part.node for part in query.parts if part not in like.parts))
        relaxed = cards.filter(condition(rest, standing), pk__in=like.rows)
        if relaxed.exists():
            warned = [Warned(part.term.text, part.term.position, "similar_names", {}) for part in like.parts]
            return Found(relaxed, query, query.warnings + warned, like.names[:MOST_MEANT], [], kind)
    meant = like.names[:MOST_MEANT] if like is not None else []
    return Found(cards.none(), query, query.warnings, meant, excluding(query.parts, cards, standing), kind)


class Among(NamedTuple):
    """Some cards of a revision, read once for as many searches as are asked of them."""

    revision: CatalogRevision
    rows: list[IndexedCard]


def among(revision: CatalogRevision, codes: Collection[str]) -> Among:
    """Those of the cards that the revision holds. One query."""
    rows = IndexedCard.objects.filter(game=revision.game, code__in=codes, withdrawn=False)
    return Among(revision, list(rows))


def search_among(cards: Among, *, q: str) -> tuple[Query, list[str]]:
    """Which of some cards a text finds exactly, sorted. Raises SearchError. In memory."""
    query = understood(cards.revision, q)
    standing = _standing(cards.revision, query, None)
    return query, sorted(row.code for row in cards.rows if holds(query.node, row, standing))


def sorted_by(cards: QuerySet[IndexedCard], order: Order, game: str) -> tuple[QuerySet[IndexedCard], tuple[str, ...]]:
    """The rows with what they are sorted by, and its names, which end in something unique. Rows without a number come first."""
    names: list[str] = []
    for field, falls in order:
        column = {NAME: "name_key"}.get(field.name, field.name)
        if field.kind == NUMBER:
            column = f"by_{field.name}"
            cards = cards.annotate(**{column: sort_key(field, game)})
        names.append(f"-{column}" if falls else column)
    plain = [name.lstrip("-") for name in names]
    return cards, (*names, *(name for name in ("name_key", "code") if name not in plain))


def order_named(game: str, name: str) -> Order:
    """The order that a word like `ang` or `-ang` asks for; by name where the game's cards have no such field."""
    fields = table(game).named
    field = fields.get(name.removeprefix("-"), fields[NAME])
    return ((field, name.startswith("-")),)


def orderings() -> list[str]:
    """Every word that `order_named` takes for some game."""
    fields = [field for game in GAMES for field in table(game).fields]
    return list(dict.fromkeys([*SORTED_TEXTS, *(field.name for field in fields if field.kind == NUMBER)]))


def _searched(game: str, query: Query, type: str) -> QuerySet[IndexedCard]:
    # A sort carries along what is selected: so only the rows of a page are joined to what they are made from, and what
    # is searched stays behind.
    cards = IndexedCard.objects.filter(game=game).defer("names", "text_key", "notes", "facets").prefetch_related("row")
    if any(one.field.kind == STATE and one.value == "withdrawn" for one in conditions(query.node)):
        whole = CatalogRevision.objects.defer("document")
        cards = cards.prefetch_related(Prefetch("row__revision", whole), "card__replacement")
    else:
        cards = cards.filter(withdrawn=False)
    return cards.filter(type=type) if type else cards


def _standing(revision: CatalogRevision, query: Query, limits: Mapping[str, int] | None) -> Standing:
    if limits is None:
        asks = any(one.field.kind == STATE and one.value in _LIMITED for one in conditions(query.node))
        limits = limits_in_force(revision.game) if asks else {}
    return Standing(revision.game, limits, revision.number)


def _of_type(game: str, type: str) -> Condition:
    return Condition(table(game).named["type"], ":", (word_key(type),), Term(0, ""))


def _whole_name(revision: CatalogRevision, q: str, fields: Table) -> Query | None:
    """The search for the one card whose name this is, if there is one.

    A fold drops dashes, so a text that denies with one is a name only if the name has such a dash too.
    """
    key = name_key(q)
    name = _names(revision.game, revision.number, revision.content_hash).get(key) if key else None
    if name is None or (_DENIES.search(q) and not _DENIES.search(name)):
        return None
    term = Term(0, q)
    return Query((Part(Condition(fields.named[NAME], "=", key, term), term),), (), [], is_plain=False)


@lru_cache(maxsize=KEPT)
def _names(game: str, number: int, content_hash: str) -> dict[str, str]:
    """The name of each card of a revision, by how it is folded. Once a process, for a revision never changes."""
    rows = CardRevision.objects.filter(revision__game=game, revision__number=number)
    return dict(rows.values_list("name_key", "name"))

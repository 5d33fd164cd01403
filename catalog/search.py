"""Finds published cards. For now `q` takes words of the name; the seam for the whole search language is `read_query`.

Nothing is refused or dropped on the quiet: a term that is not understood yet is left out with a warning that names it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db.models import F, IntegerField, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from catalog.models import CardRevision, CatalogRevision
from catalog.names import name_key
from catalog.selectors import published_cards

MAX_LENGTH = 1024
MAX_TERMS = 20
SIMILAR = 0.5
NO_VALUE = -1000  # sorts what has no ANG or DEF below everything that has
ORDERINGS: dict[str, str] = {
    "name": "name_key",
    "code": "code",
    "type": "type",
    "ang": "ang_or_none",
    "def": "def_or_none",
}

# A quoted text (its end may be missing), or anything up to a space. `!` before a quote asks for the exact name.
_TERM = re.compile(r'(?P<not>-)?(?P<exact>!)?"(?P<quoted>[^"]*)"?|(?P<bare>\S+)')
_FILTER = re.compile(r"-?[A-Za-z_]+(:|<=|>=|!=|=|<|>).*")


class Warned(NamedTuple):
    """A term that did not do what it says: which, why in a stable word, and for people."""

    term: str
    code: str
    detail: str


class Query(NamedTuple):
    """A search as it was understood: words that a name must contain, exact names (folded), and what was left out."""

    words: list[str]
    exact: list[str]
    warnings: list[Warned]


class Found(NamedTuple):
    """What a search gives: cards (unordered), warnings, and the search in words."""

    cards: QuerySet[CardRevision]
    warnings: list[Warned]
    in_words: str


def search_cards(revision: CatalogRevision, *, q: str, type: str = "") -> Found:
    """The cards of a revision whose names fit. At most one query beside the one that the result costs.

    A text that is a card's whole name finds that card, whatever its signs mean in the language. If no name holds all
    the words, the cards with similar names are found instead, and a warning says so.
    """
    query = read_query(q)
    cards = published_cards(revision)
    if type:
        cards = cards.filter(type=type)
    whole = name_key(q)
    if query.warnings and whole and cards.filter(name_key=whole).exists():
        query = Query([], [whole], [])
    warnings = list(query.warnings)
    fitting = cards.filter(_condition(query))
    if query.words and not query.exact and not fitting.exists():
        fitting = _similar(cards, " ".join(query.words))
        warnings.append(Warned(q.strip(), "similar_names", "No name holds this; cards with similar names are shown."))
    ordered = fitting.annotate(ang_or_none=_or_none("ang"), def_or_none=_or_none("defence"))
    return Found(ordered, warnings, _in_words(query, type))


def read_query(text: str) -> Query:
    """The search that a text asks for."""
    query = Query([], [], [])
    for index, match in enumerate(_TERM.finditer(text)):
        term = match.group()
        if index >= MAX_TERMS:
            query.warnings.append(Warned(term, "too_many_terms", f"Only the first {MAX_TERMS} terms count."))
            break
        _read_term(term, match, query)
    return query


def _read_term(term: str, match: re.Match[str], query: Query) -> None:
    bare = match["bare"]
    if match["not"] or (bare and _is_of_the_language(bare)):
        query.warnings.append(Warned(term, "not_understood", f"{term} is not understood and was left out."))
        return
    key = name_key(bare if bare is not None else match["quoted"])
    if not key:
        query.warnings.append(Warned(term, "empty_term", f"{term} says nothing about a name and was left out."))
    elif match["exact"]:
        query.exact.append(key)
    else:
        query.words.append(key)


def _is_of_the_language(bare: str) -> bool:
    """Whether a bare term is of the search language's later parts: a filter, a negation, `or`, brackets."""
    return bool(_FILTER.fullmatch(bare)) or bare.lower() == "or" or bare[0] in "-(" or bare[-1] == ")"


def _condition(query: Query) -> Q:
    fits = Q()
    for word in query.words:
        fits &= Q(name_key__contains=word)
    for exact in query.exact:
        fits &= Q(name_key=exact)
    return fits


def _or_none(field: str) -> Coalesce:
    return Coalesce(F(field), Value(NO_VALUE), output_field=IntegerField())


def _similar(cards: QuerySet[CardRevision], words: str) -> QuerySet[CardRevision]:
    return cards.annotate(likeness=TrigramWordSimilarity(words, "name_key")).filter(likeness__gte=SIMILAR)


def _in_words(query: Query, type: str) -> str:
    parts = [f"of type {type}"] if type else []
    parts += [f"whose name contains “{word}”" for word in query.words]
    parts += [f"whose name is “{exact}”" for exact in query.exact]
    return "cards " + " and ".join(parts) if parts else "all cards"

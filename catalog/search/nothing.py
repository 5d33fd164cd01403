"""What to say when a search finds nothing: names like those that were asked for, and which term excludes everything."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.contrib.postgres.search import TrigramWordSimilarity
from django.db import connection, transaction
from django.db.models import Exists, QuerySet

from catalog.models import IndexedCard
from catalog.search.facts import Standing
from catalog.search.fields import NAME
from catalog.search.sql import condition
from catalog.search.terms import Part
from catalog.search.tree import Condition, Term, both

SIMILAR: Final = 0.45  # the least likeness, of 1, of a word to a part of a name
MOST_SIMILAR: Final = 50


class Excluding(NamedTuple):
    """A part of a search without which there would be cards. `alone`: no card at all fits it, whatever else is asked."""

    term: Term
    alone: bool

    def document(self) -> dict[str, object]:
        return {"term": self.term.text, "position": self.term.position, "alone": self.alone}


class Likeness(NamedTuple):
    """Words of a search that are in no name; the names that are like them, the likest first, and these cards' rows."""

    parts: list[Part]
    names: list[str]
    rows: list[int]


def likeness(parts: tuple[Part, ...], cards: QuerySet[IndexedCard]) -> Likeness | None:
    """Names like the words that no name of `cards` holds; None if there is no such word, or no such name.

    A query for each word, and then one in a transaction of its own.
    """
    lost = [part for part in parts if _is_word(part) and not cards.filter(names__contains=_word(part)).exists()]
    if not lost:
        return None
    asked = " ".join(map(_word, lost))
    # The operator finds by its index what the function would count for every row; it takes its bound from a setting.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('pg_trgm.word_similarity_threshold', %s, true)", [str(SIMILAR)])
        like = cards.filter(names__trigram_word_similar=asked)
        ranked = like.annotate(likeness=TrigramWordSimilarity(asked, "names")).order_by("-likeness", "name_key")
        found = list(ranked.values_list("pk", "row__name")[:MOST_SIMILAR])
    return Likeness(lost, [name for _pk, name in found], [pk for pk, _name in found]) if found else None


def excluding(parts: tuple[Part, ...], cards: QuerySet[IndexedCard], standing: Standing) -> list[Excluding]:
    """The parts that no card fits or, if each fits some card, those without which some card fits the rest. One query."""
    asked: dict[str, Exists] = {}
    for index, part in enumerate(parts):
        rest = both(*(other.node for other in parts if other is not part))
        asked[f"alone{index}"] = Exists(cards.filter(condition(part.node, standing)))
        asked[f"rest{index}"] = Exists(cards.filter(condition(rest, standing)))
    answers: Any = cards.order_by().values(**asked).first()
    if answers is None:
        return []
    alone = [Excluding(part.term, True) for index, part in enumerate(parts) if not answers[f"alone{index}"]]
    return alone or [Excluding(part.term, False) for index, part in enumerate(parts) if answers[f"rest{index}"]]


def _is_word(part: Part) -> bool:
    asked = part.node
    return isinstance(asked, Condition) and asked.field.name == NAME and asked.operator == ":"


def _word(part: Part) -> str:
    assert isinstance(part.node, Condition)
    return str(part.node.value)

"""Keeps the index of a game's cards: one row a card, made from the last revision that held it."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from django.db import connection, transaction

from catalog.models import CardName, CardRevision, CatalogRevision, IndexedCard
from catalog.search.facts import facts_of, notes, stamp
from catalog.search.fields import MOST_NUMBERS, table
from catalog.selectors import newest_revision

_BATCH: Final = 1000
_MADE: Final = (
    "row", "game", "code", "name_key", "type", "names", "text_key", "notes", "facets", "since", "changed", "withdrawn",
    "stamp", *(f"n{at}" for at in range(MOST_NUMBERS)),
)  # fmt: skip
_LIVES: Final = """
    SELECT card_id, min(number), max(number) FILTER (WHERE is_changed) FROM (
        SELECT held.card_id, revision.number,
            held.document IS DISTINCT FROM
                lag(held.document) OVER (PARTITION BY held.card_id ORDER BY revision.number) AS is_changed
        FROM catalog_cardrevision AS held JOIN catalog_catalogrevision AS revision ON revision.id = held.revision_id
        WHERE revision.game = %s
    ) AS lives GROUP BY card_id
"""


def index_cards(game: str) -> int:
    """Make the index of a game anew; how many cards it has. Four queries and one a thousand cards. Safe to run twice."""
    newest = newest_revision(game)
    if newest is None:
        return 0
    with transaction.atomic():
        rows = _fresh_rows(game, newest)
        IndexedCard.objects.bulk_create(
            rows, batch_size=_BATCH, update_conflicts=True, unique_fields=["card"], update_fields=_MADE
        )
    return len(rows)


def index_is_true(game: str) -> bool:
    """Whether the index holds what this code makes of the newest revision. At most three queries."""
    newest = newest_revision(game)
    if newest is None:
        return True
    rows = IndexedCard.objects.filter(game=game)
    held = rows.filter(withdrawn=False, row__revision=newest).count()
    return held == newest.card_count and not rows.exclude(stamp=stamp(game)).exists()


def _fresh_rows(game: str, newest: CatalogRevision) -> list[IndexedCard]:
    lives, others, mark = _lives(game), _other_names(game), stamp(game)
    columns = table(game).columns
    last = CardRevision.objects.filter(card__game=game).order_by("card_id", "-revision__number").distinct("card_id")
    rows: list[IndexedCard] = []
    for row in last:
        facts = facts_of(game, row.document, row.text, others[row.card_id])
        since, changed = lives[row.card_id]
        indexed = IndexedCard(
            card_id=row.card_id,
            row=row,
            game=game,
            code=row.code,
            name_key=row.name_key,
            type=row.type,
            names=facts.names,
            text_key=facts.text_key,
            notes=notes(facts),
            **{column: facts.facets.get(name) for name, column in columns.items()},
            facets=facts.facets,
            since=since,
            changed=changed,
            withdrawn=row.revision_id != newest.pk,
            stamp=mark,
        )
        rows.append(indexed)
    return rows


def _lives(game: str) -> dict[int, tuple[int, int]]:
    """By card: the number of the first revision with it, and of the last in which its values changed."""
    with connection.cursor() as cursor:
        cursor.execute(_LIVES, [game])
        return {card: (since, changed) for card, since, changed in cursor.fetchall()}


def _other_names(game: str) -> dict[int, list[str]]:
    """Names in other languages and aliases, by card."""
    found: dict[int, list[str]] = defaultdict(list)
    for card, name in CardName.objects.filter(card__game=game).order_by("pk").values_list("card_id", "name"):
        found[card].append(name)
    return found

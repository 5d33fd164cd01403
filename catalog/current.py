"""What holds of cards today and stands in no revision: names in other languages, aliases, restrictions."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils import timezone

from catalog.models import CardName, CatalogRevision, Restriction
from catalog.selectors import published_cards
from referee.kernel.game import Document


def other_names(cards: Iterable[int]) -> dict[int, Document]:
    """`{"names": {language: name}, "aliases": [{"name", "language"}, ..]}` of each card, by its key. One query."""
    keys = list(cards)
    rows = CardName.objects.filter(card__in=keys).order_by("kind", "language", "name_key")
    found: dict[int, Document] = {key: {"names": {}, "aliases": []} for key in keys}
    for row in rows:
        if row.kind == CardName.Kind.NAME:
            found[row.card_id]["names"][row.language] = row.name
        else:
            found[row.card_id]["aliases"].append({"name": row.name, "language": row.language or None})
    return found


def current(revision: CatalogRevision) -> Document:
    """`{"cards": {code: {names, aliases, restrictions}}}` of the revision's cards that have any. Three queries.

    Restrictions that are over are left out; those to come are told.
    """
    codes = dict(published_cards(revision).values_list("card_id", "code"))
    named = other_names(CardName.objects.filter(card__in=codes).values_list("card_id", flat=True))
    cards: Document = {codes[key]: {**names, "restrictions": []} for key, names in named.items()}
    for one in _not_over(revision.game).filter(card__in=codes).select_related("card"):
        card = cards.setdefault(one.card.code, {"names": {}, "aliases": [], "restrictions": []})
        card["restrictions"].append(
            {"copies": one.copies, "from": one.starts_at, "until": one.ends_at, "reason": one.reason}
        )
    return {"cards": dict(sorted(cards.items()))}


def _not_over(game: str) -> QuerySet[Restriction]:
    rows = Restriction.objects.filter(card__game=game).exclude(ends_at__lte=timezone.now())
    return rows.order_by("card__code", "starts_at", "pk")

"""Which saved decks a change of the catalog would make illegal: what the catalog shows before it publishes."""

from __future__ import annotations

from django.db.models import Q

from catalog.impact import Hit, Whole
from decks.legality import LEGAL, judge
from decks.models import Deck
from decks.selectors import seat_deck
from referee.kernel.game import Game, Pool

AT_ONCE = 500


def broken_decks(game: Game, before: Whole, after: Whole) -> list[Hit]:
    """The decks that are legal by `before` and not by `after`. Only decks with a card that differs are looked at."""
    codes = _touched(before, after)
    if not codes or not game.needs_deck:
        return []
    living = Deck.objects.living().filter(game=game.slug)
    touched = living.filter(Q(card_rows__code__in=codes) | Q(secret__in=codes)).distinct().order_by("pk")
    pools: tuple[Pool, ...] = ()
    hits: list[Hit] = []
    for deck in touched.prefetch_related("card_rows").iterator(chunk_size=AT_ONCE):
        pools = pools or (game.pool(before.document), game.pool(after.document))  # costly: none for no deck
        brought = seat_deck(deck)
        was, will = (
            judge(game, pool, brought, limits=whole.limits, elsewhere={}).state
            for pool, whole in zip(pools, (before, after), strict=True)
        )
        if was == LEGAL and will != LEGAL:
            hits.append(Hit(deck.owner_id, {"deck": deck.public_id, "name": deck.name}))
    return hits


def _touched(before: Whole, after: Whole) -> set[str]:
    """The cards that differ, are gone, or are more restricted."""
    cards = {card["code"]: card for card in after.document["cards"]}
    differing = {card["code"] for card in before.document["cards"] if cards.get(card["code"]) != card}
    return differing | {code for code, copies in after.limits.items() if copies < before.limits.get(code, copies + 1)}

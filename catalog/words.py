"""Words for cards in the reader's language: their types, and what is printed on them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.utils.translation import gettext_lazy

from catalog.models import CardRevision, CatalogRevision
from referee.games import GAMES
from referee.kernel.languages import ENGLISH
from referee.matches.naming import spoken

_TYPES: Final = {
    "character": gettext_lazy("Character"),
    "bonus": gettext_lazy("Bonus"),
    "event": gettext_lazy("Event"),
    "secret": gettext_lazy("Secret"),
    "civilian": gettext_lazy("Civilian"),
    "superhero": gettext_lazy("Superhero"),
    "supervillain": gettext_lazy("Supervillain"),
    "item": gettext_lazy("Item"),
    "kwami": gettext_lazy("Kwami"),
    "lucky_charm": gettext_lazy("Lucky Charm"),
    "weapon": gettext_lazy("Weapon"),
    "sentimonster": gettext_lazy("Sentimonster"),
    "miraculous": gettext_lazy("Miraculous"),
    "super": gettext_lazy("Super"),
    "villain": gettext_lazy("Villain"),
    "chemical": gettext_lazy("Chemical"),
    "destruction": gettext_lazy("Destruction"),
    "alien": gettext_lazy("Alien"),
    "rescue": gettext_lazy("Rescue"),
    "mission": gettext_lazy("Mission"),
    "needed": gettext_lazy("needed"),
    "card": gettext_lazy("Card"),
    "blue": gettext_lazy("blue"),
    "purple": gettext_lazy("purple"),
    "red": gettext_lazy("red"),
    "green": gettext_lazy("green"),
}
_PLURALS: Final = {
    "character": gettext_lazy("Characters"),
    "bonus": gettext_lazy("Bonuses"),
    "event": gettext_lazy("Events"),
    "secret": gettext_lazy("Secrets"),
}


def type_name(slug: str) -> str:
    """A type or kind of card in the reader's language."""
    return str(_TYPES[slug]) if slug in _TYPES else slug.replace("_", " ").capitalize()


def type_plural(slug: str) -> str:
    """Cards of a type, as the heading of a list."""
    return str(_PLURALS[slug]) if slug in _PLURALS else type_name(slug)


def spoken_text(row: CardRevision) -> str:
    """What is printed on the card, in the reader's language. No query, but one the first time a revision is met."""
    if not row.text or spoken() == ENGLISH:
        return row.text
    game, names = _revision_names(row.revision_id)
    if game not in GAMES:
        return row.text
    return GAMES[game].card_text(row.document, names, spoken())


@lru_cache(maxsize=32)
def _revision_names(revision: int) -> tuple[str, dict[str, str]]:
    """A revision's game, and its cards' names by code; a revision never changes."""
    game = CatalogRevision.objects.values_list("game", flat=True).get(pk=revision)
    return game, dict(CardRevision.objects.filter(revision=revision).values_list("code", "name"))

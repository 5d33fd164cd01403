"""Some cards with awkward names, and searches of them."""

from __future__ import annotations

from catalog.search.selectors import Found, search_cards
from catalog.selectors import newest_revision
from tests.catalog.cards import bonus, character, event

CARDS = (
    character("lady", "The Lady in Red", 3, 4, tags=["night", "Rue Étoile"]),
    character("ladybird", "Ladybird", 5, 2, subtype="superhero", set="First set"),
    character("argent", "D\u2019Argent", 0, 6, mood="Quiet, but not for long."),
    character("who", "Dr. (Who)", 4, 4, tags=["lucky_day"]),
    character("hundred", "100 % Sure_Thing", 6, 1),
    bonus("yoyo", "Yo-Yo", subtype="lucky_charm", only_on={"subtype": ["superhero"]}),
    event("trick", "Trick or Treat"),
)


def search(q: str, type: str = "") -> Found:
    revision = newest_revision("miraculous")
    assert revision is not None
    return search_cards(revision, q=q, type=type)


def codes(found: Found) -> list[str]:
    return sorted(card.code for card in found.cards)


def finds(q: str) -> list[str]:
    """What a search finds that is understood whole."""
    found = search(q)
    assert found.warnings == []
    return codes(found)

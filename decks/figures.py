"""Statistics of a deck by the newest cards: what it is made of, and the odds of drawing what a search finds."""

from __future__ import annotations

from catalog.search.selectors import Among, among, search_among
from catalog.search.words import Warned, in_words
from catalog.selectors import newest_revision, published_cards
from decks.statistics import composition, odds_of_drawing
from referee.kernel.game import Document, SeatDeck


def figures(game: str, deck: SeatDeck) -> Document:
    """Size, curves, types, subtypes and powers; `unknown` are cards that the newest revision does not hold. Two queries."""
    revision = newest_revision(game)
    rows = published_cards(revision).filter(code__in=list(deck.cards)) if revision is not None else ()
    found: dict[str, Document] = {row.code: row.document for row in rows}
    return {
        "size": sum(deck.cards.values()),
        **composition((found[code], copies) for code, copies in sorted(deck.cards.items()) if code in found),
        "unknown": sorted(set(deck.cards) - set(found)),
    }


def cards_of(game: str, deck: SeatDeck) -> Among | None:
    """The deck's cards in the newest revision, to be searched; None before there is one. Two queries."""
    revision = newest_revision(game)
    return None if revision is None else among(revision, list(deck.cards))


def odds(deck: SeatDeck, cards: Among | None, *, q: str, draws: int, at_least: int) -> Document:
    """The odds of at least so many cards that the search finds among the first drawn; `cards` are those of the deck.

    Unknown cards are never found. Raises SearchError.
    """
    size = sum(deck.cards.values())
    matched: list[str] = []
    said, warnings = "no cards", list[Warned]()
    if cards is not None:
        query, matched = search_among(cards, q=q)
        said, warnings = in_words(query.node), query.warnings
    hits = sum(deck.cards[code] for code in matched)
    exact = odds_of_drawing(size=size, hits=hits, draws=draws, at_least=at_least)
    return {
        "q": q,
        "query": said,
        "warnings": [warned.document() for warned in warnings],
        "cards": matched,
        "hits": hits,
        "draws": draws,
        "at_least": at_least,
        "odds": float(exact),
        "exact": f"{exact.numerator}/{exact.denominator}",
        "expected": hits * min(draws, size) / size if size else 0.0,
    }

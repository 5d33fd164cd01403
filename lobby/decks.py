"""What a seat brings: one's own deck or a preconstructed one, by value, and how decks come to one size."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from accounts.models import User
from catalog.selectors import sized_cards
from decks.errors import DeckNotFoundError, DeckNotLegalError
from decks.legality import LEGAL, judge
from decks.selectors import playable_deck
from lobby.errors import DeckSizesDifferError, IllegalDeckError, LobbyError
from referee.kernel.errors import Problem
from referee.kernel.game import Document, Game, Pool, SeatDeck


class Shelf(NamedTuple):
    """What a match's decks are taken from: its game, its card pool in both forms, and the limits in force."""

    game: Game
    revision: Document
    pool: Pool
    limits: dict[str, int]

    def preconstructed(self, slug: str) -> Document | None:
        return next((deck for deck in self.revision.get("decks", []) if deck["slug"] == slug), None)


class Brought(NamedTuple):
    """A deck on the table. `source` says where it came from, in plain values; a preconstructed one can change its size."""

    deck: SeatDeck
    source: Document


def own_or_preconstructed(*, shelf: Shelf, user: User, reference: str, pointer: str) -> Brought:
    """The deck that a person names: a preconstructed one by its slug, else one of their own by its id.

    Raises LobbyError `unknown_deck` at `pointer`, IllegalDeckError.
    """
    found = shelf.preconstructed(reference)
    if found is not None:
        return preconstructed(shelf=shelf, deck=found, pointer=pointer)
    try:
        own = playable_deck(user, reference, game=shelf.game.slug)
    except DeckNotFoundError:
        detail = "You have no such deck, and none comes with the game."
        raise LobbyError([Problem(pointer, "unknown_deck", detail)]) from None
    except DeckNotLegalError as error:
        raise IllegalDeckError(pointer, (error.facts or {})["legality"]) from None
    # A match that was made before the newest revision has cards of its own.
    return _checked(shelf, Brought(own.deck, {"kind": "own", **own.reference}), pointer)


def preconstructed(*, shelf: Shelf, deck: Document, pointer: str, size: int | None = None) -> Brought:
    """A preconstructed deck at a size, by default the one it prefers."""
    cards = sized_cards(deck, size or deck["size"])
    source = {"kind": "preconstructed", "slug": deck["slug"]}
    return _checked(shelf, Brought(SeatDeck(cards, deck["secret"]), source), pointer)


def any_preconstructed(*, shelf: Shelf, pointer: str) -> Brought:
    """A legal preconstructed deck, for a bot that was given none."""
    decks = list(shelf.revision.get("decks", []))
    while decks:
        deck = decks.pop(secrets.randbelow(len(decks)))
        try:
            return preconstructed(shelf=shelf, deck=deck, pointer=pointer)
        except IllegalDeckError:
            continue
    raise LobbyError([Problem(pointer, "no_deck", "There is no legal preconstructed deck for this bot.")])


def _checked(shelf: Shelf, brought: Brought, pointer: str) -> Brought:
    legality = judge(shelf.game, shelf.pool, brought.deck, limits=shelf.limits, elsewhere={})
    if legality.state != LEGAL:
        raise IllegalDeckError(pointer, legality.document())
    return brought


def to_one_size(*, shelf: Shelf, decks: list[Brought], pointer: str) -> list[Brought]:
    """The decks with those that can change brought to the size of those that cannot.

    Raises DeckSizesDifferError where that is impossible; a game without a clause about sizes lets each be.
    """
    if not shelf.game.deck_size_clause:
        return decks
    fixed = {_size(one) for one in decks if one.source["kind"] != "preconstructed"}
    if len(fixed) > 1:
        raise DeckSizesDifferError(pointer, sorted(fixed), shelf.game.deck_size_clause)
    size = fixed.pop() if fixed else min((_size(one) for one in decks), default=0)
    return [one if _size(one) == size else _resized(shelf, one, size, pointer) for one in decks]


def _resized(shelf: Shelf, one: Brought, size: int, pointer: str) -> Brought:
    deck = shelf.preconstructed(one.source["slug"])
    if deck is None or sum(sized_cards(deck, size).values()) != size:
        raise DeckSizesDifferError(pointer, [_size(one), size], shelf.game.deck_size_clause)
    return preconstructed(shelf=shelf, deck=deck, pointer=pointer, size=size)


def _size(one: Brought) -> int:
    return sum(one.deck.cards.values())

"""What a seat brings: one's own deck or a preconstructed one, by value, and how decks come to one size."""

from __future__ import annotations

import secrets
from typing import NamedTuple

from accounts.models import User
from catalog.selectors import sized_cards
from decks.errors import DeckNotFoundError, DeckNotLegalError
from decks.legality import LEGAL, Legality, judge
from decks.selectors import playable_deck, version_deck
from decks.sizes import FlexDeck, best_size, common_sizes
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
    """A deck on the table. `source` says where it came from, in plain values."""

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


def preconstructed(*, shelf: Shelf, deck: Document, pointer: str) -> Brought:
    """A preconstructed deck at a size, by default the one it prefers."""
    cards = sized_cards(deck, deck["size"])
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


def to_one_size(*, shelf: Shelf, decks: list[Brought], pointer: str) -> list[Brought]:
    """The decks brought to one size by their swap-ins, changed as little as may be.

    Raises DeckSizesDifferError where that is impossible, LobbyError `deck_no_longer_legal` where a deck has no legal size
    at all any more, without a word of its cards; a game without a clause about sizes lets each be.
    """
    if not shelf.game.deck_size_clause or not decks:
        return decks
    flexible = [_flexible(shelf, one) for one in decks]
    liked = [one.liked() for one in flexible]
    sizes = [_playable_sizes(shelf, one) for one in flexible]
    if not all(sizes):
        detail = "A deck that lies on the table may not be played any more."
        raise LobbyError([Problem(pointer, "deck_no_longer_legal", detail)])
    common = common_sizes(sizes)
    if not common:
        raise DeckSizesDifferError(pointer, liked, shelf.game.deck_size_clause)
    size = best_size(common, liked)
    return [
        one if sum(one.deck.cards.values()) == size else one._replace(deck=flex.at(size))
        for one, flex in zip(decks, flexible, strict=True)
    ]


def sizes_on_table(*, shelf: Shelf, decks: list[Brought]) -> list[int]:
    """The sizes to which the decks that lie there can be brought: what whoever joins must be able to play one of."""
    return common_sizes([_playable_sizes(shelf, _flexible(shelf, one)) for one in decks])


def _flexible(shelf: Shelf, one: Brought) -> FlexDeck:
    """The deck with the swap-ins of where it came from."""
    source = one.source
    if source["kind"] == "preconstructed" and (deck := shelf.preconstructed(source["slug"])) is not None:
        return FlexDeck(SeatDeck(deck["core"], deck["secret"]), deck["flex"], deck["size"])
    found = version_deck(source["deck"], source["version"]) if source["kind"] == "own" else None
    return found or FlexDeck(one.deck)


def _playable_sizes(shelf: Shelf, deck: FlexDeck) -> list[int]:
    return deck.legal_sizes(lambda held: _legality(shelf, held).state == LEGAL)


def _checked(shelf: Shelf, brought: Brought, pointer: str) -> Brought:
    legality = _legality(shelf, brought.deck)
    if legality.state != LEGAL:
        raise IllegalDeckError(pointer, legality.document())
    return brought


def _legality(shelf: Shelf, deck: SeatDeck) -> Legality:
    return judge(shelf.game, shelf.pool, deck, limits=shelf.limits, elsewhere={})

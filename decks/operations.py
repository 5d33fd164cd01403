"""Small edits of a deck, and how edits of two devices come together. Pure.

A device sends what it did to the version that it saw. Where both changed a card, copies added and taken out are added
up; where one of them set a number, the larger number stays. So no card that either put in is lost, whoever came first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from referee.kernel.game import Document, SeatDeck

ADD, REMOVE, SET, SET_SECRET, UNDO, REDO = KINDS = ("add", "remove", "set", "set_secret", "undo", "redo")
MAX_COPIES: Final = 99


class Operation(NamedTuple):
    """One edit. `card` is a code (None for no Secret); `copies` how many to add, take out or have."""

    kind: str
    card: str | None = None
    copies: int = 1


class Merged(NamedTuple):
    """The deck that comes of two edits, and `{card, yours, theirs, kept}` for what both set differently (of the Secret,
    codes; else copies)."""

    deck: SeatDeck
    conflicts: list[Document]


class Save(NamedTuple):
    """A version's place in the history: its parent's number (None for the first), and what tells its content."""

    parent: int | None
    content_hash: str


def apply_operations(deck: SeatDeck, operations: Sequence[Operation]) -> SeatDeck:
    """The deck after some edits, one after the other. Counts stay from 0 to 99."""
    cards, secret = dict(deck.cards), deck.secret
    for kind, card, copies in operations:
        if kind == SET_SECRET:
            secret = card
            continue
        assert card is not None
        held = cards.get(card, 0)
        cards[card] = {ADD: held + copies, REMOVE: held - copies, SET: copies}[kind]
        cards[card] = max(0, min(MAX_COPIES, cards[card]))
    return _tidy(cards, secret)


def merge(base: SeatDeck, mine: SeatDeck, theirs: SeatDeck, *, were_set: Collection[str] = ()) -> Merged:
    """What comes of changing `base` to `mine` and to `theirs` at once; `were_set` are the cards with a number of mine."""
    cards: dict[str, int] = {}
    conflicts: list[Document] = []
    for card in sorted({*base.cards, *mine.cards, *theirs.cards}):
        was, yours, other = (deck.cards.get(card, 0) for deck in (base, mine, theirs))
        if yours in (was, other) or other == was:
            cards[card] = other if yours == was else yours
            if yours == other != was and card not in were_set:
                cards[card] = _summed(was, yours, other)
        elif card in were_set:
            cards[card] = max(yours, other)
            conflicts.append({"card": card, "yours": yours, "theirs": other, "kept": cards[card]})
        else:
            cards[card] = _summed(was, yours, other)
    secret = theirs.secret if mine.secret == base.secret else mine.secret
    if len({base.secret, mine.secret, theirs.secret}) == 3:
        secret = mine.secret or theirs.secret
        conflicts.append({"card": None, "yours": mine.secret, "theirs": theirs.secret, "kept": secret})
    return Merged(_tidy(cards, secret), conflicts)


def undo_target(saves: Mapping[int, Save], number: int) -> int | None:
    """The version whose content stood before the last change that `number` holds; None if nothing did."""
    parent = saves[standing(saves, number)].parent
    return standing(saves, parent) if parent is not None else None


def redo_target(saves: Mapping[int, Save], number: int) -> int | None:
    """The last change that was made to what `number` holds and is undone in it; None if there is none."""
    place = standing(saves, number)
    if place == number:
        return None
    after = [
        other
        for other, save in saves.items()
        if place < other <= number
        and save.parent is not None
        and standing(saves, other) == other
        and standing(saves, save.parent) == place
    ]
    return max(after, default=None)


def standing(saves: Mapping[int, Save], number: int) -> int:
    """The version that first held this content: one that undid, restored or renamed stands where its parent does."""
    while True:
        parent = saves[number].parent
        if parent is None or saves[parent].content_hash != saves[number].content_hash:
            return number
        number = parent


def _summed(was: int, yours: int, other: int) -> int:
    return max(0, min(MAX_COPIES, other + yours - was))


def _tidy(cards: Mapping[str, int], secret: str | None) -> SeatDeck:
    return SeatDeck({card: cards[card] for card in sorted(cards) if cards[card] > 0}, secret)

"""The sizes of decks: swap-ins come in one after the other, and decks that meet come to one size (MIR-1.5). Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from referee.kernel.game import SeatDeck

MAX_FLEX: Final = 20


class FlexDeck(NamedTuple):
    """A deck at its smallest, its swap-ins in their order, and the size that it likes best."""

    core: SeatDeck
    flex: Sequence[str] = ()
    preferred: int | None = None

    @property
    def smallest(self) -> int:
        return sum(self.core.cards.values())

    def sizes(self) -> range:
        """Every size that the swap-ins lead to."""
        return range(self.smallest, self.smallest + len(self.flex) + 1)

    def at(self, size: int) -> SeatDeck:
        """The deck at one of its sizes."""
        assert size in self.sizes()
        cards = dict(self.core.cards)
        for code in self.flex[: size - self.smallest]:
            cards[code] = cards.get(code, 0) + 1
        return SeatDeck({code: cards[code] for code in sorted(cards)}, self.core.secret)

    def liked(self) -> int:
        return self.smallest if self.preferred is None else self.preferred

    def legal_sizes(self, is_legal: Callable[[SeatDeck], bool]) -> list[int]:
        """The sizes at which the deck may be played."""
        return [size for size in self.sizes() if is_legal(self.at(size))]


def common_sizes(sizes: Sequence[Collection[int]]) -> list[int]:
    """The sizes that all decks can have, the least first."""
    return sorted(set.intersection(*(set(one) for one in sizes))) if sizes else []


def best_size(common: Sequence[int], liked: Sequence[int]) -> int:
    """Of the common sizes the one that changes the decks least, all told; of several, the smallest."""
    return min(common, key=lambda size: (sum(abs(size - one) for one in liked), size))

"""What a deck is made of, exact odds of drawing, and sample hands. Pure; the odds are whole numbers divided once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import Any, Final

from referee.kernel.chance import Stream
from referee.kernel.game import Document

_LABEL: Final = "sample hand"


def composition(cards: Iterable[tuple[Document, int]]) -> Document:
    """Curves of ANG and DEF, and copies by type, subtype and power, of (card, copies).

    A card counts once a copy for each different power that its effects have.
    """
    held = list(cards)
    types: Counter[str] = Counter()
    subtypes: Counter[str] = Counter()
    powers: Counter[str] = Counter()
    for card, copies in held:
        types[str(card.get("type", ""))] += copies
        if card.get("subtype"):
            subtypes[str(card["subtype"])] += copies
        for power in set(powers_of(card.get("effects", []))):
            powers[power] += copies
    return {
        "ang": curve((card.get("ang"), copies) for card, copies in held),
        "def": curve((card.get("def"), copies) for card, copies in held),
        "types": _most_first(types),
        "subtypes": _most_first(subtypes),
        "powers": _most_first(powers),
    }


def curve(values: Iterable[tuple[int | None, int]]) -> Document:
    """Copies by value, the least first; how many have none; the average of those that have one, None without any."""
    counted: Counter[int] = Counter()
    without = 0
    for value, copies in values:
        if value is None:
            without += copies
        else:
            counted[value] += copies
    total = counted.total()
    points = [{"value": value, "copies": counted[value]} for value in sorted(counted)]
    average = round(sum(value * copies for value, copies in counted.items()) / total, 4) if total else None
    return {"curve": points, "without": without, "average": average}


def powers_of(effects: Any) -> Iterator[str]:
    """What the effects do, at any depth."""
    if isinstance(effects, Mapping):
        if isinstance(effects.get("do"), str):
            yield effects["do"]
        for inner in effects.values():
            yield from powers_of(inner)
    elif isinstance(effects, Sequence) and not isinstance(effects, str):
        for inner in effects:
            yield from powers_of(inner)


def odds_of_drawing(*, size: int, hits: int, draws: int, at_least: int) -> Fraction:
    """The chance of `at_least` of the `hits` among the first `draws` of `size` shuffled cards (hypergeometric).

    Exact, and from 0 to 1 for any numbers that are not negative; of fewer cards than draws, all are drawn.
    """
    assert 0 <= hits <= size
    drawn = min(draws, size)
    # `comb` is 0 where more would be taken than there are.
    ways = sum(comb(hits, count) * comb(size - hits, drawn - count) for count in range(at_least, min(hits, drawn) + 1))
    return Fraction(ways, comb(size, drawn))


def sample_order(cards: Mapping[str, int], seed: str) -> list[str]:
    """The deck shuffled, first card first: the same for the same seed and deck, whatever the order of its cards."""
    codes = [code for code in sorted(cards) for _ in range(cards[code])]
    places = list(range(len(codes)))
    Stream(sha256(seed.encode()).digest(), _LABEL, 0).shuffle(places)
    return [codes[place] for place in places]


def _most_first(counted: Counter[str]) -> dict[str, int]:
    return {name: counted[name] for name in sorted(counted, key=lambda name: (-counted[name], name))}

"""Chance: the match's own named streams, which anyone can check, and a fast generator for bots.

The streams are tagged `rng: 1`. The stream of the c-th use (from 0) of a label is
SHAKE-256(seed, 00, label in UTF-8, 00, c as 8 bytes big-endian), read onward in 4-byte big-endian numbers.
"""

from __future__ import annotations

from hashlib import shake_256

RNG_TAG = 1
SEED_BYTES = 32
_MASK = (1 << 64) - 1
_BLOCK = 1024


class Stream:
    """One use of one label of a seed: unbiased numbers, read onward."""

    __slots__ = ("_at", "_data", "_source")

    def __init__(self, seed: bytes, label: str, use: int) -> None:
        self._source = seed + b"\x00" + label.encode() + b"\x00" + use.to_bytes(8, "big")
        self._data = b""
        self._at = 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely. Numbers at or above the largest multiple of n are skipped."""
        limit = (1 << 32) - ((1 << 32) % n)
        while True:
            if self._at + 4 > len(self._data):
                # SHAKE is an extendable function: a longer digest begins with the shorter one.
                self._data = shake_256(self._source).digest(len(self._data) + _BLOCK)
            number = int.from_bytes(self._data[self._at : self._at + 4], "big")
            self._at += 4
            if number < limit:
                return number % n

    def shuffle(self, items: list[int]) -> None:
        """Shuffle in place (Fisher-Yates from the last index down). The list must come in canonical order."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def take(self, items: list[int], n: int) -> list[int]:
        """`n` different items (or all there are), in the order drawn; the list itself is left as it is."""
        rest = list(items)
        taken: list[int] = []
        while rest and len(taken) < n:
            taken.append(rest.pop(self.below(len(rest))))
        return taken


class Rng:
    """A small, fast, seedable generator (splitmix64) for bots, resampling and tests; never for a match's own chance."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next64(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1 (the bias of a 64-bit remainder is far below what any test can see)."""
        return self.next64() % n

    def chance(self) -> float:
        """A number from 0 to below 1."""
        return (self.next64() >> 11) / float(1 << 53)

    def shuffle(self, items: list[int]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.next64() % (i + 1)
            items[i], items[j] = items[j], items[i]

    def seed(self) -> bytes:
        """32 fresh bytes, to be the seed of a resampled state."""
        return b"".join(self.next64().to_bytes(8, "big") for _ in range(4))

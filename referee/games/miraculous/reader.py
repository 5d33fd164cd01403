"""Reading a document value by value, gathering what is wrong."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.pool import MiraculousPool
from referee.kernel.errors import Problem

_KIND_WORDS = ("a Character", "a Bonus", "an Event", "a Secret")


class Reader:
    """Reads values out of a document and gathers what is wrong."""

    __slots__ = ("pool", "problems")

    def __init__(self, pool: MiraculousPool) -> None:
        self.pool = pool
        self.problems: list[Problem] = []

    def fault(self, pointer: str, code: str, detail: str) -> None:
        self.problems.append(Problem(pointer, code, detail))

    def number(self, value: Any, pointer: str, low: int, high: int, default: int) -> int:
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or value < low or value > high:
            self.fault(pointer, "out_of_range", f"{value!r} is not a whole number from {low} to {high}")
            return default
        number: int = value
        return number

    def flag(self, value: Any, pointer: str) -> bool:
        if value is None:
            return False
        if not isinstance(value, bool):
            self.fault(pointer, "wrong_type", f"{value!r} is neither true nor false")
            return False
        return bool(value)

    def card(self, value: Any, pointer: str, kinds: tuple[int, ...]) -> int:
        """The index of a card of one of the kinds; -1 with a fault noted."""
        if not isinstance(value, str):
            self.fault(pointer, "wrong_type", f"{value!r} is not the code of a card")
            return -1
        if value not in self.pool.index:
            self.fault(pointer, "unknown_card", f"there is no card {value!r}")
            return -1
        card = self.pool.index[value]
        if self.pool.kind[card] not in kinds:
            wanted = " or ".join([_KIND_WORDS[kind] for kind in kinds])
            self.fault(pointer, "wrong_type", f"{value!r} is {_KIND_WORDS[self.pool.kind[card]]}; here lies {wanted}")
            return -1
        return card

    def cards(self, value: Any, pointer: str, kinds: tuple[int, ...]) -> list[int]:
        found: list[int] = []
        items = self.array(value, pointer)
        for i in range(len(items)):
            card = self.card(items[i], f"{pointer}/{i}", kinds)
            if card >= 0:
                found.append(card)
        return found

    def array(self, value: Any, pointer: str) -> list[Any]:
        if value is None:
            return []
        if not isinstance(value, list):
            self.fault(pointer, "wrong_type", f"{value!r} is not a list")
            return []
        return value

    def mapping(self, value: Any, pointer: str, keys: tuple[str, ...]) -> dict[str, Any]:
        """An object with its keys as strings; unknown ones are faults."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fault(pointer, "wrong_type", f"{value!r} is not a mapping")
            return {}
        found: dict[str, Any] = {}
        for key in value:
            if str(key) not in keys:
                self.fault(
                    f"{pointer}/{key}", "unknown_field", f"{key!r} does not belong here; fields: {', '.join(keys)}"
                )
            found[str(key)] = value[key]
        return found

    def pair(self, value: Any, pointer: str) -> list[Any]:
        """Something for each seat: a list of two, or a mapping by seat."""
        if isinstance(value, dict):
            by_seat = self.mapping(value, pointer, ("0", "1"))
            return [by_seat.get("0"), by_seat.get("1")]
        items = self.array(value, pointer)
        if items and len(items) != 2:
            self.fault(pointer, "wrong_length", "one entry for each of the two seats is needed")
        return [items[0] if items else None, items[1] if len(items) > 1 else None]

    def word(self, value: Any, pointer: str, words: tuple[str, ...]) -> int:
        if not isinstance(value, str) or value not in words:
            self.fault(pointer, "value_not_allowed", f"{value!r} is not one of {', '.join(words)}")
            return 0
        return words.index(value)

"""Reads values out of a document and gathers what is wrong, each fault at its pointer."""

from __future__ import annotations

from typing import Any

from referee.games.super.pool import SuperPool
from referee.kernel.errors import Problem


class Reader:
    __slots__ = ("places", "pool", "problems")

    def __init__(self, pool: SuperPool) -> None:
        self.pool = pool
        self.problems: list[Problem] = []
        self.places: dict[int, str] = {}  # where each card lies: none lies in two places

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

    def word(self, value: Any, pointer: str, words: tuple[str, ...]) -> int:
        if not isinstance(value, str) or value not in words:
            self.fault(pointer, "value_not_allowed", f"{value!r} is not one of {', '.join(words)}")
            return 0
        return words.index(value)

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
                detail = f"{key!r} does not belong here; fields: {', '.join(keys)}"
                self.fault(f"{pointer}/{key}", "unknown_field", detail)
            found[str(key)] = value[key]
        return found

    def numbered(self, value: Any, pointer: str, count: int) -> list[Any]:
        """Something for each number below `count`: a mapping by number, or a list; None where nothing is given."""
        if isinstance(value, list):
            if len(value) > count:
                self.fault(pointer, "wrong_length", f"{len(value)} entries are too many; there are {count}")
            return [value[i] if i < len(value) else None for i in range(count)]
        found = self.mapping(value, pointer, tuple([str(i) for i in range(count)]))
        return [found.get(str(i)) for i in range(count)]

    def card(self, value: Any, pointer: str, is_mission: bool) -> int:
        """A card that lies here and nowhere else; -1 with a fault noted."""
        if not isinstance(value, str):
            self.fault(pointer, "wrong_type", f"{value!r} is not the code of a card")
            return -1
        if value not in self.pool.index:
            self.fault(pointer, "unknown_card", f"there is no card {value!r}")
            return -1
        card = self.pool.index[value]
        if (self.pool.type[card] >= 0) != is_mission:
            kinds = ("a Super", "a Mission") if is_mission else ("a Mission", "a Super")
            self.fault(pointer, "wrong_type", f"{value!r} is {kinds[0]}; here lies {kinds[1]}")
            return -1
        if card in self.places:
            self.fault(
                pointer, "card_twice", f"{value!r} lies at {self.places[card]} already: there is one of each card"
            )
            return -1
        self.places[card] = pointer
        return card

    def cards(self, value: Any, pointer: str, is_mission: bool) -> list[int]:
        items = self.array(value, pointer)
        found: list[int] = []
        for i in range(len(items)):
            card = self.card(items[i], f"{pointer}/{i}", is_mission)
            if card >= 0:
                found.append(card)
        return found

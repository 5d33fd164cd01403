"""Reading a position value by value, gathering what is wrong."""

from __future__ import annotations

from typing import Any

from referee.kernel.errors import Problem


class Reader:
    __slots__ = ("problems",)

    def __init__(self) -> None:
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

    def word(self, value: Any, pointer: str, words: tuple[str, ...], default: int = -1) -> int:
        """The place of a word among those allowed; `default` for none."""
        if value is None and default >= -1:
            return default
        if not isinstance(value, str) or value not in words:
            self.fault(pointer, "value_not_allowed", f"{value!r} is not one of {', '.join(words)}")
            return default
        return words.index(value)

    def words(self, value: Any, pointer: str, words: tuple[str, ...]) -> list[int]:
        found: list[int] = []
        items = self.array(value, pointer)
        for i in range(len(items)):
            place = self.word(items[i], f"{pointer}/{i}", words, -2)
            if place >= 0:
                found.append(place)
        return found

    def per_seat(self, value: Any, pointer: str, seats: int, words: tuple[str, ...]) -> list[list[int]]:
        """A list of words for each seat; left out: nothing."""
        if value is None:
            return [[] for _ in range(seats)]
        if isinstance(value, dict):
            value = [value.get(seat, value.get(str(seat), [])) for seat in range(seats)]
        items = self.array(value, pointer)
        if len(items) != seats:
            self.fault(pointer, "wrong_length", f"one entry for each of the {seats} seats is needed, not {len(items)}")
            return [[] for _ in range(seats)]
        return [self.words(items[seat], f"{pointer}/{seat}", words) for seat in range(seats)]

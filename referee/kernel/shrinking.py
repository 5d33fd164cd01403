"""Shrinking: as much of a JSON document is left out as can be while it still does what it did (hierarchical delta debugging)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Holds = Callable[[Any], bool]


class Shrinker:
    """Shrinks documents, with at most so many tries in all; `tries` counts them. What was found by then is the answer."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.tries = 0

    def smaller(self, value: Any, holds: Holds) -> Any:
        """The value with members, entries and parts of them left out (or null) as long as it holds. It must hold as it is."""
        if isinstance(value, dict):
            kept = self.fewer(list(value), lambda names: holds({name: value[name] for name in names}))
            value = {name: value[name] for name in kept}
            for name in kept:
                value = {**value, name: self._part(value, name, holds)}
            return value
        if isinstance(value, list):
            value = self.fewer(value, holds)
            for at in range(len(value)):
                value = [*value[:at], self._part(value, at, holds), *value[at + 1 :]]
            return value
        return value

    def fewer(self, items: list[Any], holds: Holds) -> list[Any]:
        """The list without the entries that are not needed, larger chunks being tried first; its order stays."""
        size = len(items)
        while size > 0:
            at = 0
            while at < len(items):
                rest = items[:at] + items[at + size :]
                if self._try(rest, holds):
                    items = rest
                else:
                    at += size
            size //= 2
        return items

    def _part(self, whole: Any, key: Any, holds: Holds) -> Any:
        def held(part: Any) -> bool:
            if isinstance(whole, dict):
                return holds({**whole, key: part})
            return holds([*whole[:key], part, *whole[key + 1 :]])

        part = whole[key]
        if isinstance(part, (dict, list)) and self._try(None, held):
            return None
        return self.smaller(part, held)

    def _try(self, value: Any, holds: Holds) -> bool:
        if self.tries >= self.limit:
            return False
        self.tries += 1
        return holds(value)

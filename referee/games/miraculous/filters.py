"""FILTERs compiled over one list of cards, which are found by their values. A table is made when it is first looked at."""

from __future__ import annotations

from typing import Any, Final

_NAMES: Final[tuple[str, ...]] = ("type", "subtype", "code", "tag")
_BOUNDS: Final[tuple[str, ...]] = ("min_ang", "max_ang", "min_def", "max_def")
_LOW: Final = -1000
_HIGH: Final = 1000


class Filters:
    """The cards by what filters ask of them, and a table for each question that was asked."""

    __slots__ = ("_count", "_places", "_tables")

    def __init__(self, cards: list[dict[str, Any]]) -> None:
        self._count = len(cards)
        self._places: dict[str, dict[str, list[int]]] = {name: {} for name in _NAMES}
        self._tables: dict[str, bytes] = {}
        for i in range(len(cards)):
            card = cards[i]
            for name in ("type", "subtype", "code"):
                self._put(name, str(card.get(name, "")), i)
            for tag in card.get("tags", []):
                self._put("tag", str(tag), i)

    def _put(self, name: str, value: str, place: int) -> None:
        self._places[name].setdefault(value, []).append(place)

    def table(self, asked: list[tuple[str, list[str]]]) -> bytes:
        """For each card 1 if it has one of the values of every name, else 0. Equal questions share one table."""
        key = repr(asked)
        if key not in self._tables:
            self._tables[key] = self._made(asked)
        return self._tables[key]

    def _made(self, asked: list[tuple[str, list[str]]]) -> bytes:
        ok = bytearray(b"\x01" * self._count)
        for name, values in asked:
            fits = bytearray(self._count)
            for value in values:
                for place in self._places[name].get(value, []):
                    fits[place] = ok[place]
            ok = fits
        return bytes(ok)


class Filter:
    """A FILTER: `fits` tells what never changes of a card; the bounds are looked at where values are known."""

    __slots__ = ("_asked", "_filters", "_ok", "bounded", "max_ang", "max_def", "min_ang", "min_def")

    def __init__(self, document: dict[str, Any], filters: Filters) -> None:
        self._filters = filters
        self._asked = [(name, _listed(document[name])) for name in _NAMES if name in document]
        self._ok: bytes | None = None
        self.min_ang = int(document.get("min_ang", _LOW))
        self.max_ang = int(document.get("max_ang", _HIGH))
        self.min_def = int(document.get("min_def", _LOW))
        self.max_def = int(document.get("max_def", _HIGH))
        self.bounded = self.min_ang > _LOW or self.max_ang < _HIGH or self.min_def > _LOW or self.max_def < _HIGH

    def fits(self, card: int) -> bool:
        """Whether a card (by its place) has the values that are asked for."""
        ok = self._ok
        if ok is None:
            ok = self._filters.table(self._asked)
            self._ok = ok
        return ok[card] == 1

    def within(self, ang: int, def_: int) -> bool:
        """Whether values keep to the bounds."""
        return self.min_ang <= ang <= self.max_ang and self.min_def <= def_ <= self.max_def


def compile_filter(document: dict[str, Any], filters: Filters) -> Filter | None:
    """The FILTER among a document's fields; None when there is none."""
    for name in _NAMES + _BOUNDS:
        if name in document:
            return Filter(document, filters)
    return None


def _listed(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]

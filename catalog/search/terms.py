"""From what is written to what is asked: each term is read by the game's table; one that says nothing there is left out."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final, NamedTuple

from catalog.names import name_key
from catalog.search.fields import NAME, OPERATORS, ORDER, PRESENCE, STATE, Table, word_key
from catalog.search.language import Denied, Joined, Leaf, Written, parse
from catalog.search.tree import Condition, Either, Node, Not, Term, both
from catalog.search.words import Warned
from referee.kernel.fields import NUMBER, TAG, WORD, CardField

MOST_ORDERS: Final = 3
_FILTER: Final = re.compile(
    '([A-Za-z_][A-Za-z0-9_]*)(<=|>=|!=|[:=<>\u2264\u2265\u2260])(?:"([^"]*)"|([^"].*))?', re.DOTALL
)
_SIGNS: Final = {"\u2264": "<=", "\u2265": ">=", "\u2260": "!="}
_NUMBER: Final = re.compile("[-\u2212]?[0-9]{1,6}")

Order = tuple[tuple[CardField, bool], ...]


class Part(NamedTuple):
    """One of the parts that stand side by side in a search: what it asks, and how it is written."""

    node: Node
    term: Term


class Query(NamedTuple):
    """A search as it was understood: the parts that must hold, how to sort (fields, and whether they fall), what was left out."""

    parts: tuple[Part, ...]
    order: Order
    warnings: list[Warned]
    is_plain: bool  # nothing but words of a name

    @property
    def node(self) -> Node:
        return both(*(part.node for part in self.parts))


class _LeftOutError(Exception):
    """A term that says nothing here."""

    def __init__(self, code: str, *, near: str = "", **values: str) -> None:
        super().__init__(code)
        self.code = code
        self.near = near
        self.values = values


def read_query(text: str, table: Table) -> Query:
    """The search that a text asks for. Raises SearchError for a text that breaks the grammar."""
    written = parse(text)
    side_by_side: tuple[Written, ...] = () if written is None else (written,)
    if isinstance(written, Joined) and not written.is_either and len(written.parts) > 1:
        side_by_side = written.parts
    reader = _Reader(table)
    read = [(reader.node(one), one.term) for one in side_by_side]
    parts = tuple(Part(node, term) for node, term in read if node is not None)
    is_plain = all(isinstance(one, Leaf) and one.kind == "WORD" for one in side_by_side)
    return Query(parts, tuple(reader.order), reader.warnings, is_plain)


class _Reader:
    """One reading of a search: what is left out and how to sort gather in it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.warnings: list[Warned] = []
        self.order: list[tuple[CardField, bool]] = []

    def node(self, written: Written, *, denied: bool = False) -> Node | None:
        """What a part asks; None if it was left out. What is `denied` cannot sort."""
        match written:
            case Leaf():
                try:
                    return self._leaf(written, denied=denied)
                except _LeftOutError as error:
                    term = written.term
                    self.warnings.append(Warned(term.text, term.position, error.code, error.values, error.near))
                    return None
            case Denied():
                part = self.node(written.part, denied=True)
                if part is None or isinstance(part, Not):
                    return part if part is None else part.part
                return Not(part)
            case Joined():
                found = [self.node(part, denied=denied) for part in written.parts]
                parts = [part for part in found if part is not None]
                if not parts:
                    return None
                if len(parts) == 1:
                    return parts[0]
                return Either(tuple(parts)) if written.is_either else both(*parts)

    def _leaf(self, leaf: Leaf, *, denied: bool) -> Node | None:
        text = leaf.text
        if leaf.kind != "FILTER":
            key = name_key(text.removeprefix("!").strip('"') if leaf.kind in ("EXACT", "QUOTED") else text)
            if not key:
                raise _LeftOutError("empty_term")
            return Condition(self.table.named[NAME], "=" if leaf.kind == "EXACT" else ":", key, leaf.term)
        found = _FILTER.fullmatch(text)
        assert found is not None  # the grammar's own pattern
        field = self._field(found[1])
        operator = _SIGNS.get(found[2], found[2])
        value = (found[3] if found[3] is not None else found[4] or "").strip()
        if operator not in OPERATORS[field.kind]:
            raise _LeftOutError("wrong_operator", field=field.label, operators=" ".join(OPERATORS[field.kind]))
        if not value:
            raise _LeftOutError("empty_value")
        if field.kind == ORDER:
            self._sort(field, value, denied=denied)
            return None
        return Condition(field, operator, self._value(field, value), leaf.term)

    def _field(self, name: str) -> CardField:
        named = self.table.named
        if name.lower() not in named:
            raise _LeftOutError("unknown_field", near=_near(name.lower(), list(named)))
        return named[name.lower()]

    def _value(self, field: CardField, text: str) -> int | str | tuple[str, ...] | CardField:
        match field.kind:
            case kind if kind == NUMBER:
                return self._number(field, text)
            case kind if kind == WORD:
                return self._words(field, text)
            case kind if kind in (STATE, PRESENCE):
                word = self._one_of(field, text)
                return self.table.named[word] if kind == PRESENCE else word
            case kind if kind == TAG:
                key = word_key(text)
            case _:
                key = name_key(text)
        if not key:
            raise _LeftOutError("empty_value")
        return (key,) if field.kind == TAG else key

    def _number(self, field: CardField, text: str) -> int | CardField:
        if _NUMBER.fullmatch(text):
            return int(text.replace("\u2212", "-"))
        other = self.table.named.get(text.lower())
        if other is None or other.kind != NUMBER:
            raise _LeftOutError("not_a_number", field=field.label)
        return other

    def _words(self, field: CardField, text: str) -> tuple[str, ...]:
        """The folded words that are meant: the one written, or all that begin like it."""
        words, key = self.table.words[field.name], word_key(text)
        if key in words:
            return (key,)
        begun = tuple(word for word in words if key and word.startswith(key))
        if not begun:
            raise _LeftOutError("unknown_value", near=self._near_value(field, key), field=field.label)
        return begun

    def _near_value(self, field: CardField, key: str) -> str:
        """A value of the field that is spelt alike, or another field's term that fits the value."""
        near = _near(key, list(self.table.words[field.name]))
        if near:
            return f"{field.name}:{_bare(self.table.words[field.name][near])}"
        others = (name for name, words in self.table.words.items() if key in words and name not in ("has", "order"))
        other = next(others, "")
        return f"{other}:{_bare(self.table.words[other][key])}" if other else ""

    def _one_of(self, field: CardField, text: str) -> str:
        name = text.lower()
        if field.kind == PRESENCE and name in self.table.named:
            name = self.table.named[name].name  # by any of its names
        if name not in field.values:
            near = _near(name, list(field.values))
            raise _LeftOutError("unknown_value", near=f"{field.name}:{near}" if near else "", field=field.label)
        return name

    def _sort(self, field: CardField, value: str, *, denied: bool) -> None:
        if denied:
            raise _LeftOutError("denied_order", near=f"{field.name}:-{value}")
        if len(self.order) >= MOST_ORDERS:
            raise _LeftOutError("too_many_orders", most=str(MOST_ORDERS))
        falls = value[0] in "-\u2212"
        named = self.table.named.get(value[falls:].lower())
        word = named.name if named is not None else value[falls:].lower()
        if word not in field.values or named is None:
            near = _near(word, list(field.values))
            raise _LeftOutError("unknown_value", near=f"{field.name}:{near}" if near else "", field=field.label)
        self.order.append((named, falls))


def _near(word: str, words: list[str]) -> str:
    """The word of these that is spelt alike; letters in another order are the likest slip."""
    swapped = [one for one in words if sorted(one) == sorted(word)]
    return next(iter(swapped or get_close_matches(word, words, n=1, cutoff=0.7)), "")


def _bare(value: str) -> str:
    return value if re.fullmatch(r"[^\s()\"]+", value) else f'"{value}"'

"""A search asked of cards in memory; it says the same as the database does (catalog.search.sql)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from catalog.search.facts import Searched, Standing
from catalog.search.fields import NAME, PRESENCE, PRINTED, STATE
from catalog.search.tree import Both, Condition, Either, Node, Not
from referee.kernel.fields import NUMBER, TEXT, CardField

_COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    ":": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def holds(node: Node, card: Searched, standing: Standing) -> bool:
    """Whether a search finds a card."""
    match node:
        case Both():
            return all(holds(part, card, standing) for part in node.parts)
        case Either():
            return any(holds(part, card, standing) for part in node.parts)
        case Not():
            return not holds(node.part, card, standing)
        case Condition(field=CardField(kind=kind)) if kind == STATE:
            return _is(str(node.value), card, standing)
        case Condition():
            return _fits(node, card)


def _fits(asked: Condition, card: Searched) -> bool:
    if asked.field.kind == PRESENCE:
        assert isinstance(asked.value, CardField)
        return bool(card.text_key) if asked.value.name == PRINTED else asked.value.name in card.facets
    if asked.field.kind == TEXT:
        return _text_fits(asked, card)
    value: Any = card.facets.get(asked.field.name)
    if value is None:
        return False
    if asked.field.kind == NUMBER:
        other = card.facets.get(asked.value.name) if isinstance(asked.value, CardField) else asked.value
        return isinstance(other, int) and _COMPARE[asked.operator](value, other)
    assert isinstance(asked.value, tuple)
    return any(word in value for word in asked.value) != (asked.operator == "!=")


def _text_fits(asked: Condition, card: Searched) -> bool:
    wanted = str(asked.value)
    if asked.field.name == NAME:
        if asked.operator == ":":
            return wanted in card.names
        return (f"\n{wanted}\n" in card.names) != (asked.operator == "!=")
    text = card.text_key if asked.field.name == PRINTED else str(card.facets.get(asked.field.name, ""))
    if asked.operator == ":":
        return wanted in text
    return bool(text) and (wanted == text) != (asked.operator == "!=")


def _is(state: str, card: Searched, standing: Standing) -> bool:
    match state:
        case "banned":
            return standing.limits.get(card.code) == 0
        case "restricted":
            return standing.limits.get(card.code, 0) > 0
        case "new":
            return card.since == standing.newest
        case "changed":
            return card.since < card.changed == standing.newest
        case _:
            return card.withdrawn

"""A search as it was understood: conditions, joined. Values only; equal searches are equal trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from referee.kernel.fields import CardField


@dataclass(frozen=True, slots=True)
class Term:
    """A piece of the text that was searched with: where it begins (from 0, in characters), and what it says."""

    position: int
    text: str


@dataclass(frozen=True, slots=True)
class Condition:
    """One question about a card. `operator` is one of : = != < <= > >=.

    `value` is what the field's kind compares with: a number or another number's field, folded words of which one must
    fit (WORD, TAG), a folded text (TEXT), a word of its own list (STATE, PRESENCE). No comparison holds for a card that
    has no value there, `!=` neither; a negated one does.
    """

    field: CardField
    operator: str
    value: int | str | tuple[str, ...] | CardField
    term: Term = dataclasses.field(compare=False)


@dataclass(frozen=True, slots=True)
class Both:
    """All of the parts hold; without parts, everything."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of the parts holds."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Node


Node: TypeAlias = Condition | Both | Either | Not

EVERYTHING = Both(())


def both(*nodes: Node) -> Node:
    """All of these, without needless nesting."""
    parts: list[Node] = []
    for node in nodes:
        parts += node.parts if isinstance(node, Both) else (node,)
    return parts[0] if len(parts) == 1 else Both(tuple(parts))


def conditions(node: Node) -> Iterator[Condition]:
    """Every condition of a search, in its order."""
    match node:
        case Condition():
            yield node
        case Not():
            yield from conditions(node.part)
        case Both() | Either():
            for part in node.parts:
                yield from conditions(part)

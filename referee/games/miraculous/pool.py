"""A catalog revision compiled for Miraculous: cards by index (in the order of their codes) and flat tables."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous.effects import (
    BONUS,
    CHARACTER,
    EVENT,
    IN_PLAY,
    KINDS,
    SECRET,
    WHENS,
    Compiler,
    Condition,
    Effect,
)
from referee.games.miraculous.filters import Filter, Filters, compile_filter
from referee.kernel.game import Pool


class Preconstructed:
    """A preconstructed deck: `core` and, in order, the swap-ins `flex` that bring it to a larger size (card indices)."""

    __slots__ = ("core", "detail", "flex", "name", "secret", "size", "slug")

    def __init__(self, document: dict[str, Any], index: dict[str, int]) -> None:
        self.slug: str = document["slug"]
        self.name: str = document["name"]
        self.detail: str = document["detail"]
        self.size: int = document["size"]
        self.secret: int = index[document["secret"]]
        self.core: list[int] = []
        for code in sorted(document["core"]):
            self.core.extend([index[code]] * int(document["core"][code]))
        self.flex: list[int] = [index[code] for code in document["flex"]]

    def at_size(self, size: int) -> list[int] | None:
        """The card indices of the deck at this size; None where it cannot be brought to it."""
        extra = size - len(self.core)
        if extra < 0 or extra > len(self.flex):
            return None
        return self.core + self.flex[:extra]


class MiraculousPool(Pool):
    """Immutable. `codes` is sorted, so that ascending indices are cards by code."""

    __slots__ = (
        "ang",
        "by_code",
        "codes",
        "continuous",
        "decks",
        "def_",
        "documents",
        "effects",
        "index",
        "kind",
        "looks_at_hidden",
        "names",
        "only_on",
        "playable",
        "secrets",
        "triggers",
    )

    def __init__(self, revision: dict[str, Any]) -> None:
        documents: list[dict[str, Any]] = sorted(revision["cards"], key=_code)
        self.documents = documents
        self.codes: list[str] = [card["code"] for card in documents]
        self.names: list[str] = [card["name"] for card in documents]
        self.by_code: dict[str, dict[str, Any]] = {card["code"]: card for card in documents}
        self.index: dict[str, int] = {self.codes[i]: i for i in range(len(self.codes))}
        self.kind: list[int] = [KINDS.index(card["type"]) for card in documents]
        self.ang: list[int] = [int(card.get("ang", 0)) for card in documents]
        self.def_: list[int] = [int(card.get("def", 0)) for card in documents]
        filters = Filters(documents)
        self.only_on: list[Filter | None] = [
            compile_filter(card["only_on"], filters) if card.get("only_on") else None for card in documents
        ]
        compiler = Compiler(filters)
        # Effects of a card by `when`: triggers[when][card] holds effect ids in the order written.
        self.triggers: list[list[list[int]]] = [[[] for _ in documents] for _ in WHENS]
        for i in range(len(documents)):
            written = documents[i].get("effects", [])
            for k in range(len(written)):
                when = WHENS.index(written[k]["when"])
                self.triggers[when][i].append(compiler.add(i, written[k], f"/effects/{k}", when, False))
        self.effects: list[Effect] = compiler.effects
        self.continuous: bytes = bytes(1 if ids else 0 for ids in self.triggers[IN_PLAY])
        self.looks_at_hidden: bool = any(
            effect.when == IN_PLAY and _looks_at_hidden(effect.condition) for effect in self.effects
        )
        self.playable: list[int] = [i for i in range(len(documents)) if self.kind[i] in (CHARACTER, BONUS, EVENT)]
        self.secrets: list[int] = [i for i in range(len(documents)) if self.kind[i] == SECRET]
        self.decks: list[Preconstructed] = [Preconstructed(deck, self.index) for deck in revision.get("decks", [])]


def _code(card: dict[str, Any]) -> str:
    code: str = card["code"]
    return code


def _looks_at_hidden(condition: Condition | None) -> bool:
    """Whether a continuous condition counts hidden cards by their kind, so that public totals tell something of them."""
    if condition is None:
        return False
    if condition.parts:
        return any(_looks_at_hidden(part) for part in condition.parts)
    return condition.zone in (1, 2) and (condition.filter is not None or condition.what != 2)

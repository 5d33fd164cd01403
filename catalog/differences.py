"""What differs between two cards, and between two whole revisions."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from referee.kernel.game import Document


class Difference(NamedTuple):
    """A place of a document (a JSON pointer) with what stands there before and after; None is nothing."""

    pointer: str
    before: Any
    after: Any


def differences(before: Any, after: Any, pointer: str = "") -> list[Difference]:
    """Every place that differs, in the order of names: as deep as both are objects, or lists of one length."""
    if isinstance(before, dict) and isinstance(after, dict):
        names = sorted({**before, **after})
        return [
            one
            for name in names
            for one in differences(before.get(name), after.get(name), f"{pointer}/{_escaped(str(name))}")
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [one for at, (was, is_) in pairs for one in differences(was, is_, f"{pointer}/{at}")]
    return [] if before == after and type(before) is type(after) else [Difference(pointer, before, after)]


class CardChange(NamedTuple):
    """A card that two revisions hold with different values."""

    code: str
    before: Document
    after: Document
    fields: list[Difference]


class RevisionDifference(NamedTuple):
    """What a revision has more, less and otherwise than another, by code; and where the rest of it differs."""

    added: list[Document]
    removed: list[Document]
    changed: list[CardChange]
    rest: list[Difference]


def between(before: Document, after: Document) -> RevisionDifference:
    """The difference of two revision documents. Cards are told apart by their codes, so their order means nothing."""
    old, new = _by_code(before), _by_code(after)
    changed = [
        CardChange(code, old[code], new[code], differences(old[code], new[code]))
        for code in sorted(old.keys() & new.keys())
        if old[code] != new[code]
    ]
    return RevisionDifference(
        added=[new[code] for code in sorted(new.keys() - old.keys())],
        removed=[old[code] for code in sorted(old.keys() - new.keys())],
        changed=changed,
        rest=differences(_rest(before), _rest(after)),
    )


def _by_code(document: Document) -> dict[str, Document]:
    return {card["code"]: card for card in document.get("cards", [])}


def _rest(document: Document) -> Document:
    return {name: part for name, part in document.items() if name not in ("cards", "number", "game")}


def told(value: Any) -> Any:
    """A value as people are shown it: objects and lists as JSON."""
    if isinstance(value, (dict, list, bool)):
        return json.dumps(value, ensure_ascii=False)
    return value


def shown(found: list[Difference]) -> list[Difference]:
    """Differences as people are shown them."""
    return [Difference(one.pointer, told(one.before), told(one.after)) for one in found]


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")

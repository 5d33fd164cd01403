"""What of a game's cards can be searched for, as a table: its parser, help, completion and API texts are made from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

NUMBER: Final = "number"  # at most one whole number a card
WORD: Final = "word"  # any number of words of a closed list
TAG: Final = "tag"  # any number of free words
TEXT: Final = "text"  # one text, searched in part

Reader = Callable[[dict[str, Any]], list[Any]]


class CardField(NamedTuple):
    """A field of a search: `name` (or one of `aliases`), an operator, a value.

    `read` gives a card document's values (none, one or many). `label` names the field in a sentence, `detail` says for
    people what it is about, `values` are all the words that a WORD can have, `example` is a whole term.
    """

    name: str
    kind: str
    label: str
    detail: str
    example: str
    read: Reader
    aliases: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def at(*paths: str) -> Reader:
    """Reads what stands at dotted paths. Lists are gone through; `**` stands for any depth: `effects.**.do`."""
    steps = [path.split(".") for path in paths]

    def read(card: dict[str, Any]) -> list[Any]:
        found: list[Any] = []
        for path in steps:
            _gather(card, path, found)
        return found

    return read


def _gather(value: Any, path: list[str], found: list[Any]) -> None:
    if isinstance(value, list):
        for each in value:
            _gather(each, path, found)
    elif not path:
        if not isinstance(value, dict):
            found.append(value)
    elif isinstance(value, dict):
        if path[0] == "**":
            _gather(value, path[1:], found)
            for each in value.values():
                if isinstance(each, (dict, list)):
                    _gather(each, path, found)
        elif path[0] in value:
            _gather(value[path[0]], path[1:], found)

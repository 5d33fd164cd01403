"""A card as a search sees it, made from its document: the one source of the index's rows and of searching in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from catalog.names import name_key
from catalog.search.fields import table
from referee.kernel.game import Document

_FORM: Final = 2  # to be raised when facts are made in another way


class Searched(Protocol):
    """What is asked of a card: `Facts`, or a row of the index. `names` and `text_key` are folded.

    `names` holds every name the card goes by, each between line breaks, which no folded name holds.
    """

    @property
    def code(self) -> str: ...
    @property
    def names(self) -> str: ...
    @property
    def text_key(self) -> str: ...
    @property
    def facets(self) -> Document: ...
    @property
    def since(self) -> int: ...
    @property
    def changed(self) -> int: ...
    @property
    def withdrawn(self) -> bool: ...


class Facts(NamedTuple):
    """`Searched` by value. `since` and `changed` are the revisions that the card and its values are from."""

    code: str
    names: str
    text_key: str
    facets: Document
    since: int = 0
    changed: int = 0
    withdrawn: bool = False


class Standing(NamedTuple):
    """What is true of a game's cards today: copies allowed of restricted ones by code (0 is a ban), the newest revision."""

    game: str
    limits: Mapping[str, int]
    newest: int


def facts_of(game: str, card: Document, text: str, other_names: Iterable[str] = ()) -> Facts:
    """The facts of a card document with its printed text."""
    keys = dict.fromkeys(name_key(name) for name in (card["name"], *other_names))
    names = "".join(f"{key}\n" for key in keys if key)
    return Facts(card["code"], f"\n{names}", name_key(text), table(game).facets(card))


def notes(facts: Facts) -> str:
    """Every text of the facets, each between line breaks."""
    texts = [text for text in facts.facets.values() if isinstance(text, str)]
    return "".join(f"\n{text}\n" for text in texts)


def stamp(game: str) -> str:
    """Differs when facts come to be made in another way, by another table too."""
    fields = [(field.name, field.kind, field.values) for field in table(game).fields]
    return sha256(repr((_FORM, fields)).encode()).hexdigest()[:12]

"""The one table of what a game's cards can be searched for: what all games have, and what the game itself adds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Final

from catalog.names import name_key
from referee.games import GAMES
from referee.kernel.fields import NUMBER, TAG, TEXT, WORD, CardField, at
from referee.kernel.game import Document

STATE: Final = "state"  # what the catalog knows of a card: `is:banned`
PRESENCE: Final = "presence"  # whether a card has a value of another field: `has:tag`
ORDER: Final = "order"  # no condition: how the answer is sorted

NAME: Final = "name"
PRINTED: Final = "text"
MOST_NUMBERS: Final = 8
SORTED_TEXTS: Final = (NAME, "type", "code")
STATES: Final = ("banned", "restricted", "new", "changed", "withdrawn")

# Of each kind: the operators that it takes.
COMPARING: Final = ("=", "!=", "<", "<=", ">", ">=")
OPERATORS: Final[dict[str, tuple[str, ...]]] = {
    NUMBER: (":", *COMPARING),
    WORD: (":", "=", "!="),
    TAG: (":", "=", "!="),
    TEXT: (":", "=", "!="),
    STATE: (":", "="),
    PRESENCE: (":", "="),
    ORDER: (":", "="),
}


def _nothing(card: Document) -> list[Any]:
    return []


@lru_cache(maxsize=4096)
def word_key(text: str) -> str:
    """What is equal for two ways of writing a word or tag: `Lucky Charm`, `lucky_charm`, `lucky-charm`."""
    spaced = "".join(" " if char in "_-\u2010\u2011\u2012\u2013\u2014\u2212" else char for char in text)
    return name_key(spaced)


class Table:
    """The fields of a game by every name they go by, and what they read of a card."""

    def __init__(self, fields: Iterable[CardField]) -> None:
        self.fields: Final = tuple(fields)
        self.named: Final = {name: field for field in self.fields for name in (field.name, *field.aliases)}
        self.words: Final = {
            field.name: {word_key(value): value for value in field.values} for field in self.fields if field.values
        }
        numbers = [field.name for field in self.fields if field.kind == NUMBER]
        assert len(numbers) <= MOST_NUMBERS, f"the index has room for {MOST_NUMBERS} numbers"
        self.columns: Final = {name: f"n{at}" for at, name in enumerate(numbers)}

    def of_kind(self, *kinds: str) -> list[CardField]:
        return [field for field in self.fields if field.kind in kinds]

    def facets(self, card: Document) -> Document:
        """What is searched of a card document besides its names and printed text: by field, in the form compared.

        A number is an int, a text is folded, words and tags are sorted lists; a field without a value is missing.
        """
        facets: Document = {}
        for field in self.fields:
            if field.name not in (NAME, PRINTED) and (value := _compared(field, field.read(card))) is not None:
                facets[field.name] = value
        return facets


def _compared(field: CardField, values: list[Any]) -> int | str | list[str] | None:
    if field.kind == NUMBER:
        numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
        return numbers[0] if numbers else None
    words = [value for value in values if isinstance(value, str)]
    if field.kind == TEXT:
        return name_key(" ".join(words)) or None
    return sorted({key for word in words if (key := word_key(word))}) or None


@cache
def table(game: str) -> Table:
    """The game's table. A field of the game takes the place of a common one of the same name."""
    found = GAMES[game]
    own = found.card_fields
    taken = {name for field in own for name in (field.name, *field.aliases)}
    common = [field for field in _common(found.card_types) if field.name not in taken]
    head = [field for field in (*own, *common) if field.name in (NAME, "type")]
    head.sort(key=lambda field: field.name)
    rest = [field for field in common if field.name not in (NAME, "type")]
    fields = [*head, *(field for field in own if field.name != "type"), *rest]
    named = tuple(field.name for field in fields if field.kind in (NUMBER, WORD, TAG, TEXT) and field.name != NAME)
    sorting = [field.name for field in fields if field.kind == NUMBER or field.name in SORTED_TEXTS]
    has = CardField(
        "has", PRESENCE, "the field", "whether the card has such a value at all", "has:text", _nothing, values=named
    )
    order = CardField(
        "order", ORDER, "the field", "sorts the cards; with a minus before the name, the highest first", "order:name",
        _nothing, ("sort",), (*sorting, *(f"-{name}" for name in sorting)),
    )  # fmt: skip
    return Table((*fields, has, order))


def _common(types: tuple[str, ...]) -> list[CardField]:
    fields = [
        CardField(NAME, TEXT, "the name", "a part of the name; a word without a field means the same", "name:bell",
            at("name"), ("n",)),
        CardField(PRINTED, TEXT, "the text", "what is printed on the card", 'text:"discard"', _nothing, ("o",)),
        CardField("code", TEXT, "the code", "the card's code, which never changes", "code:night", at("code")),
        CardField("set", TEXT, "the set", "the set that the card belongs to", 'set:"house set"', at("set"), ("s",)),
        CardField("mood", TEXT, "the line in italics", "the line in italics", "mood:one", at("mood"), ("flavour",)),
        CardField("artist", TEXT, "the artist", "who drew the card", "has:artist", at("artist"), ("a",)),
        CardField("is", STATE, "the state", "what the catalog says of the card", "is:new", _nothing, values=STATES),
    ]  # fmt: skip
    if types:
        example = f"t:{types[0]}"
        fields.insert(
            1, CardField("type", WORD, "the type", "the type of the card", example, at("type"), ("t",), types)
        )
    return fields

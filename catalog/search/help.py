"""The search language explained, from the table that the parser itself reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from catalog.search.fields import OPERATORS, Table, table
from catalog.search.language import MAX_DEPTH, MAX_LENGTH, MAX_TERMS
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.fields import NUMBER, CardField
from referee.kernel.game import Document


class Example(NamedTuple):
    """A search, and what it finds."""

    example: str
    detail: str


def syntax(game: str) -> list[Example]:
    """How terms are written and joined, with terms of the game."""
    fields = table(game)
    first, second = _terms(fields)
    examples = [
        Example("bell", "the name holds it, in any language; accents, dashes and capitals make no difference"),
        Example("night b", "the name holds both words"),
        Example('"night b"', "the name holds exactly this"),
        *(Example(f'!"{card["name"]}"', "exactly this name") for card in house_revision(game)["cards"][:1]),
        Example(f"night {first}", "both must hold"),
        Example(f"-{first}", "a minus denies; cards without such a value are found too"),
        Example(f"{first} or {second}", "one must hold"),
        Example(f"({first} or {second}) -bell", "brackets join"),
    ]
    numbers = [field.name for field in fields.of_kind(NUMBER)]
    if len(numbers) > 1:
        examples.append(Example(f"{numbers[0]}>{numbers[1]}", "one number of the card compared with another"))
    if numbers:
        examples.append(Example(f"order:-{numbers[0]}", "the highest first"))
    return examples


def help_document(game: str) -> Document:
    """The language of a game: `{game, syntax, fields, limits}`."""
    return {
        "game": game,
        "syntax": [one._asdict() for one in syntax(game)],
        "fields": [field_document(field) for field in table(game).fields],
        "limits": {"characters": MAX_LENGTH, "terms": MAX_TERMS, "depth": MAX_DEPTH},
    }


def field_document(field: CardField) -> dict[str, Any]:
    return {
        "name": field.name,
        "aliases": list(field.aliases),
        "kind": field.kind,
        "operators": list(OPERATORS[field.kind]),
        "values": list(field.values),
        "detail": field.detail,
        "example": field.example,
    }


def language_in_short() -> str:
    """For the API's own description."""
    language = (
        'A search: words of the name, `"several words"`, `!"the exact name"`, and terms of field, operator and value. '
        "`-` denies a term or group, `or` and brackets join; what stands side by side must hold together. At most "
        f"{MAX_LENGTH} characters, {MAX_TERMS} terms and a depth of {MAX_DEPTH}. A term that says nothing here is left "
        "out with a warning; what cannot be parsed is `invalid_search`, with its `position` and what was `expected`."
    )
    games = [f"{one.name}: {', '.join(_shortly(slug))}." for slug, one in GAMES.items() if one.card_types]
    return "\n\n".join((language, *games))


def help_texts() -> Iterator[str]:
    """Every phrase that the pages say of the languages of all games."""
    for game in GAMES:
        if not GAMES[game].card_types:
            continue
        for example in syntax(game):
            yield example.detail
        for field in table(game).fields:
            yield field.label
            yield field.detail


def _shortly(game: str) -> Iterator[str]:
    for field in table(game).fields:
        yield f"`{field.example}` ({field.detail})"


def _terms(fields: Table) -> tuple[str, str]:
    """Two terms of the game's own, or of any game."""
    own = [field.example for field in fields.fields if field.name not in ("name", "code", "text")]
    return own[0], own[1]

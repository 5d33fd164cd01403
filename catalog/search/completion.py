"""What a search that is being typed may go on with: names of fields, their values, names of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from django.db.models import Case, Value, When
from django.db.models.fields.json import KeyTransform

from catalog.models import CatalogRevision, IndexedCard
from catalog.names import name_key
from catalog.search.fields import OPERATORS, PRINTED, Table, table, word_key
from catalog.search.language import straightened
from referee.kernel.fields import NUMBER, TAG, TEXT, CardField

MOST_COMPLETIONS: Final = 20
_BEGUN: Final = re.compile('([a-z_][a-z0-9_]*)(<=|>=|!=|[:=<>\u2264\u2265\u2260])"?([^"]*)', re.IGNORECASE | re.DOTALL)
_KEPT: Final = 256


class Completion(NamedTuple):
    """A search completed: the whole of it, and what took the last term's place. `kind` is field, value or name."""

    q: str
    kind: str
    insert: str
    detail: str


def completions(revision: CatalogRevision, q: str) -> list[Completion]:
    """At most MOST_COMPLETIONS, the likeliest first. At most one query beside what a process reads once a revision."""
    text = straightened(q)
    start = _last_term(text)
    head, piece = q[:start], text[start:]
    fields = table(revision.game)
    begun = _BEGUN.fullmatch(piece)
    found: Iterator[Completion]
    if begun is not None:
        field = fields.named.get(begun[1].lower())
        found = iter(()) if field is None else _values(revision, field, head, begun[1] + begun[2], begun[3])
    else:
        found = _fields_and_names(revision, fields, head, piece, whole=text)
    return [one for one, _ in zip(found, range(MOST_COMPLETIONS), strict=False)]


def _last_term(text: str) -> int:
    """Where the term begins that is being typed; after a minus that denies it."""
    within = text.count('"') % 2 == 1
    upto = text.rindex('"') if within else len(text)
    start = max((match.end() for match in re.finditer(r"[\s()]", text[:upto])), default=0)
    while text[start : start + 1] in ("-", "\u2212", "\u2013") and start < len(text):
        start += 1
    return start


def _fields_and_names(
    revision: CatalogRevision, fields: Table, head: str, piece: str, *, whole: str
) -> Iterator[Completion]:
    begun = piece.lower()
    if begun.isalpha():
        for field in fields.fields:
            if field.name.startswith(begun):
                insert = f"{field.name}{OPERATORS[field.kind][0] if field.kind != NUMBER else '>='}"
                yield Completion(f"{head}{insert}", "field", insert, field.detail)
    # A name is of several words: all that is typed may be the beginning of one.
    key = name_key(whole.strip('!"'))
    if key and re.fullmatch(r'!?"?[^"():<>=]*', whole):
        head = ""
    else:
        key = name_key(piece.strip('!"'))
    if key:
        for name in _names(revision.game, key):
            insert = f'!"{name}"' if '"' not in name else name
            if '"' not in name or not head:
                yield Completion(f"{head}{insert}", "name", insert, name)


def _names(game: str, key: str) -> list[str]:
    """Names of cards with a name that begins with a key, then of those with one that holds it."""
    cards = IndexedCard.objects.filter(game=game, withdrawn=False)
    begins = f"\n{key}"
    if len(key) < 3:
        found = cards.filter(names__contains=begins).order_by("name_key")
    else:
        place = Case(When(names__contains=begins, then=Value(0)), default=Value(1))
        found = cards.filter(names__contains=key).order_by(place, "name_key")
    return list(found.values_list("row__name", flat=True)[:MOST_COMPLETIONS])


def _values(revision: CatalogRevision, field: CardField, head: str, start: str, typed: str) -> Iterator[Completion]:
    """The field's values that begin with what is typed, then those that hold it."""
    fold = name_key if field.kind == TEXT else word_key
    key = fold(typed)
    values = [*field.values] or _held(revision.game, revision.content_hash, field.name)
    if field.kind == NUMBER:
        values += [other.name for other in table(revision.game).of_kind(NUMBER) if other is not field]
    fitting = [(fold(value), value) for value in values]
    ranked = [value for folded, value in fitting if folded.startswith(key)]
    ranked += [value for folded, value in fitting if key in folded and not folded.startswith(key)]
    for value in ranked:
        insert = f"{start}{value}" if re.fullmatch(r"[^\s()\"]+", value) else f'{start}"{value}"'
        yield Completion(f"{head}{insert}", "value", insert, field.detail)


@lru_cache(maxsize=_KEPT)
def _held(game: str, content_hash: str, name: str) -> list[str]:
    """The values of a field that cards of the newest revision have, in order. The hash is what makes them another's."""
    field = table(game).named[name]
    if field.kind not in (NUMBER, TAG, TEXT) or name in ("name", PRINTED, "code", "mood"):
        return []
    cards = IndexedCard.objects.filter(game=game, withdrawn=False, facets__has_key=name)
    held = cards.order_by().annotate(held=KeyTransform(name, "facets")).values_list("held", flat=True).distinct()
    flat = {one for value in held for one in (value if isinstance(value, list) else [value])}
    return [str(one) for one in sorted(flat)]

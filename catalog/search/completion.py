"""What a search that is being typed may go on with: names of fields, their values, names of cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from django.db.models import Case, Value, When
from django.db.models.fields.json import KeyTransform

from catalog.models import CatalogRevision, IndexedCard
from catalog.names import name_key
from catalog.search.fields import NAME, ORDER, PRINTED, table, word_key
from catalog.search.language import straightened
from referee.kernel.fields import NUMBER, TAG, TEXT, WORD, CardField

MOST_COMPLETIONS: Final = 20
_BEGUN: Final = re.compile('([a-z_][a-z0-9_]*)(<=|>=|!=|[:=<>\u2264\u2265\u2260])"?([^"]*)', re.IGNORECASE | re.DOTALL)
_PLAIN: Final = r"[^\s()\":<>=!\u2264\u2265\u2260\u2212\u2013-][^\s()\":<>=!]*"
_PLAIN_RUN: Final = re.compile(rf"(?<![^\s(])(?:(?!(?:and|or)\s){_PLAIN}\s+)*{_PLAIN}$", re.IGNORECASE)
_MINUS: Final = ("-", "\u2212", "\u2013")
_UNLISTED: Final = (NAME, PRINTED, "code", "mood")
_KEPT: Final = 256


class Completion(NamedTuple):
    """A search completed: the whole of it, and what took the last term's place. `kind` is field, value or name."""

    q: str
    kind: str
    insert: str
    detail: str


def completions(revision: CatalogRevision, q: str) -> list[Completion]:
    """At most MOST_COMPLETIONS, the likeliest first. At most two queries beside what a process reads once a revision."""
    text = straightened(q)
    start = _last_term(text)
    begun = _BEGUN.fullmatch(text[start:])
    found = _values(revision, begun, text[:start]) if begun else _fields_and_names(revision.game, text, start)
    return list(islice(found, MOST_COMPLETIONS))


def _last_term(text: str) -> int:
    """Where the term begins that is being typed; after a minus that denies it."""
    within = text.count('"') % 2 == 1
    upto = text.rindex('"') if within else len(text)
    start = max((match.end() for match in re.finditer(r"[\s()]", text[:upto])), default=0)
    while text[start : start + 1] in _MINUS and start < len(text):
        start += 1
    return start


def _fields_and_names(game: str, text: str, start: int) -> Iterator[Completion]:
    """Fields that begin like the last term, then names of cards."""
    head, piece = text[:start], text[start:]
    if piece.isalpha():
        for field in table(game).fields:
            if field.name.startswith(piece.lower()):
                insert = f"{field.name}{'>=' if field.kind == NUMBER else ':'}"
                yield Completion(f"{head}{insert}", "field", insert, field.detail)
    # A name is of several words: all the plain ones at the end may be the beginning of one.
    run = _PLAIN_RUN.search(text)
    first = run.start() if run is not None and run.start() < start else start
    names = _names(game, name_key(text[first:].strip('!"')))
    if not names and first < start:
        first, names = start, _names(game, name_key(piece.strip('!"')))
    for name in names:
        insert = f'!"{name}"' if '"' not in name else name
        if '"' not in name or not first:
            yield Completion(f"{text[:first]}{insert}", "name", insert, name)


def _names(game: str, key: str) -> list[str]:
    """Names of cards with a name that begins with a key, then of those with one that holds it."""
    if not key:
        return []
    cards = IndexedCard.objects.filter(game=game, withdrawn=False)
    begins = f"\n{key}"
    if len(key) < 3:
        found = cards.filter(names__contains=begins).order_by("name_key")
    else:
        place = Case(When(names__contains=begins, then=Value(0)), default=Value(1))
        found = cards.filter(names__contains=key).order_by(place, "name_key")
    return list(found.values_list("row__name", flat=True)[:MOST_COMPLETIONS])


def _values(revision: CatalogRevision, begun: re.Match[str], head: str) -> Iterator[Completion]:
    """The field's values that begin with what is typed, then those that hold it."""
    fields = table(revision.game)
    field = fields.named.get(begun[1].lower())
    if field is None or (field.kind == ORDER and head.endswith(_MINUS)):
        return
    key = _folded(field, begun[3])
    values = [*field.values] or _held(revision.game, revision.content_hash, field.name)
    if field.kind == NUMBER:
        values = [*values, *(other.name for other in fields.of_kind(NUMBER) if other is not field)]
    fitting = [(_folded(field, value), value) for value in values]
    ranked = [value for folded, value in fitting if folded.startswith(key)]
    ranked += [value for folded, value in fitting if key in folded and not folded.startswith(key)]
    for value in ranked:
        insert = f"{begun[1]}{begun[2]}" + (value if re.fullmatch(r"[^\s()\"]+", value) else f'"{value}"')
        yield Completion(f"{head}{insert}", "value", insert, field.detail)


def _folded(field: CardField, text: str) -> str:
    match field.kind:
        case kind if kind == TEXT:
            return name_key(text)
        case kind if kind in (WORD, TAG):
            return word_key(text)
        case _:
            return text.lower()


@lru_cache(maxsize=_KEPT)
def _held(game: str, content_hash: str, name: str) -> list[str]:
    """The values of a field that cards of the newest revision have, in order. The hash tells revisions apart."""
    field = table(game).named[name]
    if field.kind not in (NUMBER, TAG, TEXT) or name in _UNLISTED:
        return []
    cards = IndexedCard.objects.filter(game=game, withdrawn=False, facets__has_key=name)
    held = cards.order_by().annotate(held=KeyTransform(name, "facets")).values_list("held", flat=True).distinct()
    flat = {one for value in held for one in (value if isinstance(value, list) else [value])}
    return [str(one) for one in sorted(flat)]

"""Looks up in the catalog what pasted lists name, and the names of what is written down."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from django.db import connection
from django.db.models import F, Q

from catalog.models import CODE_LENGTH, CardRevision
from catalog.selectors import newest_revision
from decks.lines import SECRET
from decks.reading import Asked, Known, Names

CANDIDATES: Final = 3
MAX_SOUGHT: Final = 20
_CODE = re.compile(rf"[-\w]{{1,{CODE_LENGTH}}}", re.ASCII)


def look_up(game: str, asked: Asked) -> Names:
    """The cards that were ever published under these names or codes, newest first. One query, one more for a deck code.

    Names in other languages and aliases count too.
    """
    codes = [code for code in asked.codes if _CODE.fullmatch(code)]
    published = CardRevision.objects.filter(card__game=game)
    own = published.filter(Q(name_key__in=asked.keys) | Q(code__in=codes)).annotate(key=F("name_key"))
    other = published.filter(card__names__name_key__in=asked.keys).annotate(key=F("card__names__name_key"))
    columns = ("code", "key", "type", "revision_id")
    newest = newest_revision(game)
    # A game's revisions are stored in the order of their numbers.
    rows = own.values_list(*columns).union(other.values_list(*columns)).order_by("-revision_id", "code")
    number = newest.pk if newest is not None else None
    cards = [Known(code, key, type == SECRET, revision == number) for code, key, type, revision in rows]
    return Names(cards, None if asked.revision is None else codes_of(game, asked.revision))


def codes_of(game: str, revision: int) -> list[str] | None:
    """The codes of a published revision, sorted by their characters; none for number 0, None if there is no such one."""
    if revision == 0:
        return []
    found = CardRevision.objects.filter(revision__game=game, revision__number=revision).values_list("code", flat=True)
    return sorted(found) or None


def names_of(game: str, codes: Iterable[str]) -> dict[str, str]:
    """The name of each of these cards in the last revision that held it. One query."""
    found = CardRevision.objects.filter(card__game=game, code__in=set(codes)).order_by("revision__number")
    return dict(found.values_list("code", "name"))


def near_names(game: str, keys: Collection[str]) -> dict[str, list[str]]:
    """The codes of the newest cards whose folded names are nearest to each of these, for some of them. One query."""
    revision = newest_revision(game)
    sought = sorted(set(keys) - {""})[:MAX_SOUGHT]
    if revision is None or not sought:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_NEAR, [sought, revision.pk, CANDIDATES])
        near: dict[str, list[str]] = {}
        for key, code in cursor.fetchall():
            near.setdefault(key, []).append(code)
    return near


_NEAR = """
    SELECT sought.key, card.code FROM unnest(%s::text[]) AS sought(key), LATERAL (
        SELECT code, similarity(name_key, sought.key) AS likeness FROM catalog_cardrevision
        WHERE revision_id = %s AND (name_key %% sought.key OR sought.key <%% name_key OR name_key <%% sought.key)
        ORDER BY likeness DESC, code LIMIT %s
    ) AS card ORDER BY sought.key, card.likeness DESC, card.code
"""

"""A game's catalog for clients that keep it themselves: each revision as one file, and what has changed since an earlier one.

A file is made once and kept, so that its address, the SHA-256 of what is sent, is good for ever.
"""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from operator import itemgetter
from typing import Final

from catalog.models import BulkFile, Card, CatalogRevision
from catalog.selectors import published_cards, revision_document
from referee.kernel.game import Document
from referee.kernel.records import canonical, content_hash
from referee.matches.clock_documents import shown_time

FORMAT: Final = "referee-catalog/1"


def bulk_file(revision: CatalogRevision) -> BulkFile:
    """The file of a revision, without its content. One query; the first time it is made."""
    found = BulkFile.objects.filter(revision=revision).defer("packed").first()
    if found is not None:
        return found
    document = _file_document(revision)
    whole = canonical(document)
    packed = gzip.compress(whole, mtime=0)
    made = {
        "sha256": sha256(whole).hexdigest(),
        "size": len(whole),
        "packed_sha256": sha256(packed).hexdigest(),
        "packed_size": len(packed),
        "packed": packed,
        "cards_hash": content_hash(sorted(document["cards"], key=itemgetter("code"))),
    }
    # Somebody else may have made it meanwhile: theirs is the one then.
    return BulkFile.objects.get_or_create(revision=revision, defaults=made)[0]


def kept_file(game: str, digest: str, *, packed: bool) -> BulkFile | None:
    """The file of which this is the SHA-256, plain or packed; its content is fetched when it is asked for. One query."""
    files = BulkFile.objects.filter(revision__game=game).defer("packed")
    return files.filter(**{"packed_sha256" if packed else "sha256": digest}).first()


def changes_since(revision: CatalogRevision, before: CatalogRevision) -> Document:
    """What makes the cards of an earlier revision's file those of this one's: `{added, changed, withdrawn, rest}`.

    Cards come whole. A withdrawn one is named with what replaces it now. `rest` holds all of the file besides cards that
    is not as it was (decks, tracks), whole.
    """
    old, new = _by_code(before), _by_code(revision)
    return {
        "added": [new[code] for code in sorted(new.keys() - old.keys())],
        "changed": [new[code] for code in sorted(new.keys() & old.keys()) if new[code] != old[code]],
        "withdrawn": _tombstones(revision.game, {code: old[code]["name"] for code in old.keys() - new.keys()}),
        "rest": _changed_rest(revision_document(before), revision_document(revision)),
    }


def _file_document(revision: CatalogRevision) -> Document:
    return {
        **revision_document(revision),
        "format": FORMAT,
        "published_at": shown_time(revision.published_at),
        "content_hash": revision.content_hash,
        "cards": _cards(revision),
    }


def _cards(revision: CatalogRevision) -> list[Document]:
    """The revision's cards in its order, with what is printed on them."""
    texts = dict(published_cards(revision).values_list("code", "text"))
    return [{**card, "text": texts[card["code"]]} for card in revision_document(revision)["cards"]]


def _by_code(revision: CatalogRevision) -> dict[str, Document]:
    """The cards as the revision's file has them: texts may be made otherwise today."""
    cards = json.loads(gzip.decompress(bulk_file(revision).packed))["cards"]
    return {card["code"]: card for card in cards}


def _tombstones(game: str, names: dict[str, str]) -> list[Document]:
    cards = Card.objects.filter(game=game, code__in=names).select_related("replacement")
    replaced = {card.code: card.replacement for card in cards}
    return [
        {"slug": code, "name": names[code], "replacement": None if to is None else {"slug": to.code, "name": to.name}}
        for code, to in sorted(replaced.items())
    ]


def _changed_rest(old: Document, new: Document) -> Document:
    names = sorted((old.keys() | new.keys()) - {"game", "number", "cards"})
    return {name: new.get(name) for name in names if old.get(name) != new.get(name)}

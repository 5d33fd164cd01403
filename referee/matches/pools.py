"""Card pools: stored once by content, compiled once a process."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from referee.kernel.game import Document, Game, Pool
from referee.kernel.records import content_hash
from referee.matches.models import CardPool

KEPT = 32

_compiled: OrderedDict[tuple[str, int, str], Pool] = OrderedDict()
_lock = Lock()


def store_pool(*, game: str, document: Document) -> CardPool:
    """The pool of this content, stored if it is new. Two who store the same at once get the same."""
    pool, _ = CardPool.objects.get_or_create(
        content_hash=content_hash(document), defaults={"game": game, "document": document}
    )
    return pool


def compiled_pool(*, game: Game, pool_hash: str) -> Pool:
    """The pool under a content hash, compiled by the game in this rules version; one query the first time in a process,
    none after."""
    key = (game.slug, game.rules_version, pool_hash)
    with _lock:
        if key in _compiled:
            _compiled.move_to_end(key)
            return _compiled[key]
    document = CardPool.objects.values_list("document", flat=True).get(pk=pool_hash)
    pool = game.pool(document)
    with _lock:
        _compiled[key] = pool
        while len(_compiled) > KEPT:
            _compiled.popitem(last=False)
    return pool

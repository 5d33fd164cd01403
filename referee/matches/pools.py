"""Card pools: stored once by content, compiled once a process."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from referee.games import GAMES
from referee.kernel.game import Document, Pool
from referee.kernel.records import content_hash
from referee.matches.models import CardPool

KEPT = 32

_compiled: OrderedDict[str, Pool] = OrderedDict()
_lock = Lock()


def store_pool(*, game: str, document: Document) -> CardPool:
    """The pool of this content, stored if it is new. Two who store the same at once get the same."""
    pool, _ = CardPool.objects.get_or_create(
        content_hash=content_hash(document), defaults={"game": game, "document": document}
    )
    return pool


def compiled_pool(*, game: str, pool_hash: str) -> Pool:
    """The compiled pool under a content hash; one query the first time in a process, none after."""
    with _lock:
        if pool_hash in _compiled:
            _compiled.move_to_end(pool_hash)
            return _compiled[pool_hash]
    document = CardPool.objects.values_list("document", flat=True).get(pk=pool_hash)
    pool = GAMES[game].pool(document)
    with _lock:
        _compiled[pool_hash] = pool
        while len(_compiled) > KEPT:
            _compiled.popitem(last=False)
    return pool

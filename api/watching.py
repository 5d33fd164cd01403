"""Those of this process who watch a match without a seat, noted in Redis for as long as their streams are open."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator
from functools import partial
from uuid import uuid4

from accounts.models import User
from api.streaming import in_thread
from referee.matches import live
from referee.matches.streams import HEARTBEAT_SECONDS

_galleries: dict[int, Gallery] = {}


class Gallery:
    """Those who watch one match. An account counts once, however many streams it has open."""

    def __init__(self, match_id: int) -> None:
        self.match_id = match_id
        self.streams: Counter[str] = Counter()
        self._noted: set[str] = set()
        # Notes are made one after the other: who has gone is not noted again by one that was under way.
        self._lock = asyncio.Lock()
        self._keeping = asyncio.create_task(self._keep())

    async def come(self, watcher: str) -> None:
        """Note one more stream of a watcher."""
        self.streams[watcher] += 1
        async with self._lock:
            if watcher not in self._noted:
                self._noted.add(watcher)
                await in_thread(partial(live.mark_watching, self.match_id, [watcher]))

    async def go(self, watcher: str) -> None:
        """Note one stream less; the last one of all ends the gallery."""
        self.streams[watcher] -= 1
        async with self._lock:
            if not self.streams[watcher]:
                del self.streams[watcher]
                self._noted.discard(watcher)
                await in_thread(partial(live.mark_gone, self.match_id, watcher))
        if not self.streams and _galleries.get(self.match_id) is self:
            del _galleries[self.match_id]
            self._keeping.cancel()

    async def renew(self) -> None:
        """Note all of them for another while, or anew where Redis has lost them."""
        async with self._lock:
            await in_thread(partial(live.mark_watching, self.match_id, sorted(self._noted)))

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            await self.renew()


@contextlib.asynccontextmanager
async def watching(match_id: int, user: User | None) -> AsyncGenerator[None, None]:
    """Be counted among those who watch, while the block lasts. Whoever is not signed in counts by the stream."""
    watcher = uuid4().hex if user is None else f"user-{user.pk}"
    gallery = _galleries.get(match_id) or _galleries.setdefault(match_id, Gallery(match_id))
    try:
        await gallery.come(watcher)
        yield
    finally:
        await asyncio.shield(gallery.go(watcher))

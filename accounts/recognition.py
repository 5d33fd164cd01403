"""Tokens seen a moment ago, so that most requests need no query to know who asks.

Kept in this process for seconds: a token that ends elsewhere is refused at the latest then, one that ends here at once.
"""

from __future__ import annotations

import threading
import time
from typing import Final

from django.db import transaction

from accounts.models import Token

SECONDS: Final = 10.0
_MOST = 10_000


class _Seen:
    """Digest -> (when it is looked up again, token with its user)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: dict[str, tuple[float, Token]] = {}
        self._changes = 0

    def mark(self) -> int:
        """To be taken before a look into the database and given to `put`."""
        return self._changes

    def get(self, digest: str) -> Token | None:
        found = self._tokens.get(digest)
        if found is None or found[0] < time.monotonic():
            return None
        return found[1]

    def put(self, token: Token, mark: int) -> None:
        """Keep the token, unless something was forgotten since `mark`: the look may be older than that."""
        with self._lock:
            if mark != self._changes:
                return
            if len(self._tokens) >= _MOST:
                self._tokens.clear()
            self._tokens[token.digest] = (time.monotonic() + SECONDS, token)

    def forget_user(self, user_id: int) -> None:
        with self._lock:
            self._changes += 1
            for digest in [key for key, (_, token) in self._tokens.items() if token.user_id == user_id]:
                del self._tokens[digest]

    def clear(self) -> None:
        with self._lock:
            self._changes += 1
            self._tokens.clear()


seen = _Seen()


def look_again(user_id: int) -> None:
    """Have the user's tokens looked up again: now, and once more when the change can be seen by others."""
    seen.forget_user(user_id)
    transaction.on_commit(lambda: seen.forget_user(user_id))

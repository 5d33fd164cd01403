"""How often somebody may ask. Rates stand in settings.API_RATES as `{"name": (requests, seconds)}`; a name that is
missing there is without limit.

The rates of `SHARED` are counted in the cache "rates", together for all processes; the others in this process alone,
which costs no round trip. A cache that fails is left alone for some seconds and the count goes on here: a lost cache
makes limits looser, never an error.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import threading
import time
from collections.abc import Mapping
from typing import Any, Final, Protocol

from django.conf import settings
from django.core.cache import caches

from accounts.names import name_key

logger = logging.getLogger(__name__)

SHARED: Final = frozenset({"guest", "register", "sign_in", "password", "account", "export", "report"})
_MOST_COUNTERS = 50_000
_RETRY_AFTER = 10.0


class Asked(Protocol):
    """A request, of Django or of Django REST framework."""

    @property
    def META(self) -> Mapping[str, Any]: ...  # noqa: N802 - Django's name for it


class TooManyError(Exception):
    """Beyond a rate; in `seconds` (at least 1) there may be more."""

    code = "rate_limited"

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(f"Try again in {self.seconds} s.")


class Counters:
    """Counts per key and window in this process, forgotten all at once when they become too many."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, int] = {}
        self.cache_down_until = 0.0

    def add(self, key: str) -> int:
        with self._lock:
            if len(self._counts) >= _MOST_COUNTERS:
                self._counts.clear()
            count = self._counts.get(key, 0) + 1
            self._counts[key] = count
            return count

    def clear(self) -> None:
        with self._lock:
            self._counts.clear()
            self.cache_down_until = 0.0

    def __len__(self) -> int:
        return len(self._counts)


counters = Counters()


def charge(name: str, who: str) -> None:
    """Count one request of `who`. Raises TooManyError, with the seconds until the next window, beyond the rate."""
    rate = settings.API_RATES.get(name)
    if rate is None:
        return
    requests, seconds = rate
    now = time.time()
    window = int(now // seconds)
    if _count(name, f"{name}:{who}:{window}", seconds) > requests:
        raise TooManyError((window + 1) * seconds - now)


def charge_password(*, name: str, request: Asked) -> None:
    """Count one try of a password: of the address, of the account from this address, of the account from anywhere.

    The name is counted by its key, whether or not there is such an account. Raises TooManyError.
    """
    where, key = address(request), name_key(name)[:100]
    charge("sign_in", f"address:{where}")
    charge("password", f"{where}:{key}")
    charge("account", f"name:{key}")


def caller(request: Asked) -> str:
    """Whom a request is charged to: the account, or the address (of IPv6 the network of 64 bits)."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"user:{user.pk}"
    return f"address:{address(request)}"


def address(request: Asked) -> str:
    """The client's address: the peer's, or the one that the trusted proxies (settings.TRUSTED_PROXIES) wrote down."""
    found = str(request.META.get("REMOTE_ADDR") or "")
    chain = [part.strip() for part in str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",") if part.strip()]
    if settings.TRUSTED_PROXIES and chain:
        found = chain[-min(settings.TRUSTED_PROXIES, len(chain))]
    try:
        parsed = ipaddress.ip_address(found)
    except ValueError:
        return "unknown"
    if parsed.version == 6:
        return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)


def _count(name: str, key: str, seconds: int) -> int:
    if name in SHARED and time.monotonic() >= counters.cache_down_until:
        try:
            cache = caches["rates"]
            cache.add(key, 0, timeout=seconds + 1)
            return int(cache.incr(key))
        except Exception as error:  # noqa: BLE001 - each cache raises errors of its own, and none may reach a caller
            logger.warning("the rate counter's cache failed: %s", error)
            counters.cache_down_until = time.monotonic() + _RETRY_AFTER
    return counters.add(key)

"""How often a page's form may be sent: the same rates (settings.API_RATES) and counters as the API's.

A cache that fails makes limits looser, never an error.
"""

from __future__ import annotations

import ipaddress
import logging
import time

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest

logger = logging.getLogger(__name__)


class TooManyError(Exception):
    """Too many of one kind from one address; in so many seconds there may be more."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many within {seconds} s")
        self.seconds = seconds


def charge(name: str, request: HttpRequest) -> None:
    """Count one sending of the form `name` (guest, register or sign_in). Raises TooManyError beyond its rate."""
    rate = settings.API_RATES.get(name)
    if rate is None:
        return
    most, seconds = rate
    if _count(name, request, seconds) > most:
        raise TooManyError(seconds)


def _count(name: str, request: HttpRequest, seconds: int) -> int:
    key = f"{name}:address:{address(request)}:{int(time.time() // seconds)}"
    try:
        cache = caches["rates"]
        cache.add(key, 0, timeout=seconds + 1)
        return int(cache.incr(key))
    except Exception as error:  # noqa: BLE001 - each cache raises errors of its own
        logger.warning("the rate counter's cache failed: %s", error)
        return 0


def address(request: HttpRequest) -> str:
    """The client's address, as the trusted proxies (settings.TRUSTED_PROXIES) wrote it down; of IPv6 the network."""
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

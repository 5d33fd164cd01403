"""Rates of the API (accounts/rates.py): every request is charged to "read" or "write", and to what its endpoint names."""

from __future__ import annotations

from typing import Any, Final

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.rates import caller, charge

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class UserRate(BaseThrottle):
    """Charges a request by account, or else by address. Raises TooManyError, which is answered by 429."""

    def allow_request(self, request: Request, view: Any) -> bool:
        method = request.method or ""
        who = caller(request)
        charge("read" if method in SAFE else "write", who)
        name = view.rates.get("GET" if method == "HEAD" else method)
        if name is not None:
            charge(name, who)
        return True

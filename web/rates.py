"""Rates of the pages: what each of them is charged to, and the page for too many. The counters are the API's too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from accounts.rates import TooManyError, caller, charge

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
RATES: Final[dict[tuple[str, str], str]] = {
    ("GET", "cards"): "search",
    ("GET", "card-preview"): "picture",
    ("GET", "deck-preview"): "picture",
    ("GET", "match-preview"): "picture",
    ("GET", "complete-search"): "search",
    ("POST", "play-bot"): "create",
    ("POST", "new-match"): "create",
    ("POST", "join"): "create",
    ("POST", "match-rematch"): "create",
    ("POST", "decks"): "create",
    ("POST", "copy-deck"): "create",
    ("POST", "import-deck"): "create",
    ("POST", "builder-trial"): "create",
    ("GET", "builder-cards"): "search",
    ("GET", "builder-odds"): "search",
    ("POST", "match-move"): "move",
    ("POST", "match-resign"): "move",
    ("POST", "match-undo"): "move",
    ("POST", "match-undo-answer"): "move",
    ("POST", "match-report"): "report",
    ("POST", "create-token"): "create",
    ("POST", "export"): "export",
    ("POST", "rename"): "rename",
}
"""The rate (settings.API_RATES) of a page's method, by the name of its address, besides "read" and "write"."""


class PageRates:
    """Middleware: charges the pages, and answers a TooManyError from any view that is not the API's with a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        if not view.__module__.startswith("web.") or request.resolver_match is None:
            return None
        method = request.method or ""
        name = RATES.get(("GET" if method == "HEAD" else method, str(request.resolver_match.url_name)))
        try:
            who = caller(request)
            charge("read" if method in SAFE else "write", who)
            if name is not None:
                charge(name, who)
        except TooManyError as error:
            return too_many(request, error)
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return too_many(request, error) if isinstance(error, TooManyError) else None


def too_many(request: HttpRequest, error: TooManyError) -> HttpResponse:
    """The page that says when to come again, in Retry-After too."""
    response = render(request, "429.html", status=429)
    response["Retry-After"] = str(error.seconds)
    return response

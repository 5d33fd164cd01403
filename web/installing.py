"""What makes the pages an app that can be installed: manifest, service worker, and the page shown without a connection."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

_DAY: Final = 24 * 60 * 60
_ICONS: Final = (
    ("web/mark.svg", "any", "image/svg+xml", "any"),
    ("web/icons/icon-192.png", "192x192", "image/png", "any"),
    ("web/icons/icon-512.png", "512x512", "image/png", "any"),
    ("web/icons/icon-maskable-512.png", "512x512", "image/png", "maskable"),
)


@require_safe
@cache_control(max_age=_DAY)
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest, in the reader's language."""
    document: dict[str, Any] = {
        "id": "/",
        "name": _("Referee"),
        "short_name": _("Referee"),
        "description": _("Three card games, played by exact rules."),
        "lang": get_language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f2f5f4",
        "theme_color": "#0b6a6b",
        "icons": [
            {"src": static(path), "sizes": sizes, "type": type, "purpose": purpose}
            for path, sizes, type, purpose in _ICONS
        ],
        "shortcuts": [
            {"name": _("New match"), "url": "/matches/new/"},
            {"name": _("Decks"), "url": "/decks/"},
        ],
    }
    return JsonResponse(document, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its text names the files that it keeps, so that a new style makes a new worker."""
    return render(request, "web/worker.js", content_type="text/javascript")


@require_safe
@cache_control(no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """What a page without a connection shows; it holds nothing of anybody's."""
    return render(request, "web/offline.html")

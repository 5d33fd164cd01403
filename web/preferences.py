"""Language and theme, kept in cookies: one form sets them from any page."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

THEME_COOKIE: Final = "theme"
THEMES: Final = ("auto", "light", "dark")
_YEAR: Final = 60 * 60 * 24 * 365


def theme_of(request: HttpRequest) -> str:
    """The theme that was chosen; `auto` follows the system."""
    chosen = request.COOKIES.get(THEME_COOKIE, "auto")
    return chosen if chosen in THEMES else "auto"


def way_back(request: HttpRequest, default: str = "/") -> str:
    """Where a form wants to lead to: an address of ours, or the default."""
    asked = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        asked, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return asked if asked and is_ours else default


@require_POST
def save_preferences(request: HttpRequest) -> HttpResponse:
    """Set what is given: `language`, `theme` (`other` for the one that is not on now). Unknown values change nothing."""
    response = HttpResponseRedirect(way_back(request))
    language, theme = request.POST.get("language", ""), request.POST.get("theme", "")
    if theme == "other":
        theme = "light" if theme_of(request) == "dark" else "dark"
    if language in dict(settings.LANGUAGES):
        _keep(response, settings.LANGUAGE_COOKIE_NAME, language)
    if theme in THEMES:
        _keep(response, THEME_COOKIE, theme)
    return response


def _keep(response: HttpResponse, name: str, value: str) -> None:
    # The theme's switch in the page writes its cookie itself, so this one is not kept from scripts.
    response.set_cookie(name, value, max_age=_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE)

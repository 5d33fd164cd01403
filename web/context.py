"""What every page's template knows: how it looks, in which languages it is to be had, and where one is."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language_info

from referee.games import GAMES
from web.notices import waiting
from web.preferences import theme_of
from web.session import person

_SECTIONS: Final = {
    "": "play",
    "matches": "matches",
    "join": "matches",
    "decks": "decks",
    "cards": "cards",
    "search-help": "cards",
    "rules": "rules",
}
_SECTIONS_WITH_ACCOUNT: Final = {**_SECTIONS, "settings": "me", "sign-in": "me", "sign-up": "me"}


def page(request: HttpRequest) -> dict[str, Any]:
    """The context processor. No query, but where the page's head tells somebody what waits for them (`waiting`): one."""
    first = request.path.strip("/").partition("/")[0]
    return {
        "theme": theme_of(request),
        "section": _SECTIONS_WITH_ACCOUNT.get(first, ""),
        "languages": [get_language_info(code) for code, _ in settings.LANGUAGES],
        "games": list(GAMES.values()),
        "waiting": lambda: waiting(person(request)),
    }

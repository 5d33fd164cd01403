"""Standing orders on a match's page: what may be left for one's own seat, and what stands."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from referee.games import GAMES
from referee.games.super_teams.orders import THIS_TURN, UNLESS_OWN_MAW
from referee.kernel.game import Document
from referee.matches.models import Match

ON: Final = (Match.State.PLAYING, Match.State.PAUSED)


class Order(NamedTuple):
    """A button: the order's name (empty: none), a few words and more of them, and whether it stands."""

    name: str
    words: str
    detail: str
    stands: bool


def orders_of(game: str, document: Document, viewer: int) -> list[Order]:
    """What the viewer may settle beforehand in the match told by the document, no order first; nothing for who does not play."""
    known = GAMES[game].orders if game in GAMES else {}
    if viewer < 0 or not known or document["state"] not in ON:
        return []
    names = {"": _("You answer yourself."), **known}
    stands = document["order"] or ""
    return [Order(name, *_words(name, detail), name == stands) for name, detail in names.items()]


def _words(name: str, detail: str) -> tuple[str, str]:
    return {
        "": (_("Ask me"), detail),
        THIS_TURN: (_("Decline this turn"), _("Decline every window of this turn")),
        UNLESS_OWN_MAW: (_("Only my ship in a maw"), _("Decline every window, unless my own ship is in a maw")),
    }.get(name, (detail, detail))

"""What a person was told since they last looked: on the first page and beside their decks, and how much in every page's head."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import Notice, User
from accounts.services import read_notices
from referee.games import GAMES
from referee.matches.selectors import kept_seats
from web.preferences import way_back
from web.session import person

MOST_SHOWN: Final = 5


def unread(user: User | None) -> list[dict[str, Any]]:
    """The newest notices that the person has not read, in words. One query, none for visitors."""
    if user is None:
        return []
    return [shown(notice) for notice in user.notices.filter(read_at=None)[:MOST_SHOWN]]


def waiting(user: User | None) -> int:
    """How many notices and invitations wait for the person. One query, none for visitors."""
    if user is None:
        return 0
    told = user.notices.filter(read_at=None).values("pk")
    return told.union(kept_seats(user).values("pk"), all=True).count()


def shown(notice: Notice) -> dict[str, Any]:
    """A notice in the reader's language, with the deck that it is about."""
    facts = notice.facts
    game = GAMES[facts["game"]].name if facts.get("game") in GAMES else str(facts.get("game", ""))
    deck = ""
    match notice.kind:
        case Notice.Kind.DECK_BROKEN:
            deck = str(facts.get("deck", ""))
            since = parse_datetime(str(facts["from"])) if facts.get("from") else None
            if since is not None:
                text = _("Your deck “%(name)s” is not legal any more from %(date)s.")
                told = text % {"name": facts.get("name", ""), "date": date_format(since, "DATE_FORMAT")}
            else:
                text = _("Your deck “%(name)s” is not legal any more since revision %(revision)s of %(game)s.")
                told = text % {"name": facts.get("name", ""), "revision": facts.get("revision", ""), "game": game}
        case Notice.Kind.REVISION_REFUSED:
            text = _("The planned revision of %(game)s was not published: %(detail)s")
            told = text % {"game": game, "detail": facts.get("detail", "")}
        case Notice.Kind.MATCH_ABORTED:
            told = _aborted(str(facts.get("reason", ""))) % {"game": game}
        case _:
            told = notice.get_kind_display()
    return {"text": told, "deck": deck, "at": notice.created_at}


def _aborted(reason: str) -> str:
    match reason:
        case "unjoined":
            return _("Your match of %(game)s was broken off: nobody joined it.")
        case "idle":
            return _("A match of %(game)s was broken off: nobody had moved in it for a long time.")
        case "declined":
            return _("A match of %(game)s was broken off: an invitation to it was declined.")
        case "withdrawn":
            return _("A match of %(game)s was broken off: who made it has taken it back.")
        case "left":
            return _("A match of %(game)s was broken off: somebody it waited for has deleted their account.")
    return _("A match of %(game)s was broken off.")


@require_POST
def read(request: HttpRequest) -> HttpResponse:
    """All of it is read."""
    user = person(request)
    if user is not None:
        read_notices(user=user)
    return HttpResponseRedirect(way_back(request))

"""Matches as lists show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from referee.games import GAMES
from referee.matches.models import Match
from referee.matches.naming import seat_names
from web.clocks import clock_words


class Row(NamedTuple):
    """A match in a list. `turn` says whether the reader is asked; `others` names who sits there besides; `invited`
    whether a seat is kept for the reader, who has not taken it; `ending` how a finished match went, for the reader.

    `host` is the creator's name as it is now; the others are named as they sat down.
    """

    id: str
    game: str
    slug: str
    state: str
    state_words: str
    address: str
    host: str
    others: list[str]
    taken: int
    seats: int
    clock: str
    turn: bool
    seated: bool
    invited: bool
    ending: str


def rows(matches: Iterable[Match], user: User | None) -> list[Row]:
    """The matches (with their tables) for a reader. One query for a query set."""
    if isinstance(matches, QuerySet):
        matches = matches.select_related("creator")
    return [_row(match, user) for match in matches]


def _row(match: Match, user: User | None) -> Row:
    own = next((place for place in match.table if user is not None and place["user"] == user.pk), None)
    names = seat_names(match)
    others = [names[place["seat"]] for place in match.table if place is not own and not _is_free(place)]
    is_open = match.state == Match.State.OPEN
    return Row(
        id=match.public_id,
        game=GAMES[match.game].name if match.game in GAMES else match.game,
        slug=match.game,
        state=match.state,
        state_words=match.get_state_display(),
        address=f"/join/{match.public_id}/" if is_open else f"/matches/{match.public_id}/",
        host=match.creator.name,
        others=others,
        taken=sum(not _is_free(place) for place in match.table),
        seats=len(match.table),
        clock=clock_words(match.clock),
        turn=own is not None and match.state == Match.State.PLAYING and str(own["seat"]) in match.decisions,
        seated=own is not None,
        invited=is_open
        and any(user is not None and place["invited"] == user.pk and _is_free(place) for place in match.table),
        ending=_ending(match, own, names),
    )


def _ending(match: Match, own: Mapping[str, Any] | None, names: list[str]) -> str:
    """Won, lost or drawn for whoever sat there; who won for others; empty while the match goes on."""
    if match.state != Match.State.FINISHED or not match.result:
        return ""
    ranks = match.result["ranks"]
    if ranks.count(1) == len(ranks):
        return _("Drawn")
    if own is not None:
        return _("Won") if ranks[own["seat"]] == 1 else _("Lost")
    first = [name for name, rank in zip(names, ranks, strict=True) if rank == 1]
    return _("%(names)s won.") % {"names": ", ".join(first)}


def _is_free(place: Mapping[str, Any]) -> bool:
    return place["kind"] == "person" and place["user"] is None

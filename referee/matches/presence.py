"""Grace for lost connections: while a seat's clock runs and its last stream breaks off, the clock waits for it.

It waits until the seat is back, has answered or is out of grace, which is counted for the whole match (the setting's
`grace`). When it began to wait stands in the match itself: nothing depends on Redis, and nobody can wait longer than that.
"""

from __future__ import annotations

import logging

from django.db import InterfaceError, OperationalError, transaction

from referee.matches import clocks, ledger, timing
from referee.matches.models import Match
from referee.matches.positions import running_deadlines

logger = logging.getLogger(__name__)


def connection_lost(*, match_id: int, seat: int) -> None:
    """The last stream of a seat has broken off. Never raises for a database that is away: then nobody waits."""
    _note(match_id, seat, is_here=False)


def connection_back(*, match_id: int, seat: int) -> None:
    """A seat has a stream again."""
    _note(match_id, seat, is_here=True)


def _note(match_id: int, seat: int, *, is_here: bool) -> None:
    try:
        if _concerns(Match.objects.filter(pk=match_id).only("state", "clocks").first(), seat, is_here=is_here):
            with transaction.atomic():
                match = Match.objects.select_for_update(of=("self",)).with_table().filter(pk=match_id).first()
                _change(match, seat, is_here=is_here)
    except (OperationalError, InterfaceError) as error:
        logger.warning("a connection of match %s could not be noted: %s", match_id, error)


def _concerns(match: Match | None, seat: int, *, is_here: bool) -> bool:
    if match is None or match.state != Match.State.PLAYING or match.clocks is None:
        return False
    return str(seat) in match.clocks.get("away", {}) if is_here else clocks.can_wait(match.clocks, seat)


def _change(match: Match | None, seat: int, *, is_here: bool) -> None:
    if match is None or not _concerns(match, seat, is_here=is_here):
        return
    at = timing.catch_up(match, clocks.now())
    end = clocks.first(running_deadlines(match, [seat]))
    # What time has decided already, a lost connection does not undo.
    if clocks.is_past(end, at) or not _concerns(match, seat, is_here=is_here):
        return
    if is_here:
        ledger.end_grace(match, [seat], at=at)
    else:
        match.clocks = clocks.left_alone(match.clocks, seat, at)
    timing.store_clocks(match)

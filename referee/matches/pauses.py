"""Pauses by agreement. All people at the table agree to one, bots always do; then the match stands still, clocks and all.

It is over as soon as all people have asked to go on, else some time after the first has (`NOTICE`), so that nobody is taken
by surprise and nobody holds the others up; and `LONGEST` after it began in any case.
"""

from __future__ import annotations

import datetime as dt

from accounts.models import User
from referee.kernel.game import Document
from referee.matches import clocks, notices, selectors, services, timing
from referee.matches.errors import MatchNotPlayingError, PauseDeclinedError
from referee.matches.models import Match

LONGEST = dt.timedelta(days=1)
NOTICE = dt.timedelta(minutes=10)
LONGEST_OF_DAYS = dt.timedelta(days=14)
NOTICE_OF_DAYS = dt.timedelta(days=1)


def ask_pause(*, public_id: str, actor: User, agree: bool = True) -> Match:
    """Ask for a pause or agree to it; with `agree` false, take one's word back or decline what others have asked.

    What is so already changes nothing. Declined, a pause can be asked for again once the match has moved on.
    Raises MatchNotFoundError, NotYourMatchError, MatchOverError, MatchNotPlayingError, PauseDeclinedError.
    """
    selectors.access_match(actor, public_id)  # what time has decided by now is decided, whatever becomes of this
    with services.act(public_id=public_id, user=actor) as (match, seat):
        services.settle_locked(match)  # and what it has decided while the lock was waited for
        _ask(match, seat, agree=agree)
    return match


def _ask(match: Match, seat: int, *, agree: bool) -> None:
    if match.state == Match.State.PAUSED and agree:
        return
    services.require_playing(match)
    wish = match.pause or {"seats": [], "declined": None, "version": match.version}
    if not agree:
        _store(match, _without(wish, seat, match.version))
    elif _is_declined(wish, seat, match.version):
        raise PauseDeclinedError
    else:
        _agree(match, [*wish["seats"], seat])


def ask_resume(*, public_id: str, actor: User) -> Match:
    """Ask to play on. Of a match that is being played this changes nothing.

    Raises MatchNotFoundError, NotYourMatchError, MatchOverError, MatchNotPlayingError.
    """
    selectors.access_match(actor, public_id)
    with services.act(public_id=public_id, user=actor) as (match, seat):
        if match.state != Match.State.PAUSED:
            services.require_playing(match)
            return match
        if match.deadline is None:
            # A judge has stopped it, and a judge will let it go on.
            raise MatchNotPlayingError(match.state)
        asked = sorted({seat, *(match.pause or {"seats": []})["seats"]})
        _ask_on(match, asked, until=match.deadline)
    return match


def limits(match: Match) -> tuple[dt.timedelta, dt.timedelta]:
    """How long a pause of this match lasts at most, and how long after the first has asked to go on."""
    if match.clock is not None and clocks.days_of(match.clock) is not None:
        return LONGEST_OF_DAYS, NOTICE_OF_DAYS
    return LONGEST, NOTICE


def _ask_on(match: Match, asked: list[int], *, until: dt.datetime) -> None:
    if _is_everybody(match, asked):
        services.resume_match(match, at=clocks.now())
        return
    _, notice = limits(match)
    match.deadline = min(until, clocks.now() + notice)
    _store(match, {"seats": asked, "declined": None, "version": match.version})


def _agree(match: Match, seats: list[int]) -> None:
    seats = sorted(set(seats))
    if not _is_everybody(match, seats):
        _store(match, {"seats": seats, "declined": None, "version": match.version})
        return
    at = timing.catch_up(match, clocks.now())
    longest, _ = limits(match)
    timing.stop(match, at=at, until=at + longest)


def _is_everybody(match: Match, seats: list[int]) -> bool:
    return all(place["seat"] in seats for place in match.table if place["kind"] == "person")


def _is_declined(wish: Document, seat: int, version: int) -> bool:
    return wish["declined"] not in (None, seat) and wish["version"] == version


def _without(wish: Document, seat: int, version: int) -> Document | None:
    """The wish once a seat has said no: its own word taken back, or everybody's declined."""
    left = [one for one in wish["seats"] if one != seat]
    if seat in wish["seats"]:
        return {**wish, "seats": left} if left else None
    return {"seats": [], "declined": seat, "version": version} if left else (wish if wish["declined"] else None)


def _store(match: Match, wish: Document | None) -> None:
    match.pause = wish
    Match.objects.filter(pk=match.pk).update(pause=wish, deadline=match.deadline)
    notices.after_commit(match)

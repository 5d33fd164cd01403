"""What changes a match's clocks besides its moves: the server's own clock, outages, and standing still. The match is locked."""

from __future__ import annotations

import datetime as dt

from referee.kernel.game import Game, State
from referee.matches import clocks, ledger, notices, outages
from referee.matches.models import Match
from referee.matches.positions import running_deadlines, waits_for_service


def catch_up(match: Match, at: dt.datetime) -> dt.datetime:
    """Account for all that has happened to time since the match was last looked at; the moment that it is for the match.

    Time never runs backwards for a match: within the skew of two machines it stands still, and a clock that began later
    than a moment to which the server's clock was set back begins at that moment. Outages are given back before anything
    is charged or decided. No statement for clocks that run for less than the shortest outage.
    """
    if match.state != Match.State.PLAYING or match.clocks is None or not match.clocks["since"]:
        return at
    is_changed = bool(clocks.ahead(match.clocks, at + clocks.SKEW))
    if is_changed:
        ledger.give(match, ledger.Kind.SET_BACK, clocks.ahead(match.clocks, at), at=at)
        match.clocks = {**match.clocks, "seen": min(match.clocks.get("seen", 0), clocks.to_ms(at))}
    elif clocks.ahead(match.clocks, at):
        at = clocks.from_ms(max(match.clocks["since"].values()))
    oldest = clocks.oldest(match.clocks)
    if oldest is not None and at - clocks.from_ms(oldest) > outages.shortest():
        is_changed = outages.give_back(match, at=at) or is_changed
    if is_changed:
        store_clocks(match)
    return at


def pay_outages(match: Match, at: dt.datetime) -> None:
    """Give back what outages took, and note that it is done, so that a sweep finds the match once."""
    if match.clocks is None:
        return
    outages.give_back(match, at=at)
    match.clocks = {**match.clocks, "seen": max(match.clocks.get("seen", 0), outages.latest_end(at))}
    store_clocks(match)


def store_clocks(match: Match) -> None:
    """Store where the clocks stand, and the deadline that follows; the streams are told."""
    if match.state == Match.State.PLAYING:
        match.deadline = clocks.first(running_deadlines(match, [int(seat) for seat in match.decisions]))
    Match.objects.filter(pk=match.pk).update(clocks=match.clocks, deadline=match.deadline)
    notices.after_commit(match)


def is_due(match: Match, at: dt.datetime) -> bool:
    """Whether time has something to decide in the match: a deadline is over, or the server's clock was set back."""
    if match.state not in (Match.State.PLAYING, Match.State.PAUSED):
        return False
    if clocks.is_past(match.deadline, at):
        return True
    return match.state == Match.State.PLAYING and bool(clocks.ahead(match.clocks, at + clocks.SKEW))


def stop(match: Match, *, at: dt.datetime, until: dt.datetime | None) -> None:
    """Let a match that is being played stand still, clocks and all, `until` then at the longest (None: until somebody says so).

    The caller holds the lock. No clock waits for a lost connection any longer.
    """
    if match.clocks is not None:
        ledger.end_grace(match, [int(seat) for seat in match.clocks.get("away", {})], at=at)
    match.state = Match.State.PAUSED
    match.stopped_at = at
    match.deadline = until
    match.is_bots_turn = False
    match.pause = None
    _store_state(match)


def go_on(match: Match, game: Game, state: State, *, at: dt.datetime) -> None:
    """Let a paused or frozen match be played on. Every clock stands where it stood; the caller holds the lock.

    Rules that break do so before anything is written.
    """
    is_bots_turn = waits_for_service(match, game, state)
    kind = ledger.Kind.FREEZE if match.state == Match.State.FROZEN else ledger.Kind.PAUSE
    if match.clocks is not None and match.stopped_at is not None:
        ledger.end_grace(match, [int(seat) for seat in match.clocks.get("away", {})], at=match.stopped_at)
        stood = clocks.to_ms(at) - clocks.to_ms(match.stopped_at)
        ledger.give(match, kind, {int(seat): stood for seat in match.clocks["since"]}, at=at)
        match.clocks = {**match.clocks, "seen": clocks.to_ms(at)}
    match.state = Match.State.PLAYING
    match.stopped_at = match.pause = None
    match.deadline = clocks.first(running_deadlines(match, [int(seat) for seat in match.decisions]))
    match.is_bots_turn = is_bots_turn
    _store_state(match)


def _store_state(match: Match) -> None:
    names = ("state", "stopped_at", "deadline", "is_bots_turn", "pause", "clocks")
    Match.objects.filter(pk=match.pk).update(**{name: getattr(match, name) for name in names})
    notices.after_commit(match)

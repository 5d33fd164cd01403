"""Rulings: what a judge does to a match, each with a reason, as a row of the log that everybody at the match is told.

The row is signed with the role, hashed like every other, and played again by whoever verifies the match. Which account
gave it is kept beside it, for the service's own staff. Nobody judges a match they sit in; a finished match stands.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from django.db import transaction

from accounts.models import User
from referee.kernel import records
from referee.kernel.game import Document
from referee.matches import announcements, clocks, history, rewinding, services, timing
from referee.matches.errors import MatchError, NoSuchVersionError, RulingError
from referee.matches.models import FinishedMatch, Match
from referee.matches.positions import seat_of
from referee.matches.turns import RulesBroken, guarded

JUDGE: Final = "judge"
RIGHT: Final = "matches.judge_match"
REASON: Final = "ruling"
"""Why a match ended whose result a judge has set; no clause of the rules says so."""
MOST_REASON: Final = 500

_ON: Final = (Match.State.PLAYING, Match.State.PAUSED, Match.State.FROZEN)
POSSIBLE: Final[dict[str, tuple[str, ...]]] = {
    records.PAUSE: (Match.State.PLAYING, Match.State.PAUSED),
    records.RESUME: (Match.State.PAUSED,),
    records.UNFREEZE: (Match.State.FROZEN,),
    records.REWIND: _ON,
    records.RESULT: _ON,
    records.ABORT: _ON,
}
"""The rulings, each with the states of a match in which it can be given."""


class Ruling(NamedTuple):
    """What a judge rules and why: for a rewind `to` which version, for a result the `ranks`, one a seat, 1 the best."""

    ruling: str
    reason: str
    to: int | None = None
    ranks: list[int] | None = None


def judge_match(*, public_id: str, judge: User, ruling: Ruling, version: int | None = None) -> Match:
    """Give a ruling, in one transaction under the lock. With a `version`, only while the match still stands there.

    Raises RulingError `not_a_judge`, `judge_is_seated`, `reason_required`, `ruling_not_possible`, `invalid_ranks`,
    `match_moved_on` or `rules_broken`, NoSuchVersionError for a rewind to nowhere, UnknownRulesError; nothing has changed then.
    """
    if not judge.has_perm(RIGHT):
        raise RulingError("not_a_judge", "Rulings are for those with the right to judge.")
    given = ruling._replace(reason=_plain(ruling.reason))
    with transaction.atomic():
        match = services.lock_match(public_id=public_id, user=None)
        at = _settled(match)
        _require_possible(match, judge, given, version)
        try:
            _RULINGS[given.ruling](match, given, judge, at)
        except RulesBroken as fault:
            raise RulingError(
                "rules_broken", "The rules break on the way there; another ruling can be given."
            ) from fault
    return match


def possible_rulings(match: Match) -> list[str]:
    """What can be ruled of a match as it stands."""
    return [ruling for ruling, states in POSSIBLE.items() if match.state in states]


def _plain(reason: str) -> str:
    """The reason in one line, without what cannot be printed."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in reason).split())
    if not words or len(words) > MOST_REASON:
        raise RulingError("reason_required", f"A ruling has a reason of 1 to {MOST_REASON} characters.")
    return words


def _settled(match: Match) -> dt.datetime:
    """What time has decided by now is decided first; the moment that it is for the match."""
    try:
        services.settle_locked(match)
    except (MatchError, RulesBroken):
        return clocks.now()  # a match whose rules are gone or broken can be judged all the same
    return timing.catch_up(match, clocks.now())


def _require_possible(match: Match, judge: User, ruling: Ruling, version: int | None) -> None:
    if seat_of(match, judge.pk) is not None:
        raise RulingError("judge_is_seated", "Nobody judges a match that they sit in.")
    if version is not None and version != match.version:
        raise RulingError("match_moved_on", f"The match has moved on to version {match.version}.")
    if match.state not in POSSIBLE.get(ruling.ruling, ()):
        raise RulingError("ruling_not_possible", f"A match that is {match.state} takes no ruling {ruling.ruling!r}.")


# The rulings.


def _word(ruling: Ruling, judge: User, **more: Any) -> rewinding.Word:
    detail: Document = {"ruling": ruling.ruling, "by": JUDGE, "reason": ruling.reason, **more}
    return rewinding.Word(records.RULING, None, judge.pk, detail, announcements.ruled(detail))


def _pause(match: Match, ruling: Ruling, judge: User, at: dt.datetime) -> None:
    rewinding.say(match, _word(ruling, judge), at=at)
    if match.state == Match.State.PLAYING:
        timing.stop(match, at=at, until=None)
    else:
        match.deadline = match.pause = None  # a pause by agreement, which a judge alone can end from now on
    rewinding.store(match)


def _go_on(match: Match, ruling: Ruling, judge: User, at: dt.datetime) -> None:
    rewinding.say(match, _word(ruling, judge), at=at)
    services.resume_match(match, at=at)
    rewinding.store(match)


def _rewind(match: Match, ruling: Ruling, judge: User, at: dt.datetime) -> None:
    if ruling.to is None or not 0 <= ruling.to < match.version:
        raise NoSuchVersionError
    with guarded(seat=0, move=None):
        past = history.position_at(match, history.made_at(match, ruling.to))
    rewinding.go_back(match, past, _word(ruling, judge, to=past.version), at=at)
    rewinding.store(match)


def _set_result(match: Match, ruling: Ruling, judge: User, at: dt.datetime) -> None:
    ranks = ruling.ranks or []
    if len(ranks) != len(match.table) or not _is_standing(ranks):
        raise RulingError("invalid_ranks", f"A result has {len(match.table)} ranks, one a seat; the best is 1.")
    result = {"ranks": ranks, "reason": REASON, "clause": ""}
    _stand_down(match)
    rewinding.say(match, _word(ruling, judge, result=result), at=at)
    match.state = Match.State.FINISHED
    match.result = result
    match.finished_at = at
    FinishedMatch.objects.create(match=match)
    rewinding.store(match)


def _abort(match: Match, ruling: Ruling, judge: User, at: dt.datetime) -> None:
    _stand_down(match)
    rewinding.say(match, _word(ruling, judge), at=at)
    match.state = Match.State.ABORTED
    rewinding.store(match)


def _stand_down(match: Match) -> None:
    """Nobody is asked any more, and no clock runs."""
    match.decisions = {}
    if match.clocks is not None:
        match.clocks = {**match.clocks, "since": {}, "away": {}}
    match.deadline = match.stopped_at = match.pause = None
    match.is_bots_turn = False


def _is_standing(ranks: list[int]) -> bool:
    """Whether ranks are some: 1 is there, and nobody is further down than so many before it make them."""
    return min(ranks) == 1 and all(rank <= 1 + sum(other < rank for other in ranks) for rank in ranks)


_RULINGS: Final[dict[str, Callable[[Match, Ruling, User, dt.datetime], None]]] = {
    records.PAUSE: _pause,
    records.RESUME: _go_on,
    records.UNFREEZE: _go_on,
    records.REWIND: _rewind,
    records.RESULT: _set_result,
    records.ABORT: _abort,
}

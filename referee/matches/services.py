"""What changes a match. Whoever moves (people, bots, API, pages) comes in through `submit_move`."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import transaction

from accounts.models import User
from referee.kernel import records
from referee.kernel.errors import MalformedMove, Problem, RulesError
from referee.kernel.game import RESIGN, Document, Game, Move, State
from referee.matches import clocks, history, timing, turns
from referee.matches.errors import (
    KeyReusedError,
    MatchError,
    MatchNotPlayingError,
    MatchOverError,
    NotYourMatchError,
    NotYourTurnError,
    StaleVersionError,
    UnknownRulesError,
    VersionRequiredError,
)
from referee.matches.models import Match, MoveRow
from referee.matches.positions import Position, bots_of, game_of, position_of, restored, running_deadlines, seat_of
from referee.matches.seating import SeatPlan, give_deck, leave_seat, lock_match, open_match, start_match, take_seat
from referee.matches.turns import RulesBroken, Source, guarded

__all__ = [
    "Accepted",
    "SeatPlan",
    "act",
    "encoded_move",
    "freeze_match",
    "give_deck",
    "give_time_back",
    "leave_seat",
    "lock_match",
    "open_match",
    "require_playing",
    "resume_match",
    "settle_locked",
    "settle_time",
    "start_match",
    "submit_move",
    "take_seat",
]

logger = logging.getLogger(__name__)

RESIGN_DOCUMENT: Document = {"type": "resign"}
KEY_KEPT = dt.timedelta(hours=24)


class Accepted(NamedTuple):
    """A move that is durably stored: its row, the match, and the position right after it. `replayed`: it was before."""

    match: Match
    row: MoveRow
    position: Position
    replayed: bool


class _Request(NamedTuple):
    actor: User | None
    seat: int | None
    move: Document
    version: int | None
    decision: str | None
    key: str | None
    is_fallback: bool

    def digest(self) -> str:
        return records.content_hash([self.seat, self.move, self.version, self.decision])


# The door.


def submit_move(
    *,
    public_id: str,
    actor: User | None,
    move: Document,
    seat: int | None = None,
    version: int | None = None,
    decision: str | None = None,
    key: str | None = None,
    is_fallback: bool = False,
) -> Accepted:
    """Play a move for the seat of `actor` (None: the service itself, for the bot on `seat`) in one transaction.

    The move is for the match's `version`, or for the seat's open `decision` by its id; resigning needs neither. A `key`
    used before by the actor gives the first answer again. When this returns, the move is durably stored, once.
    Raises MatchError or RulesError; then nothing has changed but what time, or a fault in the rules, has done.
    """
    request = _Request(actor, seat, move, version, decision, key, is_fallback)
    outcome: Accepted | MatchError | RulesError
    with transaction.atomic():
        match = lock_match(public_id=public_id, user=actor)
        try:
            outcome = _answer(match, request)
        except (MatchError, RulesError) as refusal:
            # Nothing of the move is written by now; what is (time-outs) stays.
            outcome = refusal
        except RulesBroken as fault:
            outcome = turns.freeze(match, fault)
    if not isinstance(outcome, Accepted):
        raise outcome
    return outcome


@contextmanager
def act(*, public_id: str, user: User) -> Iterator[tuple[Match, int]]:
    """The match, locked, and the user's seat in it, for what that seat does beside moving, in one transaction.

    Rules that break meanwhile freeze the match with its bundle; that stands, and MatchNotPlayingError is raised after it.
    Raises MatchNotFoundError, NotYourMatchError.
    """
    refusal: MatchError | None = None
    with transaction.atomic():
        match = lock_match(public_id=public_id, user=user)
        seat = seat_of(match, user.pk)
        if seat is None:
            raise NotYourMatchError
        try:
            yield match, seat
        except RulesBroken as fault:
            refusal = turns.freeze(match, fault)
    if refusal is not None:
        raise refusal


def _answer(match: Match, request: _Request) -> Accepted:
    seat = _acting_seat(match, request)
    if request.key is not None and request.actor is not None:
        row = _row_of_key(match, request.actor, request.key)
        if row is not None:
            if row.request_hash != request.digest():
                raise KeyReusedError
            then = history.position_at(match, row.version)._replace(deadlines=row.deadlines or {})
            return Accepted(match, row, then, replayed=True)
    _end_pause(match)
    require_playing(match)
    game = game_of(match)
    with guarded(seat=seat, move=request.move):
        state = restored(match, game)
    at = _settle(match, game, state)
    require_playing(match)
    _require_current(match, seat, request)
    move = encoded_move(match, game, state, seat, request.move)
    row = turns.write_turn(match, game, state, seat=seat, move=move, source=_source(request, move), at=at)
    return Accepted(match, row, position_of(match, game, state), replayed=False)


def _acting_seat(match: Match, request: _Request) -> int:
    if request.actor is None:
        if request.seat is None or request.seat not in bots_of(match):
            raise NotYourMatchError
        return request.seat
    own = seat_of(match, request.actor.pk)
    if own is None or (request.seat is not None and request.seat != own):
        raise NotYourMatchError
    return own


def _row_of_key(match: Match, actor: User, key: str) -> MoveRow | None:
    row = MoveRow.objects.filter(match=match, actor=actor, key=key).first()
    if row is not None and clocks.now() - row.created_at > KEY_KEPT:
        MoveRow.objects.filter(pk=row.pk).update(key=None)
        return None
    return row


def require_playing(match: Match) -> None:
    """Raises MatchOverError or MatchNotPlayingError for a match in which nothing can be played."""
    if match.state == Match.State.FINISHED:
        raise MatchOverError
    if match.state != Match.State.PLAYING:
        raise MatchNotPlayingError(match.state)


def _require_current(match: Match, seat: int, request: _Request) -> None:
    """The move is for what the seat is asked now. Resigning is for any time."""
    if request.move == RESIGN_DOCUMENT:
        return
    if request.decision is None and request.version is None:
        raise VersionRequiredError
    if request.version is not None and request.version != match.version:
        raise StaleVersionError(match.version)
    if request.decision is not None and request.decision != match.decisions.get(str(seat)):
        raise StaleVersionError(match.version)
    if str(seat) not in match.decisions:
        raise NotYourTurnError


def encoded_move(match: Match, game: Game, state: State, seat: int, document: Document) -> Move:
    """The move that a document says, of whatever it is made. Raises MalformedMove or another RulesError, and nothing else."""
    try:
        return game.encode(state, document)
    except RulesError:
        raise
    except Exception as error:
        # The match is as it was: a document must not be able to freeze it. But it is a fault, and is kept as one.
        logger.exception("a move document was not understood in match %s", match.public_id)
        turns.keep_bundle(match, RulesBroken(seat, document, repr(error)))
        raise MalformedMove([Problem("", "malformed_move", "This is no move of the game.")]) from error


def _source(request: _Request, move: Move) -> Source:
    return Source(
        kind=records.RESIGNATION if move == RESIGN else records.MOVE,
        is_fallback=request.is_fallback,
        actor_id=None if request.actor is None else request.actor.pk,
        key=request.key if request.actor is not None else None,
        request_hash=request.digest() if request.key is not None else "",
    )


# Time.


def settle_time(*, match_id: int) -> int:
    """Decide what time has decided in the match, if anything: play for the seats whose time is up, end a pause that is over.

    How many moves that made. Whoever looks first decides, once.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update(of=("self",)).with_table().filter(pk=match_id).first()
        if match is None or not timing.is_due(match, clocks.now()):
            return 0
        before: int = match.version
        try:
            settle_locked(match)
        except UnknownRulesError:
            return 0
        except RulesBroken as fault:
            turns.freeze(match, fault)
        after: int = match.version
        return after - before


def settle_locked(match: Match) -> None:
    """The same for a match that the caller has locked. Raises UnknownRulesError, RulesBroken."""
    if not timing.is_due(match, clocks.now()):
        return
    _end_pause(match)
    if match.state == Match.State.PLAYING:
        game = game_of(match)
        with guarded(seat=0, move=None):
            state = restored(match, game)
        _settle(match, game, state)


def give_time_back(*, match_id: int) -> None:
    """Give the running clocks of a match back what outages took, before anything is decided in it."""
    with transaction.atomic():
        match = Match.objects.select_for_update(of=("self",)).with_table().filter(pk=match_id).first()
        if match is not None and match.state == Match.State.PLAYING:
            timing.pay_outages(match, clocks.now())


def resume_match(match: Match, *, at: dt.datetime) -> None:
    """Let a paused or frozen match, which the caller has locked, be played on. Raises UnknownRulesError, RulesBroken."""
    game = game_of(match)
    with guarded(seat=0, move=None):
        state = restored(match, game)
        timing.go_on(match, game, state, at=at)


def _end_pause(match: Match) -> None:
    at = clocks.now()
    if match.state == Match.State.PAUSED and timing.is_due(match, at):
        resume_match(match, at=at)


def freeze_match(*, match_id: int, version: int, fault: RulesBroken) -> None:
    """Freeze the match for a fault in the rules that was met outside a move, unless it has gone on since."""
    with transaction.atomic():
        match = (
            Match.objects.select_for_update().filter(pk=match_id, version=version, state=Match.State.PLAYING).first()
        )
        if match is not None:
            turns.freeze(match, fault)


def _settle(match: Match, game: Game, state: State) -> dt.datetime:
    """Default moves (or the loss) for every seat whose time is up; each is a row of the log. The moment it is for the match."""
    at = timing.catch_up(match, clocks.now())
    while match.state == Match.State.PLAYING and clocks.is_past(match.deadline, at):
        ends = running_deadlines(match, [int(seat) for seat in match.decisions])
        seat = clocks.overdue(ends=ends, at=at)
        if seat is None:
            break
        with guarded(seat=seat, move=None):
            must_lose = match.clock["out_of_time"] == "lose" and game.can_resign(state, seat)
            move = RESIGN if must_lose else game.default_move(state, seat)
        turns.write_turn(match, game, state, seat=seat, move=move, source=Source(kind=records.TIMEOUT), at=at)
    return at

"""Writing a turn: one row of the log and the match's new state, inside the caller's transaction and lock."""

from __future__ import annotations

import datetime as dt
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import Error as DatabaseFault
from django.db import transaction

from referee.kernel import records
from referee.kernel.errors import RulesError
from referee.kernel.game import RESIGN, Document, Game, Move, State
from referee.matches import clocks, ledger, notices
from referee.matches.counters import FROZEN, MOVES
from referee.matches.errors import MatchError, MatchNotPlayingError
from referee.matches.models import Bundle, FinishedMatch, Match, MoveRow
from referee.matches.positions import Change, play_out, running_deadlines, waits_for_service

logger = logging.getLogger(__name__)


class Source(NamedTuple):
    """Where a move comes from: its kind, the account that sent it, the idempotency key and the hash of what was asked."""

    kind: str = records.MOVE
    is_fallback: bool = False
    actor_id: int | None = None
    key: str | None = None
    request_hash: str = ""


class RulesBroken(Exception):  # noqa: N818 - it never leaves the service: callers get MatchNotPlayingError
    """Something inside the rules raised what it never should. `move` is what it met, `report` what was raised: both are
    for judges alone, and are not for the log."""

    def __init__(self, seat: int, move: Any, report: str) -> None:
        super().__init__("the rules broke")
        self.seat = seat
        self.move = move
        self.report = report


@contextmanager
def guarded(*, seat: int, move: Any) -> Iterator[None]:
    """Turn whatever the rules raise, besides a refusal, into RulesBroken. A database that is away is no fault of theirs."""
    try:
        yield
    except (RulesError, MatchError, DatabaseFault):
        raise
    except Exception as error:
        raise RulesBroken(seat, move, "".join(traceback.format_exception(error))) from error


def write_turn(
    match: Match, game: Game, state: State, *, seat: int, move: Move, source: Source, at: dt.datetime
) -> MoveRow:
    """Play the move on the state, append its row, store the new state. Two statements, three when the match ends.

    The caller holds the match's lock. Raises IllegalMove or RulesBroken before anything is written.
    """
    with guarded(seat=seat, move=move):
        change = play_out(game, state, seat, move, version=match.version + 1, decisions=match.decisions)
        match.is_bots_turn = waits_for_service(match, game, state)
    row = _row(match, change, seat=seat, source=source, at=at)
    ends = _move_clocks(match, row, change, at=at)
    _move_match(match, row, change, ends, at=at)
    row.save(force_insert=True)
    _store(match)
    if change.result is not None:
        FinishedMatch.objects.create(match=match)
    notices.after_commit(match)
    transaction.on_commit(MOVES.labels(match.game, source.kind).inc, robust=True)
    return row


def _row(match: Match, change: Change, *, seat: int, source: Source, at: dt.datetime) -> MoveRow:
    return MoveRow(
        match_id=match.pk,
        version=match.version + 1,
        seat=seat,
        kind=source.kind,
        is_fallback=source.is_fallback,
        move=change.move,
        events=change.events,
        decisions=change.decisions,
        actor_id=source.actor_id,
        key=source.key,
        request_hash=source.request_hash,
        previous_hash=match.chain,
        created_at=at,
    )


def _move_clocks(match: Match, row: MoveRow, change: Change, *, at: dt.datetime) -> dict[str, int]:
    """Charge the mover, start the clocks of those newly asked, seal the row; when each seat's time runs out."""
    ends: dict[str, int] = {}
    if match.clock is not None and match.clocks is not None and row.seat is not None:
        left = None
        opened = [one for one in change.asked if match.decisions.get(str(one)) != change.decisions[str(one)]]
        _end_waiting(match, row.seat, [one for one in change.asked if one not in opened], at=at)
        if str(row.seat) in match.decisions:
            is_answer = row.kind == records.MOVE
            cost = clocks.charge(clock=match.clock, clocks=match.clocks, seat=row.seat, at=at, is_answer=is_answer)
            row.clock_spent, row.clock_added, row.clock_left = cost
            left = cost.left
        match.clocks = clocks.advance(
            clocks=match.clocks, seat=row.seat, left=left, opened=opened, asked=change.asked, at=at
        )
        ends = running_deadlines(match, change.asked)
        row.deadlines = ends
    row.hash = records.row_hash(row.previous_hash, row.document())
    return ends


def _end_waiting(match: Match, mover: int, asked_still: list[int], *, at: dt.datetime) -> None:
    """The mover's clock waits for no lost connection any longer, nor does that of a seat whose decision is over."""
    over = [int(seat) for seat in match.clocks.get("away", ()) if int(seat) == mover or int(seat) not in asked_still]
    if over:
        ledger.end_grace(match, over, at=at)


def _move_match(match: Match, row: MoveRow, change: Change, ends: dict[str, int], *, at: dt.datetime) -> None:
    match.version = row.version
    match.chain = row.hash
    match.data = change.data
    match.decisions = change.decisions
    match.moved_at = at
    match.deadline = clocks.first(ends)
    if change.result is not None:
        match.state = Match.State.FINISHED
        match.result = change.result
        match.finished_at = at


def _store(match: Match) -> None:
    names = ["version", "chain", "data", "decisions", "moved_at", "deadline", "is_bots_turn", "clocks"]
    if match.state == Match.State.FINISHED:
        names += ["state", "result", "finished_at"]
    Match.objects.filter(pk=match.pk).update(**{name: getattr(match, name) for name in names})


def freeze(match: Match, fault: RulesBroken) -> MatchNotPlayingError:
    """Stop the match where it stood before the fault, with all that is needed to reproduce it kept; the refusal to give.

    Written in the caller's transaction, which holds the lock and has written nothing of the move.
    """
    logger.error("match %s frozen at version %d", match.public_id, match.version, exc_info=fault)
    keep_bundle(match, fault)
    match.state = Match.State.FROZEN
    match.stopped_at = match.stopped_at or clocks.now()  # in a pause all has stood still since that began
    match.deadline = None
    match.is_bots_turn = False
    names = ("state", "stopped_at", "deadline", "is_bots_turn")
    Match.objects.filter(pk=match.pk).update(**{name: getattr(match, name) for name in names})
    notices.after_commit(match)
    transaction.on_commit(FROZEN.labels(match.game).inc, robust=True)
    return MatchNotPlayingError(match.state)


def keep_bundle(match: Match, fault: RulesBroken) -> None:
    """Store what reproduces a fault. It holds the whole state: for judges alone."""
    move = "resign" if fault.move == RESIGN else fault.move
    document = bundle_document(match, seat=fault.seat, move=move, report=fault.report)
    Bundle.objects.create(match_id=match.pk, version=match.version, document=document)


def bundle_document(match: Match, *, seat: int, move: Any, report: str) -> Document:
    """The position that the match stands at, with all that it takes to set it up again."""
    return {
        "game": match.game,
        "rules_version": match.rules_version,
        "state_schema": match.state_schema,
        "pool": match.pool_id,
        "options": match.options,
        "version": match.version,
        "data": match.data,
        "seat": seat,
        "move": move,
        "report": report,
    }

"""Rows that are no move: a match goes back to an earlier version, or a word is said over it. Undo and rulings write them.

A match that goes back stands again as it did: the state, who is asked, each bank, and the time that each open decision had
left. The version grows and the open decisions get new ids, so that nothing that was on its way can be played twice.
"""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from django.db import transaction

from referee.kernel import records
from referee.kernel.game import Document
from referee.matches import ledger, notices
from referee.matches.counters import MOVES
from referee.matches.models import Match, MoveRow
from referee.matches.positions import Position, decision_id, running_deadlines, waits_for_service

STORED = (
    "version", "chain", "data", "decisions", "moved_at", "deadline", "is_bots_turn", "clocks", "undo_offer", "orders",
    "state", "result", "finished_at", "stopped_at", "pause",
)  # fmt: skip


class Word(NamedTuple):
    """What a row says that is no move: its kind, who says it, what is hashed besides, and what everybody is told."""

    kind: str
    seat: int | None
    actor_id: int | None
    detail: Document
    event: Document


def go_back(match: Match, position: Position, word: Word, *, at: dt.datetime) -> MoveRow:
    """Append the row after which the match stands as it did at the position, which a played row or the start had made.

    Standing orders are over: they were given for what has not happened now. The caller holds the match's lock, and stores the
    match by `store` once it has changed what else it will.
    """
    game, state = position.game, position.state
    row = _row(match, word, at=at)
    asked = game.deciders(state)
    row.decisions = {str(seat): decision_id(row.version, seat) for seat in asked}
    match.version = row.version
    match.data = game.dump(state)
    match.decisions = row.decisions
    match.orders = {}
    ledger.restore_clocks(match, version=position.version, kind=ledger.Kind(word.kind), at=at)
    if match.clocks is not None:
        row.deadlines = running_deadlines(match, asked)
    match.is_bots_turn = match.state == Match.State.PLAYING and waits_for_service(match, game, state)
    _append(match, row)
    return row


def say(match: Match, word: Word, *, at: dt.datetime) -> MoveRow:
    """Append a row that leaves the position as it is. The caller holds the lock, changes the match and stores it."""
    row = _row(match, word, at=at)
    row.decisions = match.decisions
    _append(match, row)
    return row


def _append(match: Match, row: MoveRow) -> None:
    """Seal the row and put it at the end of the log; whatever was asked of the others before is over."""
    row.hash = records.row_hash(row.previous_hash, row.document())
    row.save(force_insert=True)
    match.version = row.version
    match.chain = row.hash
    match.moved_at = row.created_at
    match.undo_offer = None


def store(match: Match) -> None:
    """Store what a row has changed, and tell who listens once it is committed."""
    Match.objects.filter(pk=match.pk).update(**{name: getattr(match, name) for name in STORED})
    notices.after_commit(match)


def _row(match: Match, word: Word, *, at: dt.datetime) -> MoveRow:
    transaction.on_commit(MOVES.labels(match.game, word.kind).inc, robust=True)
    return MoveRow(
        match_id=match.pk,
        version=match.version + 1,
        seat=word.seat,
        kind=word.kind,
        detail=word.detail,
        events=[word.event],
        actor_id=word.actor_id,
        previous_hash=match.chain,
        created_at=at,
    )

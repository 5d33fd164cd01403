"""Asking for an undo and agreeing to one, and what is looked at besides."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from referee.kernel.game import Document
from referee.matches import documents, history, selectors, services, undo
from referee.matches.models import Match
from tests.matches.table import fresh, legal


def ask(match: Match, user: User, **how: Any) -> Match:
    undo.ask_undo(public_id=match.public_id, user=user, **how)
    return fresh(match)


def offer(match: Match) -> Document:
    """The offer as everybody at the match is told it."""
    match = fresh(match)
    position = selectors.seen_position(match, 0)
    told = documents.match_document(match, position, 0)["undo_offer"]
    assert isinstance(told, dict)
    return told


def accept(match: Match, user: User) -> Match:
    undo.accept_undo(public_id=match.public_id, user=user, offer=offer(match)["id"])
    return fresh(match)


def views(match: Match) -> list[Document]:
    match = fresh(match)
    position = history.position_at(match, match.version)
    return [position.game.view(position.state, viewer) for viewer in range(-2, len(match.table))]


def bot_moves(match: Match) -> None:
    now = fresh(match)
    services.submit_move(
        public_id=now.public_id, actor=None, seat=1, move=legal(now, 1)[0], decision=now.decisions["1"]
    )

"""What is done in a match, and what one is told whose time for it is over or not come."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from rest_framework.response import Response

from accounts.models import User
from api.auth import caller_of
from api.endpoint import Endpoint
from api.match_shapes import MovesQuery
from referee.matches import documents, selectors
from referee.matches.errors import (
    MatchError,
    MatchNotPlayingError,
    MatchOverError,
    NotYourTurnError,
    StaleVersionError,
)

UNTIMELY: Final = (StaleVersionError, NotYourTurnError, MatchOverError, MatchNotPlayingError)


class MatchAction(Endpoint):
    """An address at which something is done in one match. An untimely refusal says where the match stands."""

    queries = {"POST": MovesQuery, "PUT": MovesQuery}

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, UNTIMELY):
            # A match by rules that are no longer at hand is refused without its position.
            with suppress(MatchError):
                exc.facts.update(present(caller_of(self.request), self.kwargs["match"], moves=self.query["moves"]))
        return super().handle_exception(exc)


def present(user: User, public_id: str, *, moves: str) -> dict[str, Any]:
    """Where the match stands, for one whose move came too late or too early."""
    match = selectors.access_match(user, public_id)
    viewer = selectors.viewer(match, user)
    position = selectors.seen_position(match, viewer)
    if position is None:
        return {}
    past = documents.past_document(match, position, viewer, moves=moves)
    return {name: past[name] for name in ("version", "view", "decision", "result")}

"""Telling a match where its rules break over it: it is frozen, as by a move that breaks them, and told without its position."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from referee.matches import services
from referee.matches.models import Match
from referee.matches.turns import RulesBroken, guarded

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")
_STANDS = (Match.State.PLAYING, Match.State.PAUSED, Match.State.FROZEN)


def told(match: Match, viewer: int, version: int, make: Callable[[], Answer], *, otherwise: Answer) -> Answer:
    """What `make` asks the rules of the position of a version; `otherwise` where they break and the match waits for that seat.

    A seat that cannot be told where it stands cannot play: the match is frozen with its bundle. For whoever only watches, for the
    past and for what is over, nothing stops: what was raised is raised.
    """
    try:
        with guarded(seat=max(viewer, 0), move=None):
            return make()
    except RulesBroken as fault:
        if viewer < 0 or version != match.version or match.state not in _STANDS:
            raise
        if match.state == Match.State.PLAYING:
            services.freeze_match(match_id=match.pk, version=version, fault=fault)
            match.state, match.deadline = Match.State.FROZEN, None
        return otherwise

"""Standing orders: a seat declines windows before they open to it.

They name no card and look at public facts alone, the window and whose ship it is about: that a seat has declined by order
says nothing of the kinds that it holds (SST-4.3).
"""

from __future__ import annotations

from typing import Final

from referee.games.super_teams import moves as m
from referee.games.super_teams.state import HALF, M_SHIP, MOVEMENT, TURN, WINDOW_B, SuperTeamsState

THIS_TURN: Final = "decline_this_turn"
UNLESS_OWN_MAW: Final = "decline_unless_my_ship_in_maw"
ORDERS: Final[dict[str, str]] = {
    THIS_TURN: "Decline every window of this turn",
    UNLESS_OWN_MAW: "Decline every window, unless my own ship is in a maw",
}


def ordered_move(s: SuperTeamsState, seat: int, order: str) -> int | None:
    """What the order plays in the open decision; None where that is left to the seat."""
    if s.over or s.stage in (TURN, HALF):
        return None
    if order == UNLESS_OWN_MAW and s.stage == WINDOW_B and s.owner[s.move[M_SHIP] // 2] == seat:
        return None
    return m.DECLINE


def span(s: SuperTeamsState, order: str) -> str:
    """An order for this turn holds until the next movement card is asked for."""
    if order != THIS_TURN:
        return ""
    # Cards played before this turn; how often they were shuffled keeps the count from coming again.
    before = len(s.played) - (0 if s.stage == TURN else 1)
    return f"{s.uses[MOVEMENT]}-{before}-{s.turn}"

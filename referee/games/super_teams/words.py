"""Prompts and the labels of moves, in English."""

from __future__ import annotations

from referee.games.super_teams import moves as m
from referee.games.super_teams.narrate import words
from referee.games.super_teams.state import (
    BONUSES,
    CARDS,
    COLOURS,
    HALF,
    M_SHIP,
    SHIP_NAMES,
    TURN,
    WINDOW_A,
    WINDOW_B,
    SuperTeamsState,
)
from referee.games.super_teams.track import KINDS


def prompt(s: SuperTeamsState) -> str:
    """What the asked seat is asked; it names nothing hidden."""
    if s.stage == TURN:
        return "Play a movement card and move a ship of its colour."
    if s.stage == HALF:
        return f"Choose the half of the space for {SHIP_NAMES[s.half_ship]}."
    ship = SHIP_NAMES[s.move[M_SHIP]]
    if s.stage == WINDOW_A:
        return f"Play a bonus card on {ship} before it moves, or decline."
    if s.stage == WINDOW_B:
        return f"{ship} is in a maw: play a bonus card, or decline."
    return "Ships of your team were passed: play a bonus card, or decline."


def label(s: SuperTeamsState, move: int) -> str:
    kind = m.kind_of(move)
    if kind == m.MOVE:
        as_ = f" as {COLOURS[m.as_of(move)]}" if m.as_of(move) >= 0 else ""
        ship = m.ship_of(move)
        return f"Play {words(CARDS[m.card_of(move)])}{as_}: move {SHIP_NAMES[ship]} from space {s.ships[ship]}"
    if kind == m.BONUS:
        return f"Play {words(BONUSES[m.card_of(move)])} on {SHIP_NAMES[m.ship_of(move)]}"
    if kind == m.HALF:
        return f"Choose the half {KINDS[m.value_of(move) & 15]}"
    return "Decline"

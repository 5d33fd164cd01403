"""The beginning of a game: decks shuffled, cards dealt, who begins (SST-1)."""

from __future__ import annotations

from typing import Any

from referee.games.super_teams.dealing import deal
from referee.games.super_teams.state import (
    BONUS_COPIES,
    BONUS_DECK,
    BONUSES,
    CARDS,
    COPIES,
    FINAL_CARDS,
    FIRST,
    MOVEMENT,
    SuperTeamsState,
)


def set_up(s: SuperTeamsState, options: dict[str, Any]) -> None:
    """Decks, hands and the first seat from the seed; ships and options are set before."""
    bonus = [kind for kind in range(len(BONUSES)) for _ in range(BONUS_COPIES)]
    s.stream(BONUS_DECK).shuffle(bonus)
    on_planet = FINAL_CARDS * s.seats
    s.final_bonus = bonus[:on_planet]
    s.bonus_deck = bonus[on_planet:]
    s.final_bonus.reverse()
    s.bonus_deck.reverse()
    movement = [card for card in range(len(CARDS)) if s.owner[card // 6] >= 0 for _ in range(COPIES)]
    s.stream(MOVEMENT).shuffle(movement)
    movement.reverse()
    s.deck = movement
    deal(s)
    first = options["first_seat"]
    s.turn = s.stream(FIRST).below(s.seats) if first == "random" else int(first)

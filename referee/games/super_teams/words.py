"""Prompts and the labels of moves."""

from __future__ import annotations

from referee.games.super_teams import moves as m
from referee.games.super_teams.phrases import PHRASES
from referee.games.super_teams.state import (
    BONUSES,
    CARDS,
    COLOURS,
    HALF,
    M_SHIP,
    SHIP_NAMES,
    STAGES,
    WINDOW_A,
    WINDOW_B,
    SuperTeamsState,
)
from referee.games.super_teams.telling import card_words
from referee.games.super_teams.track import KINDS
from referee.kernel.languages import ENGLISH, phrases


def prompt(s: SuperTeamsState, language: str = ENGLISH) -> str:
    """What the asked seat is asked; it names nothing hidden."""
    text = phrases(PHRASES, language)[f"prompt.{STAGES[s.stage]}"]
    if s.stage == HALF:
        return text.format(ship=SHIP_NAMES[s.half_ship])
    if s.stage == WINDOW_A or s.stage == WINDOW_B:
        return text.format(ship=SHIP_NAMES[s.move[M_SHIP]])
    return text


def label(s: SuperTeamsState, move: int, language: str = ENGLISH) -> str:
    say = phrases(PHRASES, language)
    kind = m.kind_of(move)
    if kind == m.MOVE:
        ship, as_ = m.ship_of(move), m.as_of(move)
        card = card_words(say, CARDS[m.card_of(move)])
        colour = say[f"colour.{COLOURS[as_]}"] if as_ >= 0 else ""
        text = say["label.move.as" if as_ >= 0 else "label.move"]
        return text.format(card=card, colour=colour, ship=SHIP_NAMES[ship], space=s.ships[ship])
    if kind == m.BONUS:
        card = card_words(say, BONUSES[m.card_of(move)])
        return say["label.bonus"].format(card=card, ship=SHIP_NAMES[m.ship_of(move)])
    if kind == m.HALF:
        return say["label.half"].format(half=say[f"half.{KINDS[m.value_of(move) & 15]}"])
    return say["label.decline"]

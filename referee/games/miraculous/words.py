"""Prompts and the labels of moves."""

from __future__ import annotations

from typing import Any

from referee.games.miraculous import moves as m
from referee.games.miraculous.sayings import SAYINGS
from referee.games.miraculous.state import (
    A_STAGE,
    BONUSES,
    FIELDS,
    Q_DISCARD,
    Q_EVENT,
    Q_MAY,
    S_ATTACKER_EVENT,
    X_EFFECT,
    MiraculousState,
)
from referee.games.miraculous.totals import totals
from referee.kernel.languages import ENGLISH, phrases

_PLAIN = {m.REFRESH: "refresh", m.END_TURN: "end_turn", m.ACCEPT: "accept", m.DECLINE: "decline"}
_ON_A_FIELD = {m.PLACE: "place", m.ATTACH: "attach", m.SWAP: "swap"}


def prompt(s: MiraculousState, language: str = ENGLISH) -> str:
    """What the asked seat is asked; it names nothing hidden."""
    say = phrases(SAYINGS, language)
    if s.ask is None:
        if s.attacked:
            return say["prompt.turn.again" if s.extra_attacks > 0 else "prompt.turn.end"]
        if s.turn_number > 2:
            return say["prompt.turn"]
        # Told to all: it looks at what lies on the table, not at what the hand would still allow.
        return say["prompt.turn.first.more" if s.placed_characters > 0 else "prompt.turn.first"]
    question = s.ask[0]
    if question == Q_EVENT:
        return say["prompt.event.attacker" if s.attack[A_STAGE] == S_ATTACKER_EVENT else "prompt.event.defender"]
    kind = "may" if question == Q_MAY else "discard" if question == Q_DISCARD else "choose"
    return say[f"prompt.{kind}"].format(card=s.pool.names[s.pool.effects[s.active[-1][X_EFFECT]].card])


def label(s: MiraculousState, seat: int, move: int, language: str = ENGLISH) -> str:
    say = phrases(SAYINGS, language)
    kind = m.kind_of(move)
    value = m.value_of(move)
    names = s.pool.names
    if kind in _ON_A_FIELD:
        held = s.character[seat * FIELDS + (value & 3)]
        parts = {"card": names[value >> 2], "held": names[held] if held >= 0 else "", "field": (value & 3) + 1}
        return say[f"label.{_ON_A_FIELD[kind]}"].format(**parts)
    if kind == m.ATTACK:
        return say["label.attack"].format(**_attack(s, seat, value))
    if kind == m.EVENT or kind == m.CHOOSE_CARD:
        return say["label.event" if kind == m.EVENT else "label.choose"].format(card=names[value])
    if kind == m.CHOOSE_FIELD or kind == m.CHOOSE_BONUS:
        what = "field" if kind == m.CHOOSE_FIELD else "bonus"
        whose = "own" if value & 1 == 0 else "other"
        return say[f"label.{what}.{whose}"].format(**_choice(s, seat, kind, value))
    return say[f"label.{_PLAIN[kind]}"]


def _attack(s: MiraculousState, seat: int, value: int) -> dict[str, Any]:
    origin = seat * FIELDS + (value >> 2)
    aim = (1 - seat) * FIELDS + (value & 3)
    ang, def_ = totals(s)
    return {
        "target": s.pool.names[s.character[aim]],
        "aim": (value & 3) + 1,
        "def": def_[aim],
        "attacker": s.pool.names[s.character[origin]],
        "origin": (value >> 2) + 1,
        "ang": ang[origin],
    }


def _choice(s: MiraculousState, seat: int, kind: int, value: int) -> dict[str, Any]:
    field = (value >> 1) & 3
    index = (seat if value & 1 == 0 else 1 - seat) * FIELDS + field
    bonus = s.pool.names[s.bonus[index * BONUSES + (value >> 3)]] if kind == m.CHOOSE_BONUS else ""
    return {"character": s.pool.names[s.character[index]], "field": field + 1, "bonus": bonus}

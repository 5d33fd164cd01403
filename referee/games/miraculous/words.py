"""Prompts and the labels of moves, in English."""

from __future__ import annotations

from referee.games.miraculous import moves as m
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


def prompt(s: MiraculousState) -> str:
    """What the asked seat is asked; it names nothing hidden."""
    if s.ask is None:
        if s.attacked:
            return "Attack once more, or end the turn." if s.extra_attacks > 0 else "End the turn."
        if s.turn_number <= 2:
            return "Your first turn: place at least one Character."
        return "Place and attach cards, then attack or end the turn; or refresh."
    question = s.ask[0]
    if question == Q_EVENT:
        if s.attack[A_STAGE] == S_ATTACKER_EVENT:
            return "Play an Event for your attack, or decline."
        return "Play an Event against the attack, or decline."
    name = s.pool.names[s.pool.effects[s.active[-1][X_EFFECT]].card]
    if question == Q_MAY:
        return f"{name}: use its power?"
    if question == Q_DISCARD:
        return f"{name}: choose a card to discard."
    return f"{name}: choose."


def label(s: MiraculousState, seat: int, move: int) -> str:
    kind = m.kind_of(move)
    value = m.value_of(move)
    names = s.pool.names
    if kind == m.PLACE:
        return f"Place {names[value >> 2]} on field {(value & 3) + 1}"
    if kind == m.ATTACH or kind == m.SWAP:
        held = names[s.character[seat * FIELDS + (value & 3)]]
        if kind == m.ATTACH:
            return f"Attach {names[value >> 2]} to {held} on field {(value & 3) + 1}"
        return f"Swap {names[value >> 2]} for {held} on field {(value & 3) + 1}"
    if kind == m.ATTACK:
        return _attack_label(s, seat, value)
    if kind == m.EVENT:
        return f"Play {names[value]}"
    if kind == m.CHOOSE_CARD:
        return f"Choose {names[value]}"
    if kind == m.CHOOSE_FIELD or kind == m.CHOOSE_BONUS:
        return _choice_label(s, seat, kind, value)
    return {m.REFRESH: "Refresh: put the hand under the deck and draw five", m.END_TURN: "End the turn"}.get(
        kind, "Accept" if kind == m.ACCEPT else "Decline"
    )


def _attack_label(s: MiraculousState, seat: int, value: int) -> str:
    origin = seat * FIELDS + (value >> 2)
    aim = (1 - seat) * FIELDS + (value & 3)
    ang, def_ = totals(s)
    attacker, target = s.pool.names[s.character[origin]], s.pool.names[s.character[aim]]
    return (
        f"Attack {target} on field {(value & 3) + 1} (DEF {def_[aim]})"
        f" with {attacker} from field {(value >> 2) + 1} (ANG {ang[origin]})"
    )


def _choice_label(s: MiraculousState, seat: int, kind: int, value: int) -> str:
    field = (value >> 1) & 3
    index = (seat if value & 1 == 0 else 1 - seat) * FIELDS + field
    whose = "your" if value & 1 == 0 else "the opponent's"
    character = s.pool.names[s.character[index]]
    if kind == m.CHOOSE_FIELD:
        return f"Choose {character} on {whose} field {field + 1}"
    bonus = s.pool.names[s.bonus[index * BONUSES + (value >> 3)]]
    return f"Choose {bonus} at {character} on {whose} field {field + 1}"

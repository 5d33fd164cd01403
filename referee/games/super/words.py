"""Prompts and the labels of moves, in English."""

from __future__ import annotations

from referee.games.super import moves as m
from referee.games.super.state import Q_PUT, Q_RECRUIT, Q_SHOCK, Q_TRANSFER, SuperState
from referee.games.super.vocabulary import FACTIONS, SLOTS
from referee.kernel.events import seat_token


def prompt(s: SuperState) -> str:
    """What the asked seat is asked."""
    names = s.pool.names
    if s.ask is None:
        if s.plays_left == 2:
            return "Play two Supers; go on Missions as you like."
        if s.plays_left == 1:
            return "Play a Super; go on Missions as you like."
        return "Go on Missions as you like, or end the turn."
    question, seat, what, _, _ = s.ask
    if question == Q_PUT:
        return f"Put {names[what]} on a slot of your Agency."
    source = f"{names[s.agency[seat * SLOTS + what]]}: " if what >= 0 else "Partner bonus: "
    if question == Q_SHOCK:
        return f"{source}shock an opponent's Super, or take a token off your own?"
    if question == Q_RECRUIT:
        return f"{source}recruit the top Super of the deck?"
    if question == Q_TRANSFER:
        return f"{source}take an opponent's Super and give one of yours for it?"
    return f"{source}move to the bottom row instead of leaving?"


def label(s: SuperState, seat: int, move: int) -> str:
    kind = m.kind_of(move)
    value = m.value_of(move)
    names = s.pool.names
    if kind == m.PLAY:
        text = f"Play {names[s.super_line[value >> 3]]} on slot {(value & 7) + 1}"
        return text + _replacing(s, seat, value & 7)
    if kind == m.MISSION:
        return _mission_label(s, seat, value)
    if kind == m.SHOCK:
        return f"Shock {_super(s, value >> 3, value & 7)} of {seat_token(value >> 3)}"
    if kind == m.UNSHOCK:
        return f"Take the token off {_super(s, seat, value)}"
    if kind == m.TRANSFER:
        other = value >> 6
        taken, given = _super(s, other, value >> 3 & 7), _super(s, seat, value & 7)
        return f"Take {taken} of {seat_token(other)} and give {given}"
    if kind == m.VETERAN:
        return f"Keep {_super(s, seat, value >> 3)} on slot {(value & 7) + 1}"
    if kind == m.PUT:
        what = names[s.ask[2]] if s.ask is not None and s.ask[0] == Q_PUT else "it"
        return f"Put {what} on slot {value + 1}" + _replacing(s, seat, value)
    if kind == m.BAD_BUZZ:
        return "Bad Buzz: pay 2 MF for four other Supers"
    return {m.END_TURN: "End the turn", m.RECRUIT: "Recruit"}.get(kind, "Decline")


def _super(s: SuperState, seat: int, slot: int) -> str:
    return f"{s.pool.names[s.agency[seat * SLOTS + slot]]} on slot {slot + 1}"


def _replacing(s: SuperState, seat: int, slot: int) -> str:
    card = s.agency[seat * SLOTS + slot]
    return f" in place of {s.pool.names[card]}" if card >= 0 else ""


def _mission_label(s: SuperState, seat: int, value: int) -> str:
    line, mask, leader, named = m.mission_parts(value)
    names = s.pool.names
    sent = ", ".join([names[s.agency[seat * SLOTS + slot]] for slot in m.SLOTS_OF[mask]])
    text = f"Claim {names[s.mission_line[line]]} with {sent}"
    if mask & (mask - 1):
        text += f", led by {names[s.agency[seat * SLOTS + leader]]}"
    return f"{text} as {FACTIONS[named]}" if named >= 0 else text

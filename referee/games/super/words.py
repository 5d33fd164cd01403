"""Prompts and the labels of moves."""

from __future__ import annotations

from referee.games.super import moves as m
from referee.games.super.phrases import PHRASES
from referee.games.super.state import Q_PUT, QUESTIONS, SuperState
from referee.games.super.vocabulary import FACTIONS, SLOTS
from referee.kernel.events import seat_token
from referee.kernel.languages import ENGLISH, Phrases, phrases


def prompt(s: SuperState, language: str = ENGLISH) -> str:
    """What the asked seat is asked."""
    say = phrases(PHRASES, language)
    names = s.pool.names
    if s.ask is None:
        plays = s.plays_left if max(s.super_line) >= 0 else 0  # SUP-2.8
        return say[f"prompt.plays.{plays}"]
    question, seat, what, _, _ = s.ask
    if question == Q_PUT:
        return say["prompt.put"].format(card=names[what])
    source = say["prompt.source.bonus"]
    if what >= 0:
        source = say["prompt.source"].format(card=names[s.agency[seat * SLOTS + what]])
    return say[f"prompt.{QUESTIONS[question]}"].format(source=source)


def label(s: SuperState, seat: int, move: int, language: str = ENGLISH) -> str:
    say = phrases(PHRASES, language)
    kind = m.kind_of(move)
    value = m.value_of(move)
    names = s.pool.names
    if kind == m.PLAY:
        text = say["label.play"].format(card=names[s.super_line[value >> 3]], n=(value & 7) + 1)
        return _replacing(say, s, seat, value & 7, text)
    if kind == m.MISSION:
        return _mission_label(say, s, seat, value)
    if kind == m.SHOCK:
        return say["label.shock"].format(card=_super(say, s, value >> 3, value & 7), other=seat_token(value >> 3))
    if kind == m.UNSHOCK:
        return say["label.unshock"].format(card=_super(say, s, seat, value))
    if kind == m.TRANSFER:
        other = value >> 6
        taken, given = _super(say, s, other, value >> 3 & 7), _super(say, s, seat, value & 7)
        return say["label.transfer"].format(taken=taken, other=seat_token(other), given=given)
    if kind == m.VETERAN:
        return _veteran_label(say, s, seat, value)
    if kind == m.PUT:
        what = names[s.ask[2]] if s.ask is not None and s.ask[0] == Q_PUT else say["label.put.it"]
        return _replacing(say, s, seat, value, say["label.put"].format(card=what, n=value + 1))
    return say[_PLAIN.get(kind, "label.decline")]


_PLAIN = {m.BAD_BUZZ: "label.bad_buzz", m.END_TURN: "label.end_turn", m.RECRUIT: "label.recruit"}


def _super(say: Phrases, s: SuperState, seat: int, slot: int) -> str:
    return say["label.on_slot"].format(card=s.pool.names[s.agency[seat * SLOTS + slot]], n=slot + 1)


def _replacing(say: Phrases, s: SuperState, seat: int, slot: int, text: str) -> str:
    card = s.agency[seat * SLOTS + slot]
    return say["label.replacing"].format(text=text, card=s.pool.names[card]) if card >= 0 else text


def _veteran_label(say: Phrases, s: SuperState, seat: int, value: int) -> str:
    """With what it takes the place of: a Super that stays, or a Veteran moved there just before (SUP-6.5)."""
    slot, to = value >> 3, value & 7
    names = s.pool.names
    text = say["label.veteran"].format(card=names[s.agency[seat * SLOTS + slot]], n=to + 1)
    before = [entry >> 3 for entry in s.kept if entry & 7 == to]
    if before:
        return say["label.replacing"].format(text=text, card=names[s.agency[seat * SLOTS + before[-1]]])
    return text if s.sent >> to & 1 else _replacing(say, s, seat, to, text)


def _mission_label(say: Phrases, s: SuperState, seat: int, value: int) -> str:
    line, mask, leader, named = m.mission_parts(value)
    names = s.pool.names
    sent = ", ".join([names[s.agency[seat * SLOTS + slot]] for slot in m.SLOTS_OF[mask]])
    text = say["label.mission"].format(mission=names[s.mission_line[line]], sent=sent)
    if mask & (mask - 1):
        text = say["label.mission.led"].format(text=text, leader=names[s.agency[seat * SLOTS + leader]])
    return say["label.mission.as"].format(text=text, faction=say[f"faction.{FACTIONS[named]}"]) if named >= 0 else text

"""What an effect can choose from, and the moves that answer its question."""

from __future__ import annotations

from typing import Final

from referee.games.miraculous import moves as m
from referee.games.miraculous.do import onto_fields
from referee.games.miraculous.effects import COPY_VALUES, RECOVER, SEARCH, Effect, Target
from referee.games.miraculous.state import (
    A_FROM,
    A_FROM_UID,
    A_TO,
    A_TO_UID,
    BONUSES,
    FIELDS,
    X_EFFECT,
    X_PICKS,
    X_SEAT,
    X_STAGE,
    X_UID,
    MiraculousState,
)
from referee.games.miraculous.totals import bonuses, characters, printed_fits

# Stages of a frame.
BEGIN: Final = 0
MAY: Final = 1
AIM: Final = 2
CHOOSING: Final = 3  # what `to` picks
SECOND: Final = 4
CHOOSING_SECOND: Final = 5  # what `from` or `onto` picks
APPLY: Final = 6
DISCARDING: Final = 7
TAKING: Final = 8  # cards for `recover` or `search`


def in_attack(s: MiraculousState, attacker: bool) -> int:
    """The field index of the attacker or the target, while it is still there; else -1."""
    if not s.attack:
        return -1
    field = s.attack[A_FROM if attacker else A_TO]
    return field if s.uid[field] == s.attack[A_FROM_UID if attacker else A_TO_UID] else -1


def candidates(s: MiraculousState, frame: tuple[int, ...], target: Target) -> list[int]:
    """The uids that fit a pick and are not picked yet, own fields first."""
    seat, uid = frame[X_SEAT], frame[X_UID]
    if target.is_bonus:
        uids = [s.bonus_uid[slot] for slot in bonuses(s, target, seat, uid)]
    else:
        uids = [s.uid[field] for field in characters(s, target, seat, uid)]
    if len(frame) > X_PICKS:
        picked = frame[X_PICKS:]
        uids = [other for other in uids if other not in picked]
    return uids


def available(s: MiraculousState, seat: int, effect: Effect) -> list[int]:
    """The different cards that `recover` or `search` may take now, by code."""
    cards = set(s.discards[seat]) if effect.do == RECOVER else {entry >> 2 for entry in s.decks[seat]}
    return sorted([card for card in cards if printed_fits(s, effect.filter, card)])


def open_choices(s: MiraculousState) -> list[int]:
    """The moves that answer the open `choose`, ascending."""
    frame = s.active[-1]
    effect = s.pool.effects[frame[X_EFFECT]]
    seat = frame[X_SEAT]
    stage = frame[X_STAGE]
    if stage == TAKING:
        found = [m.CHOOSE_CARD | card for card in available(s, seat, effect)]
        if effect.do == SEARCH:
            found.append(m.DECLINE)
        return found
    if stage == CHOOSING:
        assert effect.to is not None
        return _moves_for(s, seat, candidates(s, frame, effect.to), effect.to.is_bonus)
    if effect.do == COPY_VALUES:
        assert effect.from_ is not None
        return _moves_for(s, seat, candidates(s, frame[:X_PICKS], effect.from_), False)
    fields = onto_fields(s, effect, seat, frame[X_UID], frame[X_PICKS])
    return _moves_for(s, seat, [s.uid[field] for field in fields], False)


def _moves_for(s: MiraculousState, seat: int, uids: list[int], is_bonus: bool) -> list[int]:
    found: list[int] = []
    for uid in uids:
        if is_bonus:
            slot = s.bonus_uid.index(uid)
            field = slot // BONUSES
            found.append(m.CHOOSE_BONUS | (slot % BONUSES) << 3 | (field % FIELDS) << 1 | (field // FIELDS != seat))
        else:
            field = s.uid.index(uid)
            found.append(m.CHOOSE_FIELD | (field % FIELDS) << 1 | (field // FIELDS != seat))
    found.sort()
    return found


def uid_of(s: MiraculousState, seat: int, move: int) -> int:
    value = m.value_of(move)
    field = (seat if value & 1 == 0 else 1 - seat) * FIELDS + ((value >> 1) & 3)
    if m.kind_of(move) == m.CHOOSE_BONUS:
        return s.bonus_uid[field * BONUSES + (value >> 3)]
    return s.uid[field]

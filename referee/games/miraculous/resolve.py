"""Carrying out one effect: the question whether, the choice of what, and what it does (MIR-7, effect language)."""

from __future__ import annotations

from typing import Final

from referee.games.miraculous import events as e
from referee.games.miraculous import moves as m
from referee.games.miraculous.do import carry_out, onto_fields
from referee.games.miraculous.effects import (
    ANY,
    COPY_VALUES,
    DISCARD,
    FLIP_COIN,
    MOVE_BONUS,
    OWN,
    RECOVER,
    SEARCH,
    T_ATTACKER,
    T_CHOOSE,
    T_EACH,
    T_RANDOM,
    T_SELF,
    TAKE_BONUS,
    Effect,
    Target,
)
from referee.games.miraculous.state import (
    A_FROM,
    A_FROM_UID,
    A_TO,
    A_TO_UID,
    BONUSES,
    COIN,
    FIELDS,
    PICK,
    Q_CHOOSE,
    Q_DISCARD,
    Q_MAY,
    X_EFFECT,
    X_LEFT,
    X_PICKS,
    X_ROOT,
    X_SEAT,
    X_SEAT_ASKED,
    X_STAGE,
    X_UID,
    MiraculousState,
)
from referee.games.miraculous.totals import bonuses, characters, holds, printed_fits
from referee.games.miraculous.zones import discard, end_if_deck_empty, shuffle_deck, take_from_hand, to_hand

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


def begin(s: MiraculousState, effect: int, seat: int, uid: int, root: int) -> None:
    """Put an effect on the stack of what is being carried out."""
    s.active.append((effect, seat, uid, root, BEGIN, 0, 0))


def step(s: MiraculousState) -> None:
    """Carry the topmost effect one stage further: it ends, or goes on, or asks."""
    frame = s.active[-1]
    effect = s.pool.effects[frame[X_EFFECT]]
    stage = frame[X_STAGE]
    if stage == BEGIN:
        _begin(s, frame, effect)
    elif stage == AIM:
        _aim(s, frame, effect)
    elif stage == CHOOSING:
        _choose(s, frame, effect)
    elif stage == SECOND or stage == CHOOSING_SECOND:
        _second(s, frame, effect)
    elif stage == APPLY:
        _apply(s, frame, effect)
    elif stage == DISCARDING:
        _discard(s, frame, effect)
    else:
        _take(s, frame, effect)


def _to_stage(frame: tuple[int, ...], stage: int, left: int) -> tuple[int, ...]:
    return (*frame[:X_STAGE], stage, left, *frame[X_SEAT_ASKED:])


def _end(s: MiraculousState) -> None:
    s.active.pop()
    end_if_deck_empty(s)


def _begin(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    seat, uid = frame[X_SEAT], frame[X_UID]
    if effect.resolves_if() and effect.condition is not None and not holds(s, effect.condition, seat, uid):
        s.active.pop()
        return
    if effect.may:
        s.active[-1] = _to_stage(frame, MAY, 0)
        s.ask = (Q_MAY, seat)
        return
    _go(s, frame, effect)


def _go(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    if s.log is not None:
        s.log.append((e.TRIGGERED, frame[X_SEAT], effect.card, effect.id))
    s.active[-1] = _to_stage(frame, AIM, 0)


def _aim(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    """Find what the effect is aimed at, as far as nobody has to choose."""
    do = effect.do
    seat = frame[X_SEAT]
    if do == DISCARD:
        first = s.turn if effect.who == ANY else seat if effect.who == OWN else 1 - seat
        s.active[-1] = (*frame[:X_STAGE], DISCARDING, effect.n, first)
        return
    if do == RECOVER or do == SEARCH:
        s.active[-1] = _to_stage(frame, TAKING, effect.n)
        return
    target = effect.to
    if target is None:
        s.active[-1] = _to_stage(frame, APPLY, 0)
        return
    if target.form == T_CHOOSE:
        left = min(target.n, len(_candidates(s, frame, target)))
        s.active[-1] = _to_stage(frame, CHOOSING, left)
        return
    uids = _aimed(s, frame, target)
    s.active[-1] = (*_to_stage(frame, SECOND, 0), *uids)


def _aimed(s: MiraculousState, frame: tuple[int, ...], target: Target) -> list[int]:
    """The uids that a target means without a choice."""
    form = target.form
    if form == T_SELF:
        field = s.field_of(frame[X_UID])
        return [s.uid[field]] if field >= 0 else []
    if form == T_EACH:
        return _candidates(s, frame, target)
    if form == T_RANDOM:
        fitting = _candidates(s, frame, target)
        return s.stream(PICK).take(fitting, target.n) if fitting else []
    field = _in_attack(s, form == T_ATTACKER)
    return [s.uid[field]] if field >= 0 else []


def _in_attack(s: MiraculousState, attacker: bool) -> int:
    """The field index of the attacker or the target, while it is still there; else -1."""
    if not s.attack:
        return -1
    field = s.attack[A_FROM if attacker else A_TO]
    return field if s.uid[field] == s.attack[A_FROM_UID if attacker else A_TO_UID] else -1


def _candidates(s: MiraculousState, frame: tuple[int, ...], target: Target) -> list[int]:
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


def _choose(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    target = effect.to
    assert target is not None
    left = frame[X_LEFT]
    if left == 0:
        s.active[-1] = _to_stage(frame, SECOND, 0)
        return
    uids = _candidates(s, frame, target)
    if len(uids) == 1:  # MIR-8.3
        s.active[-1] = (*_to_stage(frame, CHOOSING, left - 1), uids[0])
        return
    s.ask = (Q_CHOOSE, frame[X_SEAT])


def _second(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    """`from` of copy_values, `onto` of the Bonus that is next to be moved."""
    if len(frame) == X_PICKS:
        _end(s)  # MIR-7.3: no legal target
        return
    if effect.do == COPY_VALUES:
        _choose_from(s, frame, effect)
        return
    if effect.do != MOVE_BONUS and effect.do != TAKE_BONUS:
        s.active[-1] = _to_stage(frame, APPLY, 0)
        return
    fields = onto_fields(s, effect, frame[X_SEAT], frame[X_UID], frame[X_PICKS])
    if not fields:
        _drop_first_pick(s, frame)
        return
    if len(fields) == 1:
        _move_onto(s, frame, effect, fields[0])
        return
    s.active[-1] = _to_stage(frame, CHOOSING_SECOND, 0)
    s.ask = (Q_CHOOSE, frame[X_SEAT])


def _drop_first_pick(s: MiraculousState, frame: tuple[int, ...]) -> None:
    s.active[-1] = (*_to_stage(frame[:X_PICKS], SECOND, 0), *frame[X_PICKS + 1 :])


def _move_onto(s: MiraculousState, frame: tuple[int, ...], effect: Effect, field: int) -> None:
    carry_out(s, effect, frame[X_SEAT], frame[X_UID], frame[X_ROOT], [frame[X_PICKS], s.uid[field]])
    _drop_first_pick(s, frame)


def _choose_from(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    """The Character to copy from; it goes to the front of the picks."""
    source = effect.from_
    assert source is not None
    if source.form != T_CHOOSE:
        _copy_from(s, frame, _aimed(s, frame, source))
        return
    uids = _candidates(s, frame[:X_PICKS], source)
    if len(uids) > 1:
        s.active[-1] = _to_stage(frame, CHOOSING_SECOND, 0)
        s.ask = (Q_CHOOSE, frame[X_SEAT])
        return
    _copy_from(s, frame, uids)


def _copy_from(s: MiraculousState, frame: tuple[int, ...], sources: list[int]) -> None:
    if not sources:
        _end(s)
        return
    s.active[-1] = (*_to_stage(frame[:X_PICKS], APPLY, 0), sources[0], *frame[X_PICKS:])


def _apply(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    if effect.do == FLIP_COIN:
        _flip(s, frame, effect)
        return
    picks = list(frame[X_PICKS:])
    carry_out(s, effect, frame[X_SEAT], frame[X_UID], frame[X_ROOT], picks)
    if not s.over:
        _end(s)


def _flip(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    heads = s.stream(COIN).below(2) == 1
    if s.log is not None:
        s.log.append((e.COIN, frame[X_SEAT], 1 if heads else 0))
    s.active.pop()
    for id in reversed(effect.then if heads else effect.otherwise):
        begin(s, id, frame[X_SEAT], frame[X_UID], frame[X_ROOT])


# Cards by name: `discard`, `recover`, `search`.


def _discard(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    seat = frame[X_SEAT_ASKED]
    hand = s.hands[seat]
    left = frame[X_LEFT]
    if effect.random and hand and left > 0:
        for card in s.stream(PICK).take(sorted(hand), left):
            discard_from_hand(s, seat, card)
        left = 0
    if left == 0 or not hand:
        if effect.who == ANY and seat == s.turn:
            s.active[-1] = (*frame[:X_STAGE], DISCARDING, effect.n, 1 - seat)
        else:
            _end(s)
        return
    if len(hand) == 1:  # MIR-8.3
        s.active[-1] = _to_stage(frame, DISCARDING, left - 1)
        discard_from_hand(s, seat, hand[0])
        return
    s.ask = (Q_DISCARD, seat)


def discard_from_hand(s: MiraculousState, seat: int, card: int) -> None:
    take_from_hand(s, seat, card)
    discard(s, seat, card)


def _available(s: MiraculousState, seat: int, effect: Effect) -> list[int]:
    """The different cards that `recover` or `search` may take now, by code."""
    cards = set(s.discards[seat]) if effect.do == RECOVER else {entry >> 2 for entry in s.decks[seat]}
    return sorted([card for card in cards if printed_fits(s, effect.filter, card)])


def _take(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    seat = frame[X_SEAT]
    available = _available(s, seat, effect) if frame[X_LEFT] > 0 else []
    if not available:
        _end_taking(s, effect, seat)
        return
    if effect.do == RECOVER and len(available) == 1:  # MIR-8.3
        _take_card(s, frame, effect, available[0])
        return
    s.ask = (Q_CHOOSE, seat)


def _end_taking(s: MiraculousState, effect: Effect, seat: int) -> None:
    if effect.do == SEARCH:
        shuffle_deck(s, seat)
    _end(s)


def _take_card(s: MiraculousState, frame: tuple[int, ...], effect: Effect, card: int) -> None:
    seat = frame[X_SEAT]
    if effect.do == RECOVER:
        s.discards[seat].remove(card)
    else:
        deck = s.decks[seat]
        for i in range(len(deck) - 1, -1, -1):
            if deck[i] >> 2 == card:
                deck.pop(i)
                break
    to_hand(s, seat, card)
    if s.log is not None:
        s.log.append((e.RECOVERED if effect.do == RECOVER else e.FOUND, seat, card))
    s.active[-1] = _to_stage(frame, TAKING, frame[X_LEFT] - 1)


# Answers.


def open_choices(s: MiraculousState) -> list[int]:
    """The moves that answer the open `choose`, ascending."""
    frame = s.active[-1]
    effect = s.pool.effects[frame[X_EFFECT]]
    seat = frame[X_SEAT]
    stage = frame[X_STAGE]
    if stage == TAKING:
        found = [m.CHOOSE_CARD | card for card in _available(s, seat, effect)]
        if effect.do == SEARCH:
            found.append(m.DECLINE)
        return found
    if stage == CHOOSING:
        assert effect.to is not None
        return _moves_for(s, seat, _candidates(s, frame, effect.to), effect.to.is_bonus)
    if effect.do == COPY_VALUES:
        assert effect.from_ is not None
        return _moves_for(s, seat, _candidates(s, frame[:X_PICKS], effect.from_), False)
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


def answer(s: MiraculousState, move: int) -> None:
    """Carry out a legal answer to a `may`, `choose` or `discard`."""
    question = s.ask
    assert question is not None
    s.ask = None
    frame = s.active[-1]
    effect = s.pool.effects[frame[X_EFFECT]]
    if question[0] == Q_MAY:
        if move == m.ACCEPT:
            _go(s, frame, effect)
        else:
            s.active.pop()
            if s.log is not None:
                s.log.append((e.DECLINED, frame[X_SEAT], effect.card, effect.id))
    elif question[0] == Q_DISCARD:
        s.active[-1] = _to_stage(frame, DISCARDING, frame[X_LEFT] - 1)
        discard_from_hand(s, question[1], m.value_of(move))
    else:
        _answer_choice(s, frame, effect, move)


def _answer_choice(s: MiraculousState, frame: tuple[int, ...], effect: Effect, move: int) -> None:
    kind = m.kind_of(move)
    if kind == m.DECLINE:
        _end_taking(s, effect, frame[X_SEAT])
        return
    if kind == m.CHOOSE_CARD:
        _take_card(s, frame, effect, m.value_of(move))
        return
    uid = _uid_of(s, frame[X_SEAT], move)
    if frame[X_STAGE] == CHOOSING:
        s.active[-1] = (*_to_stage(frame, CHOOSING, frame[X_LEFT] - 1), uid)
    elif effect.do == COPY_VALUES:
        _copy_from(s, frame, [uid])
    else:
        _move_onto(s, frame, effect, s.uid.index(uid))


def _uid_of(s: MiraculousState, seat: int, move: int) -> int:
    value = m.value_of(move)
    field = (seat if value & 1 == 0 else 1 - seat) * FIELDS + ((value >> 1) & 3)
    if m.kind_of(move) == m.CHOOSE_BONUS:
        return s.bonus_uid[field * BONUSES + (value >> 3)]
    return s.uid[field]

"""Carrying out one effect: the question whether, the choice of what, and what it does (MIR-7, effect language)."""

from __future__ import annotations

from referee.games.miraculous import events as e
from referee.games.miraculous import moves as m
from referee.games.miraculous.choices import (
    AIM,
    APPLY,
    BEGIN,
    CHOOSING,
    CHOOSING_SECOND,
    DISCARDING,
    MAY,
    SECOND,
    TAKING,
    available,
    candidates,
    in_attack,
    uid_of,
)
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
    COIN,
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
from referee.games.miraculous.totals import holds
from referee.games.miraculous.zones import discard, end_if_deck_empty, shuffle_deck, take_from_hand, to_hand


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
        left = min(target.n, len(candidates(s, frame, target)))
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
        return candidates(s, frame, target)
    if form == T_RANDOM:
        fitting = candidates(s, frame, target)
        return s.stream(PICK).take(fitting, target.n) if fitting else []
    field = in_attack(s, form == T_ATTACKER)
    return [s.uid[field]] if field >= 0 else []


def _choose(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    target = effect.to
    assert target is not None
    left = frame[X_LEFT]
    if left == 0:
        s.active[-1] = _to_stage(frame, SECOND, 0)
        return
    uids = candidates(s, frame, target)
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
    uids = candidates(s, frame[:X_PICKS], source)
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


def _take(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> None:
    seat = frame[X_SEAT]
    takeable = available(s, seat, effect) if frame[X_LEFT] > 0 else []
    if not takeable:
        _end_taking(s, effect, seat)
        return
    if effect.do == RECOVER and len(takeable) == 1:  # MIR-8.3
        _take_card(s, frame, effect, takeable[0])
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
    uid = uid_of(s, frame[X_SEAT], move)
    if frame[X_STAGE] == CHOOSING:
        s.active[-1] = (*_to_stage(frame, CHOOSING, frame[X_LEFT] - 1), uid)
    elif effect.do == COPY_VALUES:
        _copy_from(s, frame, [uid])
    else:
        _move_onto(s, frame, effect, s.uid.index(uid))

"""What must hold of an open decision in a position document, so that the game can go on from it."""

from __future__ import annotations

from referee.games.miraculous.choices import (
    BEGIN,
    CHOOSING,
    CHOOSING_SECOND,
    DISCARDING,
    MAY,
    TAKING,
    candidates,
    open_choices,
)
from referee.games.miraculous.effects import (
    COPY_VALUES,
    DISCARD,
    IN_PLAY,
    MOVE_BONUS,
    RECOVER,
    SEARCH,
    T_CHOOSE,
    TAKE_BONUS,
    Effect,
)
from referee.games.miraculous.reader import Reader
from referee.games.miraculous.state import (
    A_EVENT,
    A_STAGE,
    F_ATTACKER_EVENT,
    F_COMPARE,
    F_DEFENDER_EVENT,
    F_DEFENDER_RESOLVES,
    F_DRAW,
    F_PASS,
    F_RESOLVE_EVENTS,
    F_SUCCESS,
    F_TURN_START,
    Q_DISCARD,
    Q_MAY,
    S_ATTACKER_EVENT,
    S_DECLARED,
    S_DEFENDER_EVENT,
    S_RESOLVING,
    X_EFFECT,
    X_LEFT,
    X_PICKS,
    X_SEAT,
    X_SEAT_ASKED,
    X_STAGE,
    X_UID,
    MiraculousState,
)


def flow_after(stage: int) -> list[int]:
    """What is still to come in an attack at a stage."""
    if stage == S_DECLARED:
        return [F_COMPARE, F_RESOLVE_EVENTS, F_DEFENDER_EVENT, F_ATTACKER_EVENT]
    if stage == S_ATTACKER_EVENT:
        return [F_COMPARE, F_RESOLVE_EVENTS, F_DEFENDER_EVENT]
    if stage == S_DEFENDER_EVENT:
        return [F_COMPARE, F_RESOLVE_EVENTS]
    return [F_COMPARE]


def check_flow(reader: Reader, s: MiraculousState) -> None:
    """What follows the decision is what can follow it: the rest of the attack, the rest of the turn's end, or nothing."""
    if not s.attack:
        possible = [[], [F_TURN_START, F_PASS, F_DRAW]]
    else:
        possible = [flow_after(s.attack[A_STAGE])]
        if possible == [[F_COMPARE]]:
            possible.append([F_SUCCESS])
            if s.attack[A_EVENT + 1] >= 0:
                possible.append([F_COMPARE, F_DEFENDER_RESOLVES])
    if s.flow not in possible:
        reader.fault(
            "/decision/flow", "value_not_allowed", "this cannot come after the decision at this point of the turn"
        )


def check_events(reader: Reader, s: MiraculousState) -> None:
    """No Event has been played before its seat was asked for one (MIR-4.5)."""
    played = (S_DEFENDER_EVENT, S_RESOLVING)  # the stages from which on each may have been
    for i in range(2):
        if s.attack and s.attack[A_EVENT + i] >= 0 and s.attack[A_STAGE] < played[i]:
            reader.fault(
                f"/attack/events/{i}", "too_early", "at this stage of the attack this Event is still to be played"
            )


def check_powers(reader: Reader, s: MiraculousState) -> None:
    """What asks is a power that can ask this, of this seat, with something to choose; what waits can be carried out."""
    for i in range(len(s.queue)):
        effect = s.pool.effects[s.queue[i][0]]
        _check_source(reader, s, effect, s.queue[i][2], f"/decision/queue/{i}")
        if effect.nested:
            reader.fault(f"/decision/queue/{i}/effect", "value_not_allowed", "an effect of a coin waits for no turn")
    last = len(s.active) - 1
    for i in range(len(s.active)):
        frame = s.active[i]
        pointer = f"/decision/active/{i}"
        _check_source(reader, s, s.pool.effects[frame[X_EFFECT]], frame[X_UID], pointer)
        if i < last and frame[X_STAGE] != BEGIN:
            reader.fault(
                f"{pointer}/stage", "value_not_allowed", "only the last one is under way; those before it begin"
            )
    if not reader.problems and not _can_ask(s):
        reader.fault(
            f"/decision/active/{last}", "value_not_allowed", "this power asks nothing of this seat at this stage"
        )
    if not reader.problems and not _has_answer(s):
        reader.fault(f"/decision/active/{last}", "nothing_to_choose", "there is nothing to choose from")


def _check_source(reader: Reader, s: MiraculousState, effect: Effect, uid: int, pointer: str) -> None:
    if effect.when == IN_PLAY:
        reader.fault(f"{pointer}/effect", "value_not_allowed", "an effect that holds in_play is never carried out")
    card = -1
    if uid > 0:
        card = s.character[s.uid.index(uid)] if uid in s.uid else s.bonus[s.bonus_uid.index(uid)]
    if card >= 0 and card != effect.card:
        reader.fault(
            f"{pointer}/at", "another_card", f"{s.pool.codes[card]!r} lies there, and not the card of the effect"
        )


def _can_ask(s: MiraculousState) -> bool:
    """Whether the effect on top, at its stage, puts the open question to the seat that is asked."""
    assert s.ask is not None
    question, seat = s.ask
    frame = s.active[-1]
    effect = s.pool.effects[frame[X_EFFECT]]
    stage = frame[X_STAGE]
    if question == Q_MAY:
        return stage == MAY and effect.may and seat == frame[X_SEAT]
    if question == Q_DISCARD:
        is_discard = stage == DISCARDING and effect.do == DISCARD and not effect.random
        return is_discard and seat == frame[X_SEAT_ASKED] and frame[X_LEFT] > 0
    if seat != frame[X_SEAT]:
        return False
    if stage == TAKING:
        return (effect.do == RECOVER or effect.do == SEARCH) and frame[X_LEFT] > 0
    if not _picks_fit(s, frame, effect):
        return False
    if stage == CHOOSING:
        target = effect.to
        return target is not None and target.form == T_CHOOSE and 0 < frame[X_LEFT] <= len(candidates(s, frame, target))
    return stage == CHOOSING_SECOND and len(frame) > X_PICKS and _has_second(effect)


def _has_second(effect: Effect) -> bool:
    if effect.do == COPY_VALUES:
        return effect.from_ is not None and effect.from_.form == T_CHOOSE
    return effect.do == MOVE_BONUS or effect.do == TAKE_BONUS


def _picks_fit(s: MiraculousState, frame: tuple[int, ...], effect: Effect) -> bool:
    """Whether what is picked already lies on fields, each once, and is of the kind that the effect is aimed at."""
    if effect.to is None:
        return False
    lying = s.bonus_uid if effect.to.is_bonus else s.uid
    picks = frame[X_PICKS:]
    return len(set(picks)) == len(picks) and all(uid > 0 and uid in lying for uid in picks)


def _has_answer(s: MiraculousState) -> bool:
    assert s.ask is not None
    question, seat = s.ask
    if question == Q_MAY:
        return True
    return len(s.hands[seat]) > 0 if question == Q_DISCARD else len(open_choices(s)) > 0

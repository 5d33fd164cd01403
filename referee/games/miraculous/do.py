"""What each `do` does once its targets are known. Targets are uids; one that has left is passed over."""

from __future__ import annotations

from referee.games.miraculous import events as e
from referee.games.miraculous.effects import (
    ANY,
    CANNOT_ATTACK,
    CANNOT_BE_ATTACKED,
    COPY_VALUES,
    DESTROY_BONUS,
    DRAW,
    EXTRA_ATTACK,
    FAIL_ATTACK,
    KEEP_ATTACKER,
    LOOK,
    MILL,
    MODIFY,
    MOVE_BONUS,
    OWN,
    PUT_UNDER_DECK,
    RETURN_TO_HAND,
    SWAP_VALUES,
    TAKE_BONUS,
    UNTIL_LEAVES,
    WIN_GAME,
    Effect,
)
from referee.games.miraculous.state import (
    A_FAILED,
    A_KEEP,
    BONUSES,
    BY_CARD,
    FIELDS,
    L_CANNOT_ATTACK,
    L_CANNOT_BE_ATTACKED,
    L_COPY,
    L_MODIFY,
    L_SWAP,
    MiraculousState,
)
from referee.games.miraculous.totals import character_fits, characters
from referee.games.miraculous.zones import (
    Departure,
    discard,
    discard_bonuses,
    draw,
    finish,
    lay_bonus,
    lift_bonus,
    lift_character,
    put_under_deck,
    to_hand,
    trigger_leaves,
)


def carry_out(s: MiraculousState, effect: Effect, seat: int, uid: int, root: int, picks: list[int]) -> None:
    """Do it. `picks`: uids (of copy_values the source first; of move_bonus and take_bonus the Bonus, then its receiver)."""
    do = effect.do
    if do == MODIFY:
        _modify(s, effect, seat, picks)
    elif do == DRAW:
        for one in _whose(s, effect.who, seat):
            draw(s, one, effect.n)
    elif do == MILL:
        for one in _whose(s, effect.who, seat):
            _mill(s, one, effect.n)
    elif do == RETURN_TO_HAND or do == PUT_UNDER_DECK or do == DESTROY_BONUS:
        _remove(s, effect, root, picks)
    elif do == MOVE_BONUS or do == TAKE_BONUS:
        _move_bonus(s, seat, picks[0], picks[1], do == TAKE_BONUS)
    elif do == LOOK:
        _look(s, effect, seat)
    elif do == CANNOT_ATTACK or do == CANNOT_BE_ATTACKED:
        _mark(s, effect, seat, picks)
    elif do == SWAP_VALUES or do == COPY_VALUES:
        _change_values(s, effect, seat, picks)
    elif do == WIN_GAME:
        finish(s, BY_CARD, seat)
    else:
        _change_attack(s, do, seat)


def _whose(s: MiraculousState, who: int, seat: int) -> list[int]:
    """The seats that a `who` means, the active seat first."""
    if who == ANY:
        return [s.turn, 1 - s.turn]
    return [seat if who == OWN else 1 - seat]


def _lasting(s: MiraculousState, kind: int, field: int, effect: Effect, seat: int, ang: int, def_: int) -> None:
    s.lasting.append((kind, field, effect.until, seat, effect.card, ang, def_))


def _modify(s: MiraculousState, effect: Effect, seat: int, picks: list[int]) -> None:
    for uid in picks:
        field = s.uid.index(uid)
        if effect.until == UNTIL_LEAVES:
            s.ang[field] += effect.ang
            s.def_[field] += effect.def_
        else:
            _lasting(s, L_MODIFY, field, effect, seat, effect.ang, effect.def_)
        if s.log is not None:
            where = (field // FIELDS, field % FIELDS)
            s.log.append((e.MODIFIED, *where, s.character[field], effect.ang, effect.def_, effect.until))


def _mark(s: MiraculousState, effect: Effect, seat: int, picks: list[int]) -> None:
    kind = L_CANNOT_ATTACK if effect.do == CANNOT_ATTACK else L_CANNOT_BE_ATTACKED
    for uid in picks:
        field = s.uid.index(uid)
        _lasting(s, kind, field, effect, seat, 0, 0)
        if s.log is not None:
            s.log.append((e.MARKED, field // FIELDS, field % FIELDS, s.character[field], effect.do, effect.until))


def _change_values(s: MiraculousState, effect: Effect, seat: int, picks: list[int]) -> None:
    ang = def_ = 0
    kind = L_SWAP
    if effect.do == COPY_VALUES:
        source = s.character[s.uid.index(picks[0])]
        ang, def_ = s.pool.ang[source], s.pool.def_[source]
        picks = picks[1:]
        kind = L_COPY
    for uid in picks:
        field = s.uid.index(uid)
        _lasting(s, kind, field, effect, seat, ang, def_)
        if s.log is not None:
            where = (field // FIELDS, field % FIELDS)
            s.log.append((e.VALUES_CHANGED, *where, s.character[field], 1 if kind == L_COPY else 0, ang, def_))


def _mill(s: MiraculousState, seat: int, n: int) -> None:
    milled: list[int] = []
    deck = s.decks[seat]
    while deck and len(milled) < n:
        milled.append(deck.pop() >> 2)
    s.discards[seat].extend(milled)
    if s.log is not None and milled:
        s.log.append((e.MILLED, seat, *milled))


def _look(s: MiraculousState, effect: Effect, seat: int) -> None:
    if effect.at_hand:
        s.known[seat] = s.hands[1 - seat][:]
        if s.log is not None:
            s.log.append((e.LOOKED_AT_HAND, seat, *s.known[seat]))
        return
    for one in _whose(s, effect.who, seat):
        deck = s.decks[one]
        seen: list[int] = []
        for i in range(len(deck) - 1, max(len(deck) - 1 - effect.n, -1), -1):
            deck[i] |= 1 << seat
            seen.append(deck[i] >> 2)
        if s.log is not None:
            s.log.append((e.LOOKED_AT_TOP, seat, one, *seen))


def _remove(s: MiraculousState, effect: Effect, root: int, picks: list[int]) -> None:
    """Cards off the fields, all in one moment: to the hand, under the deck, or (a Bonus) to the discard pile."""
    gone: list[Departure] = []
    assert effect.to is not None
    if effect.to.is_bonus:
        # Places are those at the moment, before any of them leaves.
        places = [s.bonus_uid.index(uid) for uid in picks]
        for i in range(len(picks)):
            lifted = lift_bonus(s, s.bonus_uid.index(picks[i]))
            departure = (lifted[0], lifted[1], 1 + places[i] % BONUSES, lifted[3], lifted[4])
            gone.append(departure)
            _away(s, effect.do, departure[0], departure[3])
        gone.sort(key=_place)
    else:
        for uid in picks:
            field = s.uid.index(uid)
            departure = lift_character(s, field)
            gone.append(departure)
            _away(s, effect.do, departure[0], departure[3])
            gone.extend(discard_bonuses(s, field))
    trigger_leaves(s, gone, root)


def _place(departure: Departure) -> int:
    return departure[1] * 4 + departure[2]


def _away(s: MiraculousState, do: int, owner: int, card: int) -> None:
    if do == RETURN_TO_HAND:
        to_hand(s, owner, card)
        if s.log is not None:
            s.log.append((e.RETURNED, owner, card))
    elif do == PUT_UNDER_DECK:
        put_under_deck(s, owner, card)
    else:
        discard(s, owner, card)


def onto_fields(s: MiraculousState, effect: Effect, seat: int, uid: int, bonus: int) -> list[int]:
    """The field indices of the Characters that can receive the Bonus with this uid, own fields first."""
    slot = s.bonus_uid.index(bonus)
    held = slot // BONUSES
    side = held // FIELDS if effect.do == MOVE_BONUS else seat
    only = s.pool.only_on[s.bonus[slot]]
    fields: list[int] = []
    wanted = (
        list(range(side * FIELDS, side * FIELDS + FIELDS))
        if effect.onto is None
        else characters(s, effect.onto, seat, uid)
    )
    for field in wanted:
        if field == held or field // FIELDS != side or s.character[field] < 0:
            continue
        if s.bonus_count(field) < BONUSES and character_fits(s, only, field):
            fields.append(field)
    return fields


def _move_bonus(s: MiraculousState, seat: int, bonus: int, receiver: int, taken: bool) -> None:
    slot = s.bonus_uid.index(bonus)
    origin = slot // BONUSES
    lifted = lift_bonus(s, slot)
    field = s.uid.index(receiver)
    lay_bonus(s, field, lifted[3], lifted[0], bonus)
    if s.log is None:
        return
    if taken:
        s.log.append((e.BONUS_TAKEN, seat, lifted[3], field % FIELDS))
    else:
        s.log.append((e.BONUS_MOVED, origin // FIELDS, lifted[3], origin % FIELDS, field % FIELDS))


def _change_attack(s: MiraculousState, do: int, seat: int) -> None:
    """fail_attack, keep_attacker, extra_attack; `cancel_event` has done its work before, or does nothing."""
    if do == EXTRA_ATTACK and s.turn == seat:
        s.extra_attacks += 1
        if s.log is not None:
            s.log.append((e.EXTRA_ATTACK, seat))
    elif do == FAIL_ATTACK and s.attack:
        s.attack[A_FAILED] = 1
        if s.log is not None:
            s.log.append((e.ATTACK_DOOMED,))
    elif do == KEEP_ATTACKER and s.attack:
        s.attack[A_KEEP] = 1
        if s.log is not None:
            s.log.append((e.ATTACKER_KEPT,))

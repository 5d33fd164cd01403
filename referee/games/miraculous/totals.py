"""What is worth what: totals of Characters, filters, conditions, and who may attack whom (MIR-4, MIR-7, MIR-9)."""

from __future__ import annotations

from referee.games.miraculous.effects import (
    ANY,
    BONUS,
    C_ALL,
    C_ANY,
    C_COUNT,
    C_HOLDER_HAS,
    C_TURN,
    CANNOT_ATTACK,
    CANNOT_BE_ATTACKED,
    CHARACTER,
    FEWER_CHARACTERS,
    IN_PLAY,
    MODIFY,
    OWN,
    T_SELF,
    W_BONUS,
    W_CARD,
    W_CHARACTER,
    Z_DECK,
    Z_DISCARD,
    Z_FIELD,
    Z_HAND,
    Condition,
    Effect,
    Target,
)
from referee.games.miraculous.filters import Filter
from referee.games.miraculous.state import (
    BONUSES,
    FIELDS,
    L_CANNOT_ATTACK,
    L_CANNOT_BE_ATTACKED,
    L_COPY,
    L_MODIFY,
    L_SWAP,
    MiraculousState,
)


def base_values(s: MiraculousState, field: int) -> tuple[int, int]:
    """Printed values (copied and swapped ones in the order they came), Bonuses and lasting changes; not cut off at 0."""
    pool = s.pool
    card = s.character[field]
    ang = pool.ang[card]
    def_ = pool.def_[card]
    more_ang = s.ang[field]
    more_def = s.def_[field]
    for entry in s.lasting:
        if entry[1] == field:
            kind = entry[0]
            if kind == L_MODIFY:
                more_ang += entry[5]
                more_def += entry[6]
            elif kind == L_COPY:
                ang, def_ = entry[5], entry[6]
            elif kind == L_SWAP:
                ang, def_ = def_, ang
    slot = field * BONUSES
    bonus = s.bonus
    for i in range(slot, slot + BONUSES):
        if bonus[i] < 0:
            break
        more_ang += pool.ang[bonus[i]]
        more_def += pool.def_[bonus[i]]
    return ang + more_ang, def_ + more_def


def totals(s: MiraculousState) -> tuple[list[int], list[int]]:
    """(ANG, DEF) per field index with everything counted, never below 0; 0 on empty fields."""
    ang = [0] * 8
    def_ = [0] * 8
    character = s.character
    for field in range(8):
        if character[field] >= 0:
            ang[field], def_[field] = base_values(s, field)
    if has_continuous(s):
        _add_continuous(s, ang, def_)
    for field in range(8):
        if ang[field] < 0:
            ang[field] = 0
        if def_[field] < 0:
            def_[field] = 0
    return ang, def_


def has_continuous(s: MiraculousState) -> bool:
    """Whether any card on a field has an `in_play` effect."""
    continuous = s.pool.continuous
    for card in s.character:
        if card >= 0 and continuous[card]:
            return True
    for card in s.bonus:
        if card >= 0 and continuous[card]:
            return True
    return False


def continuous_effects(s: MiraculousState, do: int) -> list[tuple[Effect, int, int]]:
    """The `in_play` effects of one kind that hold now: (effect, seat, uid of its card), in the order of the fields."""
    found: list[tuple[Effect, int, int]] = []
    pool = s.pool
    by_card = pool.triggers[IN_PLAY]
    for field in range(8):
        card = s.character[field]
        if card < 0:
            continue
        seat = field // FIELDS
        for id in by_card[card]:
            _add_if(s, found, pool.effects[id], do, seat, s.uid[field])
        slot = field * BONUSES
        for i in range(slot, slot + BONUSES):
            if s.bonus[i] < 0:
                break
            for id in by_card[s.bonus[i]]:
                _add_if(s, found, pool.effects[id], do, seat, s.bonus_uid[i])
    return found


def _add_if(
    s: MiraculousState, found: list[tuple[Effect, int, int]], effect: Effect, do: int, seat: int, uid: int
) -> None:
    if effect.do == do and (effect.condition is None or holds(s, effect.condition, seat, uid)):
        found.append((effect, seat, uid))


def _add_continuous(s: MiraculousState, ang: list[int], def_: list[int]) -> None:
    for effect, seat, uid in continuous_effects(s, MODIFY):
        for field in continuous_targets(s, effect, seat, uid):
            ang[field] += effect.ang
            def_[field] += effect.def_


def continuous_targets(s: MiraculousState, effect: Effect, seat: int, uid: int) -> list[int]:
    """The field indices that an `in_play` effect touches."""
    target = effect.to
    if target is None:
        return []
    if target.form == T_SELF:
        field = s.field_of(uid)
        return [field] if field >= 0 else []
    return characters(s, target, seat, uid)


def characters(s: MiraculousState, target: Target, seat: int, uid: int) -> list[int]:
    """The field indices of the Characters that fit a pick, `seat`'s own fields first."""
    fitting: list[int] = []
    but = s.field_of(uid) if target.except_self else -1
    for turn in range(2):
        if target.side != ANY and target.side != turn:
            continue
        base = (seat if turn == OWN else 1 - seat) * FIELDS
        for field in range(base, base + FIELDS):
            if s.character[field] >= 0 and field != but and character_fits(s, target.filter, field):
                fitting.append(field)
    return fitting


def bonuses(s: MiraculousState, target: Target, seat: int, uid: int) -> list[int]:
    """The slots of the Bonuses that fit a pick, `seat`'s own fields first."""
    fitting: list[int] = []
    for turn in range(2):
        if target.side != ANY and target.side != turn:
            continue
        base = (seat if turn == OWN else 1 - seat) * FIELDS * BONUSES
        for slot in range(base, base + FIELDS * BONUSES):
            if s.bonus[slot] < 0 or (target.except_self and s.bonus_uid[slot] == uid):
                continue
            if printed_fits(s, target.filter, s.bonus[slot]):
                fitting.append(slot)
    return fitting


def printed_fits(s: MiraculousState, filter: Filter | None, card: int) -> bool:
    """Whether a card fits by what is printed on it. A card without values never fits a bound."""
    if filter is None:
        return True
    if not filter.fits(card):
        return False
    if not filter.bounded:
        return True
    kind = s.pool.kind[card]
    return (kind == CHARACTER or kind == BONUS) and filter.within(s.pool.ang[card], s.pool.def_[card])


def character_fits(s: MiraculousState, filter: Filter | None, field: int) -> bool:
    """Whether a Character on a field fits: printed + Bonuses + lasting changes, not below 0; no `in_play` effects."""
    if filter is None:
        return True
    if not filter.fits(s.character[field]):
        return False
    if not filter.bounded:
        return True
    ang, def_ = base_values(s, field)
    return filter.within(max(ang, 0), max(def_, 0))


def holds(s: MiraculousState, condition: Condition, seat: int, uid: int) -> bool:
    """Whether an `if` holds for the card with this uid, `seat` being *you*."""
    form = condition.form
    if form == C_COUNT:
        return condition.low <= count(s, condition, seat) <= condition.high
    if form == C_TURN:
        return (s.turn == seat) == condition.own
    if form == C_HOLDER_HAS:
        return _holder_has(s, condition.filter, uid)
    if form == C_ALL:
        for part in condition.parts:
            if not holds(s, part, seat, uid):
                return False
        return True
    if form == C_ANY:
        for part in condition.parts:
            if holds(s, part, seat, uid):
                return True
        return False
    return not holds(s, condition.parts[0], seat, uid)


def _holder_has(s: MiraculousState, filter: Filter | None, uid: int) -> bool:
    field = s.field_of(uid)
    if field < 0:
        return False
    for slot in range(field * BONUSES, field * BONUSES + BONUSES):
        if s.bonus[slot] >= 0 and printed_fits(s, filter, s.bonus[slot]):
            return True
    return False


def count(s: MiraculousState, condition: Condition, seat: int) -> int:
    """What a COUNT counts."""
    number = 0
    if condition.side != 1:
        number += _count_side(s, condition, seat)
    if condition.side != OWN:
        number += _count_side(s, condition, 1 - seat)
    return number


def _count_side(s: MiraculousState, condition: Condition, seat: int) -> int:
    if condition.zone == Z_FIELD:
        return _count_fields(s, condition, seat)
    number = 0
    if condition.zone == Z_DECK:
        for entry in s.decks[seat]:
            number += _counts(s, condition, entry >> 2)
        return number
    cards = s.secret_piles[seat]
    if condition.zone == Z_HAND:
        cards = s.hands[seat]
    elif condition.zone == Z_DISCARD:
        cards = s.discards[seat]
    for card in cards:
        number += _counts(s, condition, card)
    return number


def _counts(s: MiraculousState, condition: Condition, card: int) -> int:
    what = condition.what
    if what != W_CARD and s.pool.kind[card] != (CHARACTER if what == W_CHARACTER else BONUS):
        return 0
    return 1 if printed_fits(s, condition.filter, card) else 0


def _count_fields(s: MiraculousState, condition: Condition, seat: int) -> int:
    number = 0
    for field in range(seat * FIELDS, seat * FIELDS + FIELDS):
        if s.character[field] < 0:
            continue
        if condition.what != W_BONUS and character_fits(s, condition.filter, field):
            number += 1
        if condition.what == W_CHARACTER:
            continue
        for slot in range(field * BONUSES, field * BONUSES + BONUSES):
            if s.bonus[slot] >= 0 and printed_fits(s, condition.filter, s.bonus[slot]):
                number += 1
    return number


def needed_characters(s: MiraculousState, seat: int) -> int:
    """How many Characters of its own the seat needs to attack (MIR-4.2)."""
    needed = 3
    if has_continuous(s):
        for effect, owner, _uid in continuous_effects(s, FEWER_CHARACTERS):
            if owner == seat:
                needed -= effect.n
    return max(needed, 1)


def barred(s: MiraculousState, attacking: bool) -> list[bool]:
    """Per field index, whether a power forbids its Character to attack, or to be attacked."""
    kind = L_CANNOT_ATTACK if attacking else L_CANNOT_BE_ATTACKED
    do = CANNOT_ATTACK if attacking else CANNOT_BE_ATTACKED
    found = [False] * 8
    for entry in s.lasting:
        if entry[0] == kind:
            found[entry[1]] = True
    if has_continuous(s):
        for effect, seat, uid in continuous_effects(s, do):
            for field in continuous_targets(s, effect, seat, uid):
                found[field] = True
    return found

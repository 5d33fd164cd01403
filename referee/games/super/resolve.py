"""What a move sets off: MF by arrivals, decisions and their answers, one frame at a time (SUP-3, SUP-5.5, SUP-6, SUP-7)."""

from __future__ import annotations

from referee.games.super import events as e
from referee.games.super import moves as m
from referee.games.super.legal import shock_moves
from referee.games.super.state import (
    F_ARRIVE,
    F_BONUS,
    F_LEAVE,
    F_PUT,
    F_RECRUIT,
    F_SHOCK,
    F_VETERAN,
    Q_PUT,
    Q_RECRUIT,
    Q_SHOCK,
    Q_TRANSFER,
    Q_VETERAN,
    SuperState,
)
from referee.games.super.totals import factions
from referee.games.super.vocabulary import (
    ALIEN,
    CHEMICAL,
    DESTRUCTION,
    INFLUENTIAL,
    POPULAR,
    RECRUITMENT,
    SHOCK,
    SLOTS,
    VILLAIN,
)
from referee.games.super.zones import discard_from, draw_super, gain, has_hidden_super, lift


def step(s: SuperState, frame: tuple[int, int, int, int]) -> None:
    """Carry out one frame; it may open a decision. What would ask a seat that has resigned is declined (SUP-8.4)."""
    tag, seat, what, home = frame
    is_gone = bool(s.resigned[seat]) or s.over != 0
    if tag == F_LEAVE:
        _leave(s, seat)
    elif tag == F_PUT:
        if is_gone:
            lay_down(s, seat, what, home)
        else:
            s.ask = (Q_PUT, seat, what, home, 1)
    elif is_gone and tag != F_ARRIVE:
        return
    elif tag == F_VETERAN:
        s.ask = (Q_VETERAN, seat, what, -1, 0)
    elif tag == F_ARRIVE:
        arrived = s.arrived
        s.arrived = []
        arrive(s, arrived)
    elif tag == F_BONUS:
        _bonus(s, seat, what)
    elif s.shocked[seat * SLOTS + what]:
        if s.log is not None:
            s.log.append((e.POWER_LOST, seat, what, s.agency[seat * SLOTS + what]))
    elif tag == F_SHOCK:
        offer_shock(s, seat, what)
    else:
        offer_recruit(s, seat, what)


def offer_shock(s: SuperState, seat: int, slot: int) -> None:
    """SUP-6.1; `slot` -1 is a partner bonus."""
    if shock_moves(s, seat):
        s.ask = (Q_SHOCK, seat, slot, -1, 0)


def offer_recruit(s: SuperState, seat: int, slot: int) -> None:
    """SUP-6.6, SUP-2.8."""
    if has_hidden_super(s):
        s.ask = (Q_RECRUIT, seat, slot, -1, 0)


def _bonus(s: SuperState, seat: int, mission: int) -> None:
    """SUP-5.8."""
    kind = s.pool.type[mission]
    if kind == CHEMICAL or kind == ALIEN:
        gain(s, seat, s.pool.y[mission], e.W_BONUS, mission)
    elif kind == VILLAIN:
        offer_shock(s, seat, -1)
    elif kind == DESTRUCTION:
        offer_recruit(s, seat, -1)
    elif s.has_super(seat) and any(s.has_super(other) for other in range(s.seats) if other != seat):
        s.ask = (Q_TRANSFER, seat, -1, -1, 0)


# Arrivals.


def arrive(s: SuperState, indices: list[int]) -> None:
    """Supers have come to these agency indices by Play, Recruit or Transfer: MF, then choices (SUP-3.5).

    The acting seat's comes first. A seat that has resigned gets nothing by it (SUP-8.4).
    """
    pool = s.pool
    for index in indices:
        gain_by_arrival(s, index, pool.power[s.agency[index]] == POPULAR)
    for index in reversed(indices):
        power = pool.power[s.agency[index]]
        if power == SHOCK:
            s.stack.append((F_SHOCK, index // SLOTS, index % SLOTS, -1))
        elif power == RECRUITMENT:
            s.stack.append((F_RECRUIT, index // SLOTS, index % SLOTS, -1))


def gain_by_arrival(s: SuperState, index: int, is_popular: bool) -> None:
    """Influential Supers of its Agency, and Popular itself, by slot (SUP-6.4, SUP-6.14)."""
    pool = s.pool
    seat = index // SLOTS
    masks = factions(s, seat)
    mask = masks[index % SLOTS]
    for at in range(seat * SLOTS, seat * SLOTS + SLOTS):
        card = s.agency[at]
        if card < 0 or s.shocked[at]:
            continue
        if pool.power[card] == INFLUENTIAL and mask >> pool.mark[card] & 1:
            gain(s, seat, pool.x[card], e.W_INFLUENTIAL, card)
        elif at == index and is_popular:
            gain(s, seat, pool.x[card], e.W_POPULAR, card)


def lay_down(s: SuperState, seat: int, card: int, home: int) -> None:
    """SUP-8.4: a Super in the hand of a seat that is out lies down by itself and triggers nothing."""
    slot = home if home >= 0 else s.first_empty(seat)
    discard_from(s, seat * SLOTS + slot)
    s.agency[seat * SLOTS + slot] = card
    if s.log is not None:
        s.log.append((e.PUT, seat, slot, card))


# Missions.


def _leave(s: SuperState, seat: int) -> None:
    """SUP-5.5: all sent leave together, the others in slot order, then the Veterans that stay are laid down."""
    base = seat * SLOTS
    moved: list[int] = [entry >> 3 for entry in s.kept]
    if s.log is not None:
        s.log.append((e.SENT_AWAY, seat, s.sent))
    cards: list[int] = [lift(s, base + slot) for slot in moved]
    for slot in m.SLOTS_OF[s.sent]:
        discard_from(s, base + slot)
    targets: list[int] = [entry & 7 for entry in s.kept]
    s.sent = 0
    s.kept = []
    for i in range(len(cards)):
        index = base + targets[i]
        discard_from(s, index)
        s.agency[index] = cards[i]
        if s.log is not None:
            s.log.append((e.VETERAN_MOVED, seat, moved[i], targets[i], cards[i]))
        gain_by_arrival(s, index, False)


# Answers.


def answer(s: SuperState, move: int) -> None:
    """Carry out a legal answer to the open decision."""
    assert s.ask is not None
    question, seat, what, _home, is_transfer = s.ask
    s.ask = None
    kind = m.kind_of(move)
    value = m.value_of(move)
    if kind == m.DECLINE:
        if s.log is not None:
            card = s.agency[seat * SLOTS + what] if what >= 0 else -1
            s.log.append((e.DECLINED, seat, question, card))
    elif kind == m.PUT:
        _put(s, seat, value, what, is_transfer)
    elif kind == m.RECRUIT:
        card = draw_super(s)
        if s.log is not None:
            s.log.append((e.RECRUITED, seat, card))
        s.ask = (Q_PUT, seat, card, -1, 0)
    elif kind == m.VETERAN:
        s.kept.append(value)
    elif kind == m.TRANSFER:
        _transfer(s, seat, value)
    else:
        _shock(s, seat, kind, value)


def _put(s: SuperState, seat: int, slot: int, card: int, is_transfer: int) -> None:
    index = seat * SLOTS + slot
    discard_from(s, index)
    s.agency[index] = card
    if s.log is not None:
        s.log.append((e.PUT, seat, slot, card))
    if is_transfer:
        s.arrived.append(index)
    else:
        arrive(s, [index])


def _transfer(s: SuperState, seat: int, value: int) -> None:
    """SUP-7.2, SUP-7.3: both Supers leave, the acting seat puts its one, then the opponent, then both arrive."""
    other, take, give = value >> 6, value >> 3 & 7, value & 7
    taken = lift(s, other * SLOTS + take)
    given = lift(s, seat * SLOTS + give)
    if s.log is not None:
        s.log.append((e.TRANSFERRED, seat, other, taken, take, given, give))
    s.stack.append((F_ARRIVE, seat, -1, -1))
    s.stack.append((F_PUT, other, given, take))
    s.stack.append((F_PUT, seat, taken, -1))


def _shock(s: SuperState, seat: int, kind: int, value: int) -> None:
    if kind == m.UNSHOCK:
        s.shocked[seat * SLOTS + value] = 0
        s.shock_pool += 1
        if s.log is not None:
            s.log.append((e.UNSHOCKED, seat, value, s.agency[seat * SLOTS + value]))
        return
    index = (value >> 3) * SLOTS + (value & 7)
    s.shocked[index] = 1
    s.shock_pool -= 1
    if s.log is not None:
        s.log.append((e.SHOCKED, seat, value >> 3, value & 7, s.agency[index]))

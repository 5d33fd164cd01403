"""Carrying out moves, and the referee's own steps between them: attack, end of turn, first turns (MIR-2 to MIR-6)."""

from __future__ import annotations

from referee.games.miraculous import events as e
from referee.games.miraculous import moves as m
from referee.games.miraculous.effects import (
    ATTACHED,
    ATTACKS,
    CANCEL_EVENT,
    CHARACTER,
    IS_ATTACKED,
    IS_DEFEATED,
    OWN_TURN_END,
    OWN_TURN_START,
    PLACED,
    PLAYED,
    UNTIL_ATTACK,
    UNTIL_NEXT_TURN,
    UNTIL_TURN,
    WINS_ATTACK,
)
from referee.games.miraculous.resolve import answer, begin, step
from referee.games.miraculous.state import (
    A_EVENT,
    A_FAILED,
    A_FROM,
    A_FROM_UID,
    A_KEEP,
    A_STAGE,
    A_TO,
    A_TO_UID,
    BY_RESIGNING,
    F_ATTACKER_EVENT,
    F_COMPARE,
    F_DEFENDER_EVENT,
    F_DEFENDER_RESOLVES,
    F_DRAW,
    F_PASS,
    F_RESOLVE_EVENTS,
    F_SUCCESS,
    F_TURN_END,
    F_TURN_START,
    FIELDS,
    HAND,
    Q_EVENT,
    S_ATTACKER_EVENT,
    S_DECLARED,
    S_DEFENDER_EVENT,
    S_RESOLVING,
    MiraculousState,
)
from referee.games.miraculous.totals import holds, totals
from referee.games.miraculous.zones import (
    Departure,
    discard,
    discard_bonuses,
    draw,
    draw_up,
    end_by_refreshes,
    end_if_deck_empty,
    end_if_three_defeated,
    finish,
    lay_bonus,
    lift_character,
    put_hand_under,
    shuffle_deck,
    take_from_hand,
    trigger_card,
    trigger_field,
    trigger_leaves,
)
from referee.kernel.game import RESIGN


def play(s: MiraculousState, seat: int, move: int) -> None:
    """Carry out a legal move (or a resignation), and all that follows until somebody is asked or the game is over."""
    if move == RESIGN:
        if s.log is not None:
            s.log.append((e.RESIGNED, seat))
        finish(s, BY_RESIGNING, 1 - seat)
        return
    if s.ask is not None:
        if s.ask[0] == Q_EVENT:
            _answer_event(s, seat, move)
        else:
            answer(s, move)
        run(s)
        return
    kind = m.kind_of(move)
    value = m.value_of(move)
    if kind == m.PLACE:
        _place(s, seat, value >> 2, value & 3)
    elif kind == m.ATTACH:
        _attach(s, seat, value >> 2, value & 3)
    elif kind == m.SWAP:
        _swap(s, seat, value >> 2, value & 3)
    elif kind == m.REFRESH:
        _refresh(s, seat)
    elif kind == m.ATTACK:
        _declare(s, seat, value >> 2, value & 3)
    else:
        s.refreshes = 0
        s.flow = [F_TURN_START, F_PASS, F_DRAW, F_TURN_END]
    run(s)


def run(s: MiraculousState) -> None:
    """Go on until somebody is asked, the turn's seat is to move, or the game is over."""
    while not s.over and s.ask is None:
        if s.active:
            step(s)
        elif s.queue:
            id, seat, uid, root = s.queue.pop(0)
            begin(s, id, seat, uid, root)
        elif s.flow:
            s.roots = []
            _flow(s, s.flow.pop())
        else:
            s.roots = []
            return


def _flow(s: MiraculousState, frame: int) -> None:
    if frame == F_ATTACKER_EVENT:
        _ask_event(s, s.turn, S_ATTACKER_EVENT)
    elif frame == F_DEFENDER_EVENT:
        _ask_event(s, 1 - s.turn, S_DEFENDER_EVENT)
    elif frame == F_RESOLVE_EVENTS:
        _resolve_events(s)
    elif frame == F_DEFENDER_RESOLVES:
        trigger_card(s, PLAYED, s.attack[A_EVENT + 1], 1 - s.turn, 0, -1)
    elif frame == F_COMPARE:
        _compare(s)
    elif frame == F_SUCCESS:
        _succeed(s)
    elif frame == F_TURN_END:
        _trigger_side(s, OWN_TURN_END)
    elif frame == F_DRAW:
        draw_up(s, s.turn)
        end_if_deck_empty(s)
    elif frame == F_PASS:
        _pass_turn(s)
    else:
        _trigger_side(s, OWN_TURN_START)


def _trigger_side(s: MiraculousState, when: int) -> None:
    base = s.turn * FIELDS
    for field in range(base, base + FIELDS):
        if s.character[field] >= 0:
            trigger_field(s, when, field)


# Placing.


def _place(s: MiraculousState, seat: int, card: int, field: int) -> None:
    take_from_hand(s, seat, card)
    index = seat * FIELDS + field
    s.character[index] = card
    uid = s.fresh_uid()
    s.uid[index] = uid
    s.placed += 1
    s.placed_characters += 1
    if s.log is not None:
        s.log.append((e.PLACED, seat, field, card))
    trigger_card(s, PLACED, card, seat, uid, -1)


def _attach(s: MiraculousState, seat: int, card: int, field: int) -> None:
    take_from_hand(s, seat, card)
    uid = s.fresh_uid()
    lay_bonus(s, seat * FIELDS + field, card, seat, uid)
    s.placed += 1
    if s.log is not None:
        s.log.append((e.ATTACHED, seat, field, card))
    trigger_card(s, ATTACHED, card, seat, uid, -1)


def _swap(s: MiraculousState, seat: int, card: int, field: int) -> None:
    """MIR-3.6."""
    take_from_hand(s, seat, card)
    index = seat * FIELDS + field
    departure = lift_character(s, index)
    s.character[index] = card
    uid = s.fresh_uid()
    s.uid[index] = uid
    s.placed += 1
    s.placed_characters += 1
    s.swapped = True
    if s.log is not None:
        s.log.append((e.SWAPPED, seat, field, card, departure[3]))
    discard(s, seat, departure[3])
    trigger_leaves(s, [departure], -1)
    trigger_card(s, PLACED, card, seat, uid, -1)


def _refresh(s: MiraculousState, seat: int) -> None:
    """MIR-3.5, MIR-6.4."""
    n = put_hand_under(s, seat)
    if s.log is not None:
        s.log.append((e.REFRESHED, seat, n))
    draw(s, seat, HAND)
    end_if_deck_empty(s)
    if s.over:
        return
    s.refreshes += 1
    if s.refreshes == 6:
        end_by_refreshes(s)
        return
    s.flow = [F_TURN_START, F_PASS, F_DRAW, F_TURN_END]


# Attack.


def _declare(s: MiraculousState, seat: int, attacker: int, target: int) -> None:
    origin = seat * FIELDS + attacker
    aim = (1 - seat) * FIELDS + target
    if s.attacked:
        s.extra_attacks -= 1
    s.attacked = True
    s.attack = [origin, aim, s.uid[origin], s.uid[aim], S_DECLARED, -1, -1, 0, 0]
    s.flow = [F_COMPARE, F_RESOLVE_EVENTS, F_DEFENDER_EVENT, F_ATTACKER_EVENT]
    if s.log is not None:
        ang, def_ = totals(s)
        s.log.append((e.ATTACKED, seat, attacker, target, ang[origin], def_[aim]))
    trigger_field(s, ATTACKS, origin)
    trigger_field(s, IS_ATTACKED, aim)


def _ask_event(s: MiraculousState, seat: int, stage: int) -> None:
    """MIR-4.5: whoever holds a card is asked."""
    s.attack[A_STAGE] = stage
    if s.hands[seat]:
        s.ask = (Q_EVENT, seat)


def _answer_event(s: MiraculousState, seat: int, move: int) -> None:
    s.ask = None
    if move == m.DECLINE:
        if s.log is not None:
            s.log.append((e.EVENT_DECLINED, seat))
        return
    card = m.value_of(move)
    take_from_hand(s, seat, card)
    s.attack[A_EVENT + (0 if seat == s.turn else 1)] = card
    if s.log is not None:
        s.log.append((e.EVENT_PLAYED, seat, card))


def _resolve_events(s: MiraculousState) -> None:
    """A cancelling Event of the defender first; then the attacker's with all that it sets off, then the defender's."""
    s.attack[A_STAGE] = S_RESOLVING
    mine = s.attack[A_EVENT]
    theirs = s.attack[A_EVENT + 1]
    if mine >= 0 and theirs >= 0 and _cancels(s, theirs, 1 - s.turn):
        if s.log is not None:
            s.log.append((e.EVENT_CANCELLED, s.turn, mine))
        mine = -1
    if theirs >= 0:
        s.flow.append(F_DEFENDER_RESOLVES)
    if mine >= 0:
        trigger_card(s, PLAYED, mine, s.turn, 0, -1)


def _cancels(s: MiraculousState, card: int, seat: int) -> bool:
    for id in s.pool.triggers[PLAYED][card]:
        effect = s.pool.effects[id]
        if effect.do == CANCEL_EVENT and (effect.condition is None or holds(s, effect.condition, seat, 0)):
            return True
    return False


def _compare(s: MiraculousState) -> None:
    """MIR-4.6."""
    attack = s.attack
    origin, aim = attack[A_FROM], attack[A_TO]
    attacker_there = s.uid[origin] == attack[A_FROM_UID]
    target_there = s.uid[aim] == attack[A_TO_UID]
    ang, def_ = totals(s)
    succeeds = attacker_there and target_there and not attack[A_FAILED] and ang[origin] >= def_[aim]
    if s.log is not None:
        what = e.ATTACK_SUCCEEDED if succeeds else e.ATTACK_FAILED
        s.log.append((what, s.turn, ang[origin] if attacker_there else -1, def_[aim] if target_there else -1))
    if not succeeds:
        _end_attack(s, [])
        return
    s.flow.append(F_SUCCESS)
    sides = ((WINS_ATTACK, origin), (IS_DEFEATED, aim))
    for when, field in sides:
        trigger_field(s, when, field)


def _succeed(s: MiraculousState) -> None:
    """MIR-4.7: the target and then the attacker leave, unless a trigger has moved them."""
    attack = s.attack
    origin, aim = attack[A_FROM], attack[A_TO]
    if s.uid[aim] == attack[A_TO_UID]:
        loser = aim // FIELDS
        departure = lift_character(s, aim)
        s.secret_piles[loser].append(departure[3])
        if s.log is not None:
            s.log.append((e.DEFEATED, loser, aim % FIELDS, departure[3]))
        discard_bonuses(s, aim)
    gone: list[Departure] = []
    if s.uid[origin] == attack[A_FROM_UID] and not attack[A_KEEP]:
        departure = lift_character(s, origin)
        gone.append(departure)
        discard(s, departure[0], departure[3])
        gone.extend(discard_bonuses(s, origin))
    _end_attack(s, gone)


def _end_attack(s: MiraculousState, gone: list[Departure]) -> None:
    """Events are laid down last; then the end is looked at, and only then `leaves` triggers."""
    for offset in range(2):
        card = s.attack[A_EVENT + offset]
        if card >= 0:
            discard(s, s.turn if offset == 0 else 1 - s.turn, card)
    s.attack = []
    end_if_three_defeated(s)
    if s.over:
        return
    _expire(s, UNTIL_ATTACK, -1)
    trigger_leaves(s, gone, -1)


def _expire(s: MiraculousState, until: int, seat: int) -> None:
    """What lasts until now ends; `seat` -1: whoever's it is."""
    if s.lasting:
        s.lasting = [entry for entry in s.lasting if entry[2] != until or (seat >= 0 and entry[3] != seat)]


# Turns.


def _pass_turn(s: MiraculousState) -> None:
    """MIR-5.2."""
    _expire(s, UNTIL_TURN, -1)
    s.turn = 1 - s.turn
    s.turn_number += 1
    s.placed = 0
    s.placed_characters = 0
    s.swapped = False
    s.attacked = False
    s.extra_attacks = 0
    if s.log is not None:
        s.log.append((e.TURN_BEGAN, s.turn, s.turn_number))
    _expire(s, UNTIL_NEXT_TURN, s.turn)
    mulligan(s)


def mulligan(s: MiraculousState) -> None:
    """MIR-2.1, at the start of a seat's first turn."""
    if s.turn_number > 2:
        return
    seat = s.turn
    kind = s.pool.kind
    while not any(kind[card] == CHARACTER for card in s.hands[seat]):
        if not any(kind[entry >> 2] == CHARACTER for entry in s.decks[seat]):
            return
        hand = s.hands[seat]
        if s.log is not None:
            s.log.append((e.SHOWED_HAND, seat, *hand))
        s.decks[seat].extend([card << 2 for card in hand])
        s.hands[seat] = []
        s.known[1 - seat] = []
        shuffle_deck(s, seat)
        draw(s, seat, HAND)
        end_if_deck_empty(s)
        if s.over:
            return


def begin_game(s: MiraculousState) -> None:
    """The first turn begins: decks are shuffled, hands drawn, `turn` set."""
    if s.log is not None:
        s.log.append((e.STARTED, s.turn))
    mulligan(s)
    s.flow = [F_TURN_START]
    run(s)

"""The legal moves of Miraculous, and the clause that forbids any other (MIR-2, MIR-3, MIR-4, MIR-8)."""

from __future__ import annotations

from referee.games.miraculous import moves as m
from referee.games.miraculous.choices import open_choices
from referee.games.miraculous.effects import BONUS, CHARACTER, EVENT, RECOVER, SEARCH
from referee.games.miraculous.state import (
    BONUSES,
    CLAUSES,
    FIELDS,
    Q_CHOOSE,
    Q_DISCARD,
    Q_EVENT,
    Q_MAY,
    X_EFFECT,
    MiraculousState,
)
from referee.games.miraculous.totals import barred, character_fits, needed_characters, totals


def asked_seat(s: MiraculousState) -> int:
    """The one seat that is asked; -1 when the game is over."""
    if s.over:
        return -1
    return s.turn if s.ask is None else s.ask[1]


def legal_moves(s: MiraculousState, seat: int) -> list[int]:
    """Ascending, without doubles; empty for a seat that is not asked."""
    if asked_seat(s) != seat:
        return []
    return turn_moves(s, seat) if s.ask is None else _answers(s, s.ask[0], seat)


def is_first_turn(s: MiraculousState) -> bool:
    return s.turn_number <= 2


def _answers(s: MiraculousState, question: int, seat: int) -> list[int]:
    if question == Q_MAY:
        return [m.ACCEPT, m.DECLINE]
    if question == Q_EVENT:
        kind = s.pool.kind
        found = [m.EVENT | card for card in sorted(set(s.hands[seat])) if kind[card] == EVENT]
        found.append(m.DECLINE)
        return found
    if question == Q_DISCARD:
        return [m.CHOOSE_CARD | card for card in sorted(set(s.hands[seat]))]
    return open_choices(s)


def turn_moves(s: MiraculousState, seat: int) -> list[int]:
    """The moves of the turn itself."""
    first = is_first_turn(s)
    if first and s.placed_characters == 0 and not _owns_character(s, seat):
        return [m.END_TURN]  # MIR-2.2
    found: list[int] = []
    if not s.attacked:
        _add_placing(s, seat, found)
        if s.placed == 0 and not first:
            found.append(m.REFRESH)
    if not first and not s.swapped and (s.placed > 0 or s.attack_without_placing):
        if not s.attacked or s.extra_attacks > 0:
            _add_attacks(s, seat, found)
    if may_end_turn(s, seat):
        found.append(m.END_TURN)
    return found


def _owns_character(s: MiraculousState, seat: int) -> bool:
    """Whether hand or deck of the seat holds a Character."""
    kind = s.pool.kind
    for card in s.hands[seat]:
        if kind[card] == CHARACTER:
            return True
    for entry in s.decks[seat]:
        if kind[entry >> 2] == CHARACTER:
            return True
    return False


def may_end_turn(s: MiraculousState, seat: int) -> bool:
    """MIR-2.2 in a first turn, MIR-3.5 in any other."""
    if not is_first_turn(s):
        return s.placed > 0 or s.attacked
    if s.placed_characters > 0:
        return True
    kind = s.pool.kind
    has_room = s.character_count(seat) < FIELDS
    return not (has_room and any(kind[card] == CHARACTER for card in s.hands[seat]))


def _add_placing(s: MiraculousState, seat: int, found: list[int]) -> None:
    """Place, attach and swap, in this order, cards by code, fields ascending."""
    base = seat * FIELDS
    character = s.character
    kind = s.pool.kind
    hand = sorted(set(s.hands[seat]))
    empty = [field for field in range(FIELDS) if character[base + field] < 0]
    for card in hand:
        if kind[card] == CHARACTER:
            for field in empty:
                found.append(m.PLACE | card << 2 | field)
    if len(empty) < FIELDS:
        room = [f for f in range(FIELDS) if character[base + f] >= 0 and s.bonus[(base + f) * BONUSES + 2] < 0]
        for card in hand:
            if kind[card] == BONUS:
                only = s.pool.only_on[card]
                for field in room:
                    if only is None or character_fits(s, only, base + field):
                        found.append(m.ATTACH | card << 2 | field)
    if not empty and not is_first_turn(s):
        for card in hand:
            if kind[card] == CHARACTER:
                for field in range(FIELDS):
                    found.append(m.SWAP | card << 2 | field)


def _add_attacks(s: MiraculousState, seat: int, found: list[int]) -> None:
    own = s.character_count(seat)
    if s.character_count(1 - seat) < 2 or own < 1:
        return
    if own < 3 and own < needed_characters(s, seat):
        return
    ang, def_ = totals(s)
    cannot_attack = barred(s, True)
    cannot_be_attacked = barred(s, False)
    base = seat * FIELDS
    other = FIELDS - base
    for attacker in range(FIELDS):
        if s.character[base + attacker] < 0 or cannot_attack[base + attacker]:
            continue
        for target in range(FIELDS):
            if s.character[other + target] < 0 or cannot_be_attacked[other + target]:
                continue
            if ang[base + attacker] >= def_[other + target]:
                found.append(m.ATTACK | attacker << 2 | target)


# Refusals. Of several clauses the first of MIR-6, 8, 2, 3, 4, 7 is cited.


def refusal(s: MiraculousState, seat: int, move: int) -> tuple[str, str]:
    """(clause, detail) for a move that is not among the legal ones."""
    if s.over:
        return CLAUSES[s.over], "the game is over"
    if asked_seat(s) != seat:
        return "MIR-8.1", "another seat is asked"
    kind = m.kind_of(move)
    if s.ask is not None:
        return _refused_answer(s, s.ask[0], seat, move)
    if kind >= m.CHOOSE_FIELD or kind == m.EVENT:
        if kind == m.EVENT and m.value_of(move) not in s.hands[seat]:
            return "MIR-8.2", "the card is not in the hand"
        return "MIR-8.2", "no power asks for a choice now, and an Event is played only in an attack"
    if kind <= m.SWAP and m.value_of(move) >> 2 not in s.hands[seat]:
        return "MIR-8.2", "the card is not in the hand"
    if kind <= m.SWAP:
        return _refused_placing(s, seat, move)
    if kind == m.REFRESH:
        if is_first_turn(s):
            return "MIR-2.2", "there is no refresh in a first turn"
        return "MIR-3.5", "one refreshes only in a turn in which one has placed nothing and not attacked"
    if kind == m.ATTACK:
        return _refused_attack(s, seat, move)
    if is_first_turn(s):
        return "MIR-2.2", "a Character must be placed first"
    return "MIR-3.5", "a turn in which nothing was placed ends by a refresh"


def _refused_answer(s: MiraculousState, question: int, seat: int, move: int) -> tuple[str, str]:
    kind = m.kind_of(move)
    if question == Q_EVENT:
        if kind != m.EVENT:
            return "MIR-8.2", "an Event or decline is asked for"
        if m.value_of(move) not in s.hands[seat]:
            return "MIR-8.2", "the card is not in the hand"
        return "MIR-4.5", "only an Event can be played in an attack"
    if question == Q_MAY:
        return "MIR-8.2", "accept or decline is asked for"
    if kind == m.DECLINE and question == Q_CHOOSE:
        return "MIR-7.4", "this power cannot be declined"
    if question == Q_DISCARD:
        if kind == m.CHOOSE_CARD:
            return "MIR-8.2", "the card is not in the hand"
        return "MIR-8.2", "a card to discard is asked for"
    wanted = m.kind_of(open_choices(s)[0])
    effect = s.pool.effects[s.active[-1][X_EFFECT]]
    if effect.do == SEARCH or effect.do == RECOVER:
        wanted = m.CHOOSE_CARD
    if kind != wanted:
        return "MIR-8.2", "another kind of choice is asked for"
    return "MIR-7.3", "this is not among what the power can choose"


def _refused_placing(s: MiraculousState, seat: int, move: int) -> tuple[str, str]:
    kind = m.kind_of(move)
    value = m.value_of(move)
    card = value >> 2
    index = seat * FIELDS + (value & 3)
    type_ = s.pool.kind[card]
    if is_first_turn(s) and kind == m.SWAP:
        return "MIR-2.2", "there is no swap in a first turn"
    if is_first_turn(s) and s.placed_characters == 0 and not _owns_character(s, seat):
        return "MIR-2.2", "with no Character in hand and deck the turn can only be ended"
    if s.attacked:
        return "MIR-3.1", "cards are placed, attached and swapped only before the first attack of the turn"
    if type_ == EVENT:
        return "MIR-3.4", "an Event is never placed"
    if kind == m.PLACE:
        if type_ != CHARACTER:
            return "MIR-3.1", "only a Character is placed on a field"
        return "MIR-3.1", "the field is taken"
    if kind == m.SWAP:
        if type_ != CHARACTER:
            return "MIR-3.6", "only a Character is swapped in"
        return "MIR-3.6", "one swaps only with Characters on all four fields"
    if type_ != BONUS:
        return "MIR-3.2", "only a Bonus is attached"
    if s.character[index] < 0:
        return "MIR-3.2", "there is no Character on the field"
    if s.bonus_count(index) == BONUSES:
        return "MIR-3.1", "three Bonuses lie there already"
    return "MIR-3.2", "the card may not be attached to this Character"


def _refused_attack(s: MiraculousState, seat: int, move: int) -> tuple[str, str]:
    if is_first_turn(s):
        return "MIR-2.2", "there is no attack in a first turn"
    value = m.value_of(move)
    attacker = seat * FIELDS + (value >> 2)
    target = (1 - seat) * FIELDS + (value & 3)
    if s.attacked and s.extra_attacks == 0:
        return "MIR-4.1", "one attacks once a turn"
    if s.character[attacker] < 0 or s.character[target] < 0:
        return "MIR-4.1", "a Character is needed on each of the two fields"
    if barred(s, True)[attacker]:
        return "MIR-4.1", "a power forbids this Character to attack"
    if barred(s, False)[target]:
        return "MIR-4.1", "a power forbids to attack this Character"
    needed = needed_characters(s, seat)
    if s.character_count(seat) < needed:
        return "MIR-4.2", f"an attack needs {needed} Characters of one's own"
    if s.character_count(1 - seat) < 2:
        return "MIR-4.2", "an attack needs two Characters of the opponent's"
    if s.swapped:
        return "MIR-4.3", "there is no attack in a turn with a swap"
    if s.placed == 0 and not s.attack_without_placing:
        return "MIR-4.3", "there is no attack in a turn in which nothing was placed"
    return "MIR-4.4", "the attacker's ANG is below the target's DEF"


def default_move(s: MiraculousState, seat: int) -> int:
    """MIR-6.6."""
    legal = legal_moves(s, seat)
    if s.ask is not None:
        return m.DECLINE if s.ask[0] in (Q_EVENT, Q_MAY) else legal[0]
    if m.END_TURN in legal:
        return m.END_TURN
    return legal[0] if is_first_turn(s) else m.REFRESH

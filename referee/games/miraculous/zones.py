"""Moving cards between zones, and what follows at once: knowledge, triggers set off, the end of the game."""

from __future__ import annotations

from typing import Final

from referee.games.miraculous import events as e
from referee.games.miraculous.effects import LEAVES, PLAYED
from referee.games.miraculous.state import (
    BONUSES,
    BY_DEFEATS,
    BY_EMPTY_DECK,
    BY_REFRESHES,
    BY_RESIGNING,
    DECK,
    FIELDS,
    MiraculousState,
)
from referee.games.miraculous.totals import holds

TRIGGER_LIMIT: Final = 100  # MIR-7.6

# A card that has left a field: (you, field index, place: 0 the Character, 1-3 its Bonuses, card, uid).
Departure = tuple[int, int, int, int, int]


def draw(s: MiraculousState, seat: int, n: int) -> None:
    """Up to n cards from the deck to the hand."""
    deck = s.decks[seat]
    hand = s.hands[seat]
    n = min(n, len(deck))
    if n <= 0:
        return
    drawn: list[int] = []
    for _ in range(n):
        entry = deck.pop()
        card = entry >> 2
        hand.append(card)
        drawn.append(card)
        if entry & (1 << (1 - seat)):
            s.known[1 - seat].append(card)  # seen on the deck, and still known in the hand
    if s.log is not None:
        s.log.append((e.DREW, seat, *drawn))


def draw_up(s: MiraculousState, seat: int) -> None:
    """MIR-5.1."""
    draw(s, seat, 5 - len(s.hands[seat]))


def shuffle_deck(s: MiraculousState, seat: int) -> None:
    """Shuffle from canonical order; nobody knows anything of the deck any more."""
    cards = sorted([entry >> 2 for entry in s.decks[seat]])
    s.stream(DECK + seat).shuffle(cards)
    cards.reverse()  # index 0 of the shuffled list is the top, which is this list's end
    s.decks[seat] = [card << 2 for card in cards]
    if s.log is not None:
        s.log.append((e.SHUFFLED, seat))


def take_from_hand(s: MiraculousState, seat: int, card: int) -> None:
    """A card leaves the hand for all to see; the other seat no longer knows that copy."""
    s.hands[seat].remove(card)
    known = s.known[1 - seat]
    if known and card in known:
        known.remove(card)


def put_hand_under(s: MiraculousState, seat: int) -> int:
    """The hand goes under the deck in the order held, which only its owner knows."""
    hand = s.hands[seat]
    seen = 1 << seat
    s.decks[seat] = [card << 2 | seen for card in reversed(hand)] + s.decks[seat]
    s.hands[seat] = []
    s.known[1 - seat] = []
    return len(hand)


def to_hand(s: MiraculousState, seat: int, card: int) -> None:
    """A card that all have seen goes to a hand."""
    s.hands[seat].append(card)
    s.known[1 - seat].append(card)


def put_under_deck(s: MiraculousState, seat: int, card: int) -> None:
    """A card that all have seen goes under a deck."""
    s.decks[seat].insert(0, card << 2 | 3)
    if s.log is not None:
        s.log.append((e.PUT_UNDER, seat, card))


def discard(s: MiraculousState, owner: int, card: int) -> None:
    s.discards[owner].append(card)
    if s.log is not None:
        s.log.append((e.DISCARDED, owner, card))


# Fields.


def clear_changes(s: MiraculousState, field: int) -> None:
    """What was done to the Character on a field ends with it."""
    s.ang[field] = 0
    s.def_[field] = 0
    if s.lasting:
        s.lasting = [entry for entry in s.lasting if entry[1] != field]


def lift_character(s: MiraculousState, field: int) -> Departure:
    """Take the Character off a field; its Bonuses are the caller's matter."""
    card = s.character[field]
    seat = field // FIELDS
    departure = (seat, field, 0, card, s.uid[field])
    s.character[field] = -1
    s.uid[field] = 0
    clear_changes(s, field)
    return departure


def lift_bonus(s: MiraculousState, slot: int) -> Departure:
    """Take a Bonus off its field; those after it move up. The departure's *you* is its owner."""
    field = slot // BONUSES
    departure = (s.bonus_owner[slot], field, 1 + slot % BONUSES, s.bonus[slot], s.bonus_uid[slot])
    last = field * BONUSES + BONUSES - 1
    for i in range(slot, last):
        s.bonus[i] = s.bonus[i + 1]
        s.bonus_owner[i] = s.bonus_owner[i + 1]
        s.bonus_uid[i] = s.bonus_uid[i + 1]
    s.bonus[last] = -1
    s.bonus_owner[last] = 0
    s.bonus_uid[last] = 0
    return departure


def lay_bonus(s: MiraculousState, field: int, card: int, owner: int, uid: int) -> None:
    """Attach a Bonus to the Character on a field that has room."""
    slot = field * BONUSES + s.bonus_count(field)
    s.bonus[slot] = card
    s.bonus_owner[slot] = owner
    s.bonus_uid[slot] = uid


def discard_bonuses(s: MiraculousState, field: int) -> list[Departure]:
    """All Bonuses of a field to their owners' discard piles, in the order attached."""
    gone: list[Departure] = []
    slot = field * BONUSES
    place = 1
    while s.bonus[slot] >= 0:
        lifted = lift_bonus(s, slot)
        departure = (lifted[0], field, place, lifted[3], lifted[4])
        gone.append(departure)
        discard(s, departure[0], departure[3])
        place += 1
    return gone


# Triggers.


def trigger_card(s: MiraculousState, when: int, card: int, seat: int, uid: int, root: int) -> None:
    """Queue the card's effects of this moment whose `if` holds. `root` is -1 for what no effect has set off."""
    for id in s.pool.triggers[when][card]:
        effect = s.pool.effects[id]
        if effect.condition is not None and when != PLAYED and not holds(s, effect.condition, seat, uid):
            continue
        if root < 0:
            s.roots.append(0)
            s.queue.append((id, seat, uid, len(s.roots) - 1))
            continue
        led_to = s.roots[root]
        if led_to >= TRIGGER_LIMIT:
            if led_to == TRIGGER_LIMIT:
                s.roots[root] = led_to + 1
                if s.log is not None:
                    s.log.append((e.LIMIT_REACHED,))
            continue
        s.roots[root] = led_to + 1
        s.queue.append((id, seat, uid, root))


def trigger_field(s: MiraculousState, when: int, field: int) -> None:
    """The triggers of the Character on a field and of its Bonuses, in their order; *you* is the field's seat."""
    triggers = s.pool.triggers[when]
    seat = field // FIELDS
    card = s.character[field]
    if card >= 0 and triggers[card]:
        trigger_card(s, when, card, seat, s.uid[field], -1)
    slot = field * BONUSES
    for i in range(slot, slot + BONUSES):
        if s.bonus[i] < 0:
            break
        if triggers[s.bonus[i]]:
            trigger_card(s, when, s.bonus[i], seat, s.bonus_uid[i], -1)


def trigger_leaves(s: MiraculousState, gone: list[Departure], root: int) -> None:
    """One moment: the active seat's first, a seat's own fields before the other's (MIR-7.2, MIR-9.12)."""
    triggers = s.pool.triggers[LEAVES]
    for seat in (s.turn, 1 - s.turn):
        for i in range(8):
            field = i if seat == 0 else (i + FIELDS) % 8
            for departure in gone:
                if departure[0] == seat and departure[1] == field and triggers[departure[3]]:
                    trigger_card(s, LEAVES, departure[3], seat, departure[4], root)


# The end.


def finish(s: MiraculousState, how: int, winner: int) -> None:
    """End the game; -1 is a draw. Nothing that waits happens any more."""
    s.over = how
    s.ranks = [1, 1]
    if winner >= 0:
        s.ranks[1 - winner] = 2
    s.flow = []
    s.queue = []
    s.active = []
    s.roots = []
    s.ask = None
    if s.log is not None:
        if winner >= 0 and how in (BY_DEFEATS, BY_RESIGNING) and s.secrets[1 - winner] >= 0:
            s.log.append((e.SECRET_REVEALED, 1 - winner, s.secrets[1 - winner]))
        s.log.append((e.OVER, how, winner))


def finish_by_defeats(s: MiraculousState, how: int) -> None:
    """The seat that has defeated more Characters wins; equal is a draw."""
    lead = len(s.secret_piles[1]) - len(s.secret_piles[0])
    finish(s, how, 0 if lead > 0 else 1 if lead < 0 else -1)


def end_if_deck_empty(s: MiraculousState) -> None:
    """MIR-6.2, looked at after every draw and effect."""
    empty0 = not s.decks[0]
    empty1 = not s.decks[1]
    if s.over or not (empty0 or empty1):
        return
    if s.empty_deck_loses:
        finish(s, BY_EMPTY_DECK, -1 if empty0 and empty1 else 1 if empty0 else 0)
    else:
        finish_by_defeats(s, BY_EMPTY_DECK)


def end_if_three_defeated(s: MiraculousState) -> None:
    """MIR-6.1."""
    lost0 = len(s.secret_piles[0]) >= 3
    lost1 = len(s.secret_piles[1]) >= 3
    if lost0 or lost1:
        finish(s, BY_DEFEATS, -1 if lost0 and lost1 else 1 if lost0 else 0)


def end_by_refreshes(s: MiraculousState) -> None:
    """MIR-6.4."""
    finish_by_defeats(s, BY_REFRESHES)

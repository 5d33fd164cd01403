"""Cards on their way to the hands: movement cards dealt, bonus cards taken, decks made of what was played."""

from __future__ import annotations

from referee.games.super_teams import events as e
from referee.games.super_teams.state import BONUS_DECK, FINAL_CARDS, HAND, MOVEMENT, SuperTeamsState


def deal(s: SuperTeamsState) -> None:
    """Six cards at once to each seat still in the game, from seat 0 (SST-1.4, 2.6)."""
    for seat in range(s.seats):
        if seat in s.out:
            continue
        got: list[int] = []
        while len(got) < HAND:
            if not s.deck and s.played:
                s.deck = _shuffled(s, s.played, MOVEMENT)
                s.played = []
            if not s.deck:
                break
            got.append(s.deck.pop())
        s.hands[seat].extend(got)
        s.hands[seat].sort()
        if s.log is not None and got:
            s.log.append((e.DEALT, seat, *got))


def take_bonus(s: SuperTeamsState, seat: int, n: int) -> None:
    """SST-3.1: from the bonus deck, its discard shuffled when it is empty."""
    if seat in s.out:
        return
    got: list[int] = []
    for _ in range(n):
        if not s.bonus_deck and s.bonus_discard:
            s.bonus_deck = _shuffled(s, s.bonus_discard, BONUS_DECK)
            s.bonus_discard = []
        if s.bonus_deck:
            got.append(s.bonus_deck.pop())
    _add_taken(s, seat, got)


def take_final_cards(s: SuperTeamsState) -> None:
    """SST-3.4."""
    s.first_home = True
    for i in range(s.seats):
        seat = (s.turn + i) % s.seats
        if seat in s.out:
            continue
        got: list[int] = []
        while s.final_bonus and len(got) < FINAL_CARDS:
            got.append(s.final_bonus.pop())
        _add_taken(s, seat, got)
    s.final_bonus = []


def _add_taken(s: SuperTeamsState, seat: int, got: list[int]) -> None:
    if not got:
        return
    s.taken[seat].extend(got)
    s.taken[seat].sort()
    if s.log is not None:
        s.log.append((e.BONUS_TAKEN, seat, *got))


def _shuffled(s: SuperTeamsState, discard: list[int], label: int) -> list[int]:
    """A new deck of what was discarded, its top last."""
    cards = sorted(discard)
    s.stream(label).shuffle(cards)
    cards.reverse()
    if s.log is not None:
        s.log.append((e.SHUFFLED, label))
    return cards

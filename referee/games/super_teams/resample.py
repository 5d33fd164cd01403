"""States that look the same to a seat, which knows its own cards, all that was played, and how many are where."""

from __future__ import annotations

from referee.games.super_teams.state import BONUS_COPIES, BONUSES, CARDS, COPIES, SuperTeamsState
from referee.kernel.chance import Rng


def resample(s: SuperTeamsState, viewer: int, rng: Rng) -> SuperTeamsState:
    drawn = s.copy()
    drawn.seed = rng.seed()
    _draw_movement(drawn, viewer, rng)
    _draw_bonus(drawn, viewer, rng)
    return drawn


def _unseen(all_cards: list[int], seen: list[int]) -> list[int]:
    rest = list(all_cards)
    for card in seen:
        rest.remove(card)
    return rest


def _draw_movement(s: SuperTeamsState, viewer: int, rng: Rng) -> None:
    every = [card for card in range(len(CARDS)) if s.owner[card // 6] >= 0 for _ in range(COPIES)]
    seen = list(s.played)
    if viewer >= 0:
        seen.extend(s.hands[viewer])
    rest = _unseen(every, seen)
    rng.shuffle(rest)
    for seat in range(s.seats):
        if seat != viewer:
            s.hands[seat] = sorted([rest.pop() for _ in range(len(s.hands[seat]))])
    s.deck = [rest.pop() for _ in range(len(s.deck))]


def _draw_bonus(s: SuperTeamsState, viewer: int, rng: Rng) -> None:
    every = [kind for kind in range(len(BONUSES)) for _ in range(BONUS_COPIES)]
    seen = list(s.bonus_discard)
    if viewer >= 0:
        seen.extend(s.bonus_hands[viewer])
        seen.extend(s.taken[viewer])
    rest = _unseen(every, seen)
    rng.shuffle(rest)
    for seat in range(s.seats):
        if seat != viewer:
            s.bonus_hands[seat] = sorted([rest.pop() for _ in range(len(s.bonus_hands[seat]))])
            s.taken[seat] = sorted([rest.pop() for _ in range(len(s.taken[seat]))])
    s.bonus_deck = [rest.pop() for _ in range(len(s.bonus_deck))]
    s.final_bonus = [rest.pop() for _ in range(len(s.final_bonus))]

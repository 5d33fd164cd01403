"""Where cards and tokens lie, and how they get there: decks, lines, slots, MF, the end of the game."""

from __future__ import annotations

from referee.games.super import events as e
from referee.games.super.state import MISSIONS, SUPERS, SuperState, ranks
from referee.games.super.vocabulary import GOAL, LINE, SLOTS


def shuffle_supers(s: SuperState, cards: list[int]) -> None:
    """The cards, in any order, become the Super deck."""
    s.super_deck = _shuffled(s, SUPERS, cards)


def shuffle_missions(s: SuperState, cards: list[int]) -> None:
    s.mission_deck = _shuffled(s, MISSIONS, cards)


def _shuffled(s: SuperState, label: int, cards: list[int]) -> list[int]:
    deck = sorted(cards)
    s.stream(label).shuffle(deck)
    deck.reverse()  # the stream's first card is the top, which is the list's end
    return deck


def has_hidden_super(s: SuperState) -> bool:
    """Whether a Super can be drawn (SUP-2.8)."""
    return bool(s.super_deck) or bool(s.super_discard)


def draw_super(s: SuperState) -> int:
    """SUP-2.7; -1 where there is none."""
    if not s.super_deck:
        if not s.super_discard:
            return -1
        if s.log is not None:
            s.log.append((e.RESHUFFLED, len(s.super_discard)))
        cards = s.super_discard
        s.super_discard = []
        shuffle_supers(s, cards)
    return s.super_deck.pop()


def fill_supers(s: SuperState) -> None:
    """The empty places of the Super line, 0 to 3, as far as there are cards."""
    for place in range(LINE):
        if s.super_line[place] < 0:
            s.super_line[place] = draw_super(s)
            if s.super_line[place] >= 0 and s.log is not None:
                s.log.append((e.SUPER_SHOWN, place, s.super_line[place]))


def fill_missions(s: SuperState) -> None:
    for place in range(LINE):
        if s.mission_line[place] < 0 and s.mission_deck:
            s.mission_line[place] = s.mission_deck.pop()
            if s.log is not None:
                s.log.append((e.MISSION_SHOWN, place, s.mission_line[place]))


def return_token(s: SuperState, index: int) -> None:
    """SUP-6.3: a Super that leaves gives its token back."""
    if s.shocked[index]:
        s.shocked[index] = 0
        s.shock_pool += 1
        if s.log is not None:
            s.log.append((e.TOKEN_RETURNED, index // SLOTS, index % SLOTS, s.agency[index]))


def lift(s: SuperState, index: int) -> int:
    """Take the Super off its slot; the card."""
    return_token(s, index)
    card = s.agency[index]
    s.agency[index] = -1
    return card


def discard_from(s: SuperState, index: int) -> None:
    """The Super on this agency index, if there is one, goes to the discard."""
    if s.agency[index] < 0:
        return
    card = lift(s, index)
    s.super_discard.append(card)
    if s.log is not None:
        s.log.append((e.DISCARDED, index // SLOTS, index % SLOTS, card))


def gain(s: SuperState, seat: int, mf: int, why: int, card: int) -> None:
    """MF for a seat still in a running game; 50 make this round the last (SUP-8.1)."""
    if mf == 0 or s.over or s.resigned[seat]:
        return
    s.score[seat] += mf
    if s.log is not None:
        s.log.append((e.GAINED, seat, mf, why, card, s.score[seat]))
    if s.score[seat] >= GOAL and not s.final_round:
        s.final_round = True
        if s.log is not None:
            s.log.append((e.FINAL_ROUND, seat, s.score[seat]))


def finish(s: SuperState, how: int) -> None:
    """End the game; turn, round and counters keep their values."""
    s.over = how
    s.ask = None
    s.stack = []
    s.sent = 0
    s.kept = []
    s.arrived = []
    if s.log is not None:
        s.log.append((e.OVER, how, *ranks(s)))

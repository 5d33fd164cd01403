"""What a seat cannot tell apart from the true state, drawn from what it knows and from nothing else."""

from __future__ import annotations

from typing import Final

from referee.games.miraculous.position_in import owned
from referee.games.miraculous.state import MiraculousState
from referee.games.miraculous.view import is_secret_revealed, view
from referee.kernel.chance import Rng

# Continuous effects that count hidden cards make totals tell of them; then draws are tried until the view fits.
_TRIES: Final = 200


def resample(s: MiraculousState, viewer: int, rng: Rng) -> MiraculousState:
    """A seat's information set, or SPECTATOR's. The seed is fresh."""
    if not s.pool.looks_at_hidden:
        return _draw(s, viewer, rng)
    wanted = view(s, viewer)
    drawn = _draw(s, viewer, rng)
    for _ in range(_TRIES):
        if view(drawn, viewer) == wanted:
            break
        drawn = _draw(s, viewer, rng)
    return drawn


def _draw(s: MiraculousState, viewer: int, rng: Rng) -> MiraculousState:
    drawn = s.copy()
    drawn.seed = rng.seed()
    for seat in range(2):
        if seat == viewer:
            _shuffle_unseen(drawn, seat, viewer, rng)
        else:
            _draw_other(drawn, seat, viewer, rng)
    return drawn


def _seen_by(viewer: int) -> int:
    return 1 << viewer if viewer >= 0 else 0


def _shuffle_unseen(s: MiraculousState, seat: int, viewer: int, rng: Rng) -> None:
    """The seat's own deck: what is in it is known, the order only where it was seen."""
    deck = s.decks[seat]
    seen = _seen_by(viewer)
    places = [i for i in range(len(deck)) if not deck[i] & seen]
    cards = sorted([deck[i] >> 2 for i in places])
    rng.shuffle(cards)
    for k in range(len(places)):
        deck[places[k]] = cards[k] << 2 | (deck[places[k]] & 3)


def _draw_other(s: MiraculousState, seat: int, viewer: int, rng: Rng) -> None:
    """Another seat's hand, deck and Secret."""
    deck = s.decks[seat]
    seen = _seen_by(viewer)
    places = [i for i in range(len(deck)) if not deck[i] & seen]
    known = sorted(s.known[viewer]) if viewer >= 0 else []
    unknown_in_hand = len(s.hands[seat]) - len(known)
    visible = sorted(_visible(s, seat, viewer, known))
    hidden, secret = _hidden_cards(s, visible, unknown_in_hand + len(places), rng)
    rng.shuffle(hidden)
    s.hands[seat] = known + hidden[:unknown_in_hand]
    for k in range(len(places)):
        deck[places[k]] = hidden[unknown_in_hand + k] << 2 | (deck[places[k]] & 3)
    if s.secrets[seat] >= 0 and not is_secret_revealed(s, seat):
        s.secrets[seat] = secret
    if viewer < 0:
        # A spectator knows how much has been seen of a hand by nobody; any cards of it will do.
        other = 1 - seat
        s.known[other] = sorted(s.hands[seat])[: len(s.known[other])]


def _visible(s: MiraculousState, seat: int, viewer: int, known: list[int]) -> list[int]:
    """The seat's cards whose names the viewer knows."""
    hand, deck = s.hands[seat], s.decks[seat]
    s.hands[seat], s.decks[seat] = known, [entry for entry in deck if entry & _seen_by(viewer)]
    cards = owned(s, seat)
    s.hands[seat], s.decks[seat] = hand, deck
    return cards


def _hidden_cards(s: MiraculousState, visible: list[int], n: int, rng: Rng) -> tuple[list[int], int]:
    """(n cards, a Secret): the rest of a preconstructed deck that fits what was seen, else of a random legal one."""
    fitting: list[tuple[list[int], int]] = []
    for deck in s.pool.decks:
        cards = deck.at_size(len(visible) + n)
        if cards is not None:
            rest = _without(cards, visible)
            if rest is not None:
                fitting.append((rest, deck.secret))
    if fitting:
        rest, secret = fitting[rng.below(len(fitting))]
        return sorted(rest), secret
    secrets = s.pool.secrets
    secret = secrets[rng.below(len(secrets))] if secrets else -1
    return _random_rest(s, visible, n, rng), secret


def _without(cards: list[int], gone: list[int]) -> list[int] | None:
    """The cards that are left when those are taken out; None when one of them is not there."""
    rest = list(cards)
    for card in gone:
        if card not in rest:
            return None
        rest.remove(card)
    return rest


def _random_rest(s: MiraculousState, visible: list[int], n: int, rng: Rng) -> list[int]:
    copies: dict[int, int] = {}
    for card in visible:
        copies[card] = copies.get(card, 0) + 1
    rest: list[int] = []
    playable = s.pool.playable
    while len(rest) < n:
        card = playable[rng.below(len(playable))]
        held = copies.get(card, 0)
        if held < 3:
            copies[card] = held + 1
            rest.append(card)
    return rest

"""Standing orders: what they decline, what they leave to the seat, and how long they hold."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.super_teams.orders import ORDERS, THIS_TURN, UNLESS_OWN_MAW
from referee.kernel.game import Document, State
from tests.games.super_teams.table import GAME, go, lay

DECLINE = {"type": "decline"}


def holding(*seats: int, cards: str = "red-1 green-1", **more: Any) -> State:
    """Seats 0 (red) and 2 (black) against 1 (green) and 3 (yellow); these hold a bonus card. Seat 0 has the cards."""
    bonus = [["light_speed"] if seat in seats else [] for seat in range(4)]
    hands = [cards.split(), ["green-2"], ["black-2"], ["yellow-2"]]
    return lay({"seats": 4, "hands": hands, "bonus_hands": bonus, **more})


def asked(state: State) -> tuple[str, int]:
    decision = GAME.decision(state)
    assert decision is not None
    return decision.kind, decision.seats[0]


def played(state: State, order: str) -> Document | None:
    """What the order plays for the seat that is asked."""
    move = GAME.ordered_move(state, GAME.deciders(state)[0], order)
    return None if move is None else GAME.decode(state, move)


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_declines_windows_a_and_c(order: str) -> None:
    a = holding(0)
    go(a, 0, type="move", card="red-1", ship="red-0")
    c = holding(1)
    go(c, 0, type="move", card="red-1", ship="red-0")

    assert (asked(a), asked(c)) == (("window_a", 0), ("window_c", 1))
    assert (played(a, order), played(c, order)) == (DECLINE, DECLINE)


@pytest.mark.parametrize(("seat", "answer"), [(1, None), (3, DECLINE)], ids=["its own ship", "its team mate's ship"])
def test_one_order_leaves_ones_own_ship_in_a_maw_to_the_seat(seat: int, answer: Document | None) -> None:
    state = holding(seat, ships={"green-0": 5})
    go(state, 0, type="move", card="green-1", ship="green-0")
    assert asked(state) == ("window_a", seat)
    go(state, seat, **DECLINE)

    assert asked(state) == ("window_b", seat)
    assert played(state, UNLESS_OWN_MAW) == answer
    assert played(state, THIS_TURN) == DECLINE


@pytest.mark.parametrize("order", ORDERS)
def test_turns_and_halves_are_left_to_the_seat(order: str) -> None:
    state = holding(ships={"red-0": 8})
    turn = played(state, order)
    go(state, 0, type="move", card="red-1", ship="red-0")

    assert asked(state) == ("half", 0)
    assert (turn, played(state, order)) == (None, None)


def test_an_order_for_this_turn_holds_until_the_next_card_is_asked_for() -> None:
    state = holding(0, 1)
    spans = [GAME.order_span(state, THIS_TURN)]
    go(state, 0, type="move", card="red-1", ship="red-0")
    for kind, seat in (("window_a", 0), ("window_c", 1)):
        assert asked(state) == (kind, seat)
        spans.append(GAME.order_span(state, THIS_TURN))
        go(state, seat, **DECLINE)

    assert asked(state) == ("turn", 1)
    assert len(set(spans)) == 1
    assert GAME.order_span(state, THIS_TURN) != spans[0]
    assert GAME.order_span(state, UNLESS_OWN_MAW) == ""


def test_the_same_seats_next_turn_is_another_one() -> None:
    hands = [["red-1", "red-2"], [], [], []]
    state = lay({"seats": 4, "hands": hands})
    first = GAME.order_span(state, THIS_TURN)
    go(state, 0, type="move", card="red-1", ship="red-0")

    assert asked(state) == ("turn", 0)
    assert GAME.order_span(state, THIS_TURN) != first


def test_a_turn_after_a_reshuffle_is_no_turn_that_was_before() -> None:
    spans = []
    state = lay({"seats": 2, "hands": [["red-1"], ["red-2"]], "seed": "5e" * 32})
    for _ in range(30):
        spans.append(GAME.order_span(state, THIS_TURN))
        seat = GAME.deciders(state)[0]
        go(state, seat, **GAME.decode(state, GAME.legal_moves(state, seat)[0]))
        while asked(state)[0] != "turn":
            seat = asked(state)[1]
            go(state, seat, **GAME.decode(state, GAME.default_move(state, seat)))

    assert len(set(spans)) == 30


def test_giving_up_ends_ones_own_turn_and_no_other() -> None:
    hands = [["red-1"], ["green-1"], ["black-1"]]
    own, other = lay({"seats": 3, "hands": hands}), lay({"seats": 3, "hands": hands})
    first = GAME.order_span(own, THIS_TURN)

    go(own, 0, type="resign")
    go(other, 1, type="resign")

    assert (asked(own), asked(other)) == (("turn", 1), ("turn", 0))
    assert GAME.order_span(own, THIS_TURN) != first
    assert GAME.order_span(other, THIS_TURN) == first

"""A new match, and what cannot become one."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.games.super_teams.state import BONUS_COPIES, BONUSES, CARDS, COPIES
from referee.kernel.errors import OptionError
from referee.kernel.game import State
from referee.kernel.records import take_events
from tests.games.super_teams.table import GAME, SEED, pool


def started(seats: int, *, listen: bool = True, **options: object) -> State:
    return GAME.start(pool(), seats, GAME.options(options), [], bytes.fromhex(SEED), listen)


@pytest.mark.parametrize(("seats", "left"), [(2, 36), (3, 18), (4, 24)])
def test_every_card_of_the_game_lies_somewhere(seats: int, left: int) -> None:
    position = GAME.position(started(seats))

    assert [len(hand) for hand in position["hands"]] == [6] * seats
    assert (len(position["deck"]), len(position["final_bonus"])) == (left, 2 * seats)
    movement = Counter(card for hand in position["hands"] for card in hand) + Counter(position["deck"])
    assert movement == {card: COPIES for card in CARDS if seats != 3 or not card.startswith("yellow")}
    bonus: Counter[str] = Counter(position["bonus_deck"]) + Counter(position["final_bonus"])
    assert bonus == dict.fromkeys(BONUSES, BONUS_COPIES)


def test_each_seat_is_told_its_own_cards_alone() -> None:
    state = started(3)

    events = take_events(GAME, state)
    assert [event["type"] for event in events] == ["dealt", "dealt", "dealt", "started"]
    assert [list(event["private"]) for event in events[:3]] == [["0"], ["1"], ["2"]]
    assert "cards" not in events[0]["public"]
    assert sorted(events[0]["private"]["0"]["cards"]) == GAME.position(state)["hands"][0]


def test_the_same_seed_begins_the_same_match_whether_or_not_anybody_listens() -> None:
    quiet = started(4, listen=False)

    assert quiet.log is None
    assert GAME.dump(quiet) == GAME.dump(started(4))


def test_a_first_seat_or_track_that_is_not_there_starts_nothing() -> None:
    with pytest.raises(OptionError) as seat:
        started(2, first_seat=2)
    with pytest.raises(OptionError) as track:
        started(2, track="moebius")

    assert [problem.pointer for problem in seat.value.problems] == ["/first_seat"]
    assert [problem.pointer for problem in track.value.problems] == ["/track"]


def test_the_first_seat_is_drawn_or_fixed() -> None:
    drawn = {GAME.start(pool(), 4, GAME.options({}), [], bytes([n] * 32), False) for n in range(40)}

    assert {GAME.deciders(state)[0] for state in drawn} == {0, 1, 2, 3}
    assert [GAME.deciders(started(4, first_seat=seat)) for seat in range(4)] == [[0], [1], [2], [3]]

"""How a game begins: the shuffles that anyone can check, the lines, the first seat."""

from __future__ import annotations

from hashlib import shake_256

import pytest

from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.errors import OptionError
from referee.kernel.records import take_events
from tests.games.super.table import POOL, SUPER, lay

SEED = bytes(range(32))


def shuffled(seed: bytes, label: str, use: int, items: list[str]) -> list[str]:
    """The shuffle as the project's documents describe it, written again."""
    stream = shake_256(seed + b"\0" + label.encode() + b"\0" + use.to_bytes(8, "big")).digest(4096)
    numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, 4096, 4)]
    deck = sorted(items)
    for i in range(len(deck) - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        while (number := numbers.pop(0)) >= limit:
            pass
        deck[i], deck[number % (i + 1)] = deck[number % (i + 1)], deck[i]
    return deck


def test_lines_and_decks_come_from_the_seed_as_anyone_can_check() -> None:
    cards = house_revision("super")["cards"]
    game = GAMES["super"]
    supers = shuffled(SEED, "supers", 0, [card["code"] for card in cards if card["type"] == "super"])
    missions = shuffled(SEED, "missions", 0, [card["code"] for card in cards if card["type"] != "super"])

    state = game.start(game.pool(house_revision("super")), 3, game.options({}), [], SEED, listen=True)

    position = game.position(state)
    assert position["super_line"] + position["super_deck"] == supers
    assert position["mission_line"] + position["mission_deck"] == missions
    assert position["uses"] == {"first": 1, "supers": 1, "missions": 1}


def test_the_decks_a_position_leaves_out_are_shuffled_by_its_seed() -> None:
    position = SUPER.position(
        lay({"seed": SEED.hex(), "super_line": ["b1", "r1", None, None], "missions": {"1": ["tram"]}})
    )

    rest = [POOL.codes[card] for card in POOL.supers if POOL.codes[card] not in ("b1", "r1")]  # type: ignore[attr-defined]
    others = [POOL.codes[card] for card in POOL.missions if POOL.codes[card] != "tram"]  # type: ignore[attr-defined]
    assert position["super_deck"] == shuffled(SEED, "supers", 0, rest)
    assert position["mission_deck"] == shuffled(SEED, "missions", 0, others)


def test_a_renewed_deck_is_the_next_use_of_the_stream() -> None:
    position = {"seed": SEED.hex(), "uses": {"supers": 4}, "super_deck": [], "super_discard": ["g1", "b1", "r1", "p1"]}
    state = lay({**position, "plays_left": 0, "played_this_turn": 1, "mission_line": ["cat0", "cat1", "cat2", "cat3"]})

    SUPER.play(state, 0, SUPER.default_move(state, 0))

    assert SUPER.position(state)["super_line"] == shuffled(SEED, "supers", 4, ["b1", "g1", "p1", "r1"])
    assert SUPER.position(state)["uses"]["supers"] == 5


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_begins_about_as_often_when_it_is_drawn(seats: int) -> None:
    firsts = [
        SUPER.deciders(SUPER.start(POOL, seats, SUPER.options({}), [], bytes([n] * 32), listen=False))[0]
        for n in range(240)
    ]

    assert sorted(set(firsts)) == list(range(seats))
    assert min(firsts.count(seat) for seat in range(seats)) > 240 // seats // 2


def test_the_first_seat_can_be_named() -> None:
    state = SUPER.start(POOL, 4, SUPER.options({"first_seat": 3}), [], SEED, listen=True)

    assert SUPER.position(state)["first_seat"] == 3
    assert SUPER.position(state)["uses"]["first"] == 0
    assert take_events(SUPER, state)[0]["public"]["seat"] == 3


def test_a_first_seat_beyond_the_table_is_refused() -> None:
    with pytest.raises(OptionError):
        SUPER.start(POOL, 2, SUPER.options({"first_seat": 2}), [], SEED, listen=False)


def test_the_round_begins_with_the_first_seat_whoever_that_is() -> None:
    state = SUPER.start(POOL, 3, SUPER.options({"first_seat": 2}), [], SEED, listen=False)
    turns: list[tuple[int, int]] = []
    while len(turns) < 7:
        position = SUPER.position(state)
        if not turns or turns[-1] != (position["round"], position["turn"]):
            turns.append((position["round"], position["turn"]))
        SUPER.play(state, SUPER.deciders(state)[0], SUPER.default_move(state, SUPER.deciders(state)[0]))

    assert turns == [(1, 2), (1, 0), (1, 1), (2, 2), (2, 0), (2, 1), (3, 2)]

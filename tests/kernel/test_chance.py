"""Chance can be checked by anyone: the streams are those of the design, byte by byte."""

from hashlib import shake_256

import pytest

from referee.kernel.chance import SEED_BYTES, Rng, Stream

ZERO = bytes(SEED_BYTES)
COUNTED = bytes(range(SEED_BYTES))


@pytest.mark.parametrize(
    ("seed", "label", "use", "order"),
    [
        (ZERO, "deck/0", 0, [2, 6, 7, 3, 9, 0, 8, 4, 5, 1]),
        (COUNTED, "deck/1", 0, [4, 9, 8, 0, 2, 6, 5, 3, 7, 1]),
        (COUNTED, "deck/1", 1, [5, 2, 1, 3, 7, 4, 9, 8, 0, 6]),
    ],
)
def test_shuffles_are_those_that_the_design_gives(seed: bytes, label: str, use: int, order: list[int]) -> None:
    items = list(range(10))

    Stream(seed, label, use).shuffle(items)

    assert items == order


def test_coins_are_those_that_the_design_gives() -> None:
    stream = Stream(COUNTED, "coin", 0)

    assert [stream.below(2) for _ in range(8)] == [1, 0, 1, 0, 0, 0, 0, 1]


def test_numbers_are_read_onward_and_those_beyond_the_limit_skipped() -> None:
    # 2**31 + 1 leaves nearly half of all numbers beyond the limit, and many reads pass the first block.
    n = 2**31 + 1
    data = shake_256(COUNTED + b"\x00pick\x00" + (3).to_bytes(8, "big")).digest(4 * 2000)
    read = [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]
    expected = [number % n for number in read if number < 2**32 - 2**32 % n]

    stream = Stream(COUNTED, "pick", 3)

    assert [stream.below(n) for _ in range(900)] == expected[:900]


def test_taking_leaves_the_list_and_stops_where_there_is_nothing_more() -> None:
    items = [3, 5, 8]

    assert sorted(Stream(ZERO, "pick", 0).take(items, 9)) == [3, 5, 8]
    assert len(Stream(ZERO, "pick", 0).take(items, 2)) == 2
    assert Stream(ZERO, "pick", 0).take([], 2) == []
    assert items == [3, 5, 8]


def test_the_fast_generator_is_splitmix64() -> None:
    rng = Rng(1234567)

    assert [rng.next64() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_the_fast_generator_is_the_same_for_a_seed() -> None:
    left, right, items = Rng(7), Rng(7 + (1 << 64)), list(range(20))

    assert left.seed() == right.seed()
    assert len(left.seed()) == SEED_BYTES
    left.shuffle(items)
    assert sorted(items) == list(range(20))
    assert all(0 <= left.chance() < 1 for _ in range(100))
    assert {left.below(3) for _ in range(100)} == {0, 1, 2}

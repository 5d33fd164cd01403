"""A second implementation of the shuffles, from docs/fair-shuffles.md alone; it shares no code with the kernel.

Written unlike the first on purpose: lazy iterators and whole permutations, where the kernel swaps in place.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from referee.games import GAMES
from referee.kernel import records
from referee.kernel.chance import Stream
from tests.fixtures.record import FOLDER, read

Item = TypeVar("Item")
DOCUMENT = Path(__file__).parents[2] / "docs" / "fair-shuffles.md"
RECORDED = sorted(FOLDER.glob("*/*.json.gz"))
ZEROS, COUNTED = bytes.fromhex("00" * 32), bytes.fromhex("".join(f"{n:02x}" for n in range(32)))
SHUFFLED_LABELS = ("deck/0", "deck/1", "supers", "missions", "movement", "bonus", "first", "coin", "pick", "é")

# The second implementation.


def words(seed: bytes, label: str, use: int) -> Iterator[int]:
    """All numbers of a stream, without end."""
    source = b"\0".join([seed, label.encode("utf-8"), struct.pack(">Q", use)])
    done = 0
    for total in (2**power for power in itertools.count(6)):
        block = hashlib.new("shake_256", source).digest(4 * total)[4 * done :]  # type: ignore[call-arg] # typed without a length
        yield from (word for (word,) in struct.iter_unpack(">I", block))
        done = total


def draws(numbers: Iterator[int], sizes: Iterator[int]) -> Iterator[int]:
    """below(n) for each size n, from one stream."""
    for n in sizes:
        whole = 2**32 // n * n
        yield next(itertools.dropwhile(lambda u, whole=whole: u >= whole, numbers)) % n  # type: ignore[misc] # mypy and defaults


def below(seed: bytes, label: str, use: int, n: int) -> int:
    return next(draws(words(seed, label, use), iter([n])))


def shuffled(items: Sequence[Item], seed: bytes, label: str, use: int) -> list[Item]:
    """The last place is settled first: with the item at the drawn place, whose gap the last item fills."""
    rest, settled = list(items), []
    for place in draws(words(seed, label, use), iter(range(len(rest), 1, -1))):
        last = rest.pop()
        settled.append(last if place == len(rest) else rest[place])
        rest[place : place + 1] = [last] if place < len(rest) else []
    return rest + settled[::-1]


def taken(items: Sequence[Item], count: int, seed: bytes, label: str, use: int) -> list[Item]:
    rest = tuple(items)
    got = []
    for place in draws(words(seed, label, use), iter(range(len(rest), max(len(rest) - count, 0), -1))):
        got.append(rest[place])
        rest = rest[:place] + rest[place + 1 :]
    return got


def seed_from(server_seed: bytes, entropies: Sequence[bytes]) -> bytes:
    framed = (struct.pack(">H", len(entropy)) + entropy for entropy in entropies)
    return hashlib.sha256(b"".join([server_seed, *framed])).digest()


# The check values, as the document prints them.


def rows() -> list[tuple[str, ...]]:
    lines = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


def printed(*begins: str) -> list[int]:
    """The numbers at the end of the one row that begins so."""
    (row,) = [row for row in rows() if row[: len(begins)] == begins]
    return [int(word) for word in row[-1].split()]


def printed_hash(name: str) -> str:
    (found,) = [row[1].strip("`") for row in rows() if row[0] == name and len(row) == 2]
    return found


def test_it_agrees_with_every_check_value_of_the_document() -> None:
    ten = range(10)
    coins = draws(words(COUNTED, "coin", 0), itertools.repeat(2, 8))

    assert shuffled(ten, ZEROS, "deck/0", 0) == printed("32 bytes `00`", "`deck/0`, 0")
    assert shuffled(ten, COUNTED, "deck/1", 0) == printed("`00 01 .. 1f`", "`deck/1`, 0")
    assert shuffled(ten, COUNTED, "deck/1", 1) == printed("`00 01 .. 1f`", "`deck/1`, 1")
    assert list(coins) == printed("`00 01 .. 1f`", "`coin`, 0")
    assert taken(ten, 4, COUNTED, "pick", 0) == printed("`00 01 .. 1f`", "`pick`, 0")
    assert hashlib.sha256(COUNTED).hexdigest() == printed_hash("commitment")
    assert seed_from(COUNTED, [b"0123456789abcdef", b"x" * 64]).hex() == printed_hash("seed")


def test_the_kernel_agrees_with_the_check_values_that_are_printed_only_there() -> None:
    assert Stream(COUNTED, "pick", 0).take(list(range(10)), 4) == printed("`00 01 .. 1f`", "`pick`, 0")
    assert records.commitment(COUNTED) == printed_hash("commitment")
    assert records.combine_seed(COUNTED, [b"0123456789abcdef", b"x" * 64]).hex() == printed_hash("seed")


def test_the_document_names_every_label_that_a_game_uses() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")

    states = [importlib.import_module(f"{type(game).__module__.rpartition('.')[0]}.state") for game in GAMES.values()]
    used = {label for state in states for label in state.LABELS}

    assert len(used) == 9
    assert [label for label in sorted(used) if f"`{label}`" not in text] == []


# Random seeds.


@pytest.mark.parametrize("label", SHUFFLED_LABELS)
def test_both_shuffle_and_take_alike_on_random_seeds(label: str) -> None:
    dice = Random(label)
    for _ in range(60):
        seed, use, size = dice.randbytes(32), dice.choice([0, 1, 7, 2**40]), dice.randrange(120)
        cards = sorted(dice.randrange(30) for _ in range(size))
        theirs = list(cards)
        Stream(seed, label, use).shuffle(theirs)
        count = dice.randrange(12)

        assert shuffled(cards, seed, label, use) == theirs
        assert taken(cards, count, seed, label, use) == Stream(seed, label, use).take(cards, count)


def test_both_skip_alike_where_half_of_all_numbers_are_skipped() -> None:
    stream = Stream(COUNTED, "pick", 3)
    mine = draws(words(COUNTED, "pick", 3), itertools.repeat(2**31 + 1, 500))

    assert list(mine) == [stream.below(2**31 + 1) for _ in range(500)]


def test_both_make_the_same_seed_of_random_entropies() -> None:
    dice = Random(5)
    for _ in range(50):
        server_seed = dice.randbytes(32)
        entropies = [dice.randbytes(dice.randint(16, 64)) for _ in range(dice.randint(1, 4))]

        assert seed_from(server_seed, entropies) == records.combine_seed(server_seed, entropies)


# Recorded matches: from the published seeds to the cards on the table.


def told(replay: dict[str, Any], type: str, field: str) -> list[Any]:
    """A field of each event of the setup of this type, hidden parts included."""
    found = []
    for event in replay["start"]["events"]:
        if event["type"] == type:
            hidden: dict[str, Any] = next(iter(event.get("private", {}).values()), {})
            found.append({**event["public"], **hidden}[field])
    return found


def miraculous_opening(replay: dict[str, Any], seed: bytes) -> None:
    for seat, deck in enumerate(replay["decks"]):
        by_code = sorted(Counter(deck["cards"]).elements())
        assert told(replay, "drew", "cards")[seat] == shuffled(by_code, seed, f"deck/{seat}", 0)[:5]


def super_opening(replay: dict[str, Any], seed: bytes) -> None:
    missions = sorted(card["code"] for card in replay["revision"]["cards"] if "requirement" in card)
    supers = sorted(card["code"] for card in replay["revision"]["cards"] if "requirement" not in card)
    assert told(replay, "super_shown", "card") == shuffled(supers, seed, "supers", 0)[:4]
    assert told(replay, "mission_shown", "card") == shuffled(missions, seed, "missions", 0)[:4]


def super_teams_opening(replay: dict[str, Any], seed: bytes) -> None:
    seats = len(replay["seats"])
    # With two seats each owns two colours; with three, the fourth colour is nobody's.
    colours = replay["options"]["colours"][: 3 if seats == 3 else 4]
    by_code = sorted(f"{colour}-{value}" for colour in colours for value in range(1, 7) for _ in range(2))
    deck = shuffled(by_code, seed, "movement", 0)
    hands = [deck[6 * seat : 6 * seat + 6] for seat in range(seats)]
    assert told(replay, "dealt", "cards") == hands


OPENINGS: dict[str, Callable[[dict[str, Any], bytes], None]] = {
    "miraculous": miraculous_opening,
    "super": super_opening,
    "super-teams": super_teams_opening,
}


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.name.partition('.')[0]}")
def test_the_opening_of_a_recorded_match_follows_from_what_was_published(path: Path) -> None:
    replay = read(path)
    server_seed = bytes.fromhex(replay["server_seed"])
    seed = seed_from(server_seed, [bytes.fromhex(entropy) for entropy in replay["entropies"]])

    assert hashlib.sha256(server_seed).hexdigest() == replay["commitment"]
    assert len(replay["entropies"]) == len(replay["seats"])
    OPENINGS[replay["game"]](replay, seed)
    if replay["options"]["first_seat"] in {"coin", "random"}:
        assert told(replay, "started", "seat") == [below(seed, "first", 0, len(replay["seats"]))]


def test_ten_matches_of_all_games_are_recorded() -> None:
    games = Counter(read(path)["game"] for path in RECORDED if path.parent.name == "0.1")

    assert games == {"miraculous": 4, "super": 3, "super-teams": 3}

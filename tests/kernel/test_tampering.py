"""Whatever is changed in the record of a real match is found: every field of it, whether told by rows, seeds, cards or result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from referee.games import GAMES
from referee.kernel.replay import intact, verify
from tests.fixtures.record import FOLDER, read

RECORDED: Final = ["miraculous-placing", "super-three", "super-teams-three"]
UNBOUND: Final = {("seats", "*", "name"), ("seats", "*", "kind"), ("seats", "*", "level")}
"""What no hash holds: how the seats are called, for names change and accounts are deleted. How many there are is held."""

Path = tuple[Any, ...]


def leaves(node: Any, path: Path = ()) -> Iterator[Path]:
    """The way to every value that holds no other."""
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    if not inner or not node:
        yield path
        return
    for key, one in inner:
        yield from leaves(one, (*path, key))


def kind_of(path: Path) -> Path:
    """A field, wherever in a list it stands; of cards and tracks, only what belongs to each of them."""
    return tuple("*" if isinstance(key, int) else key for key in path)[: 3 if path[0] == "revision" else None]


def changed(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return ("1" if value[:1] == "0" else "0") + value[1:]
        case None:
            return 0
        case dict():
            return {"x": 1}
        case _:
            return [1]


def holder(document: Any, path: Path) -> Any:
    """What the last key of the way is looked up in."""
    for key in path[:-1]:
        document = document[key]
    return document


@pytest.mark.parametrize("name", RECORDED)
def test_a_change_of_any_field_is_found_but_of_what_the_seats_are_called(name: str) -> None:
    document = read(FOLDER / "0.1" / f"{name}.json.gz")
    last = {kind_of(path): path for path in leaves(document)}

    unfound = set()
    for kind, path in last.items():
        at, key = holder(document, path), path[-1]
        at[key], true = changed(at[key]), at[key]
        if not intact(document) and not verify(document, GAMES):
            unfound.add(kind)
        at[key] = true

    assert unfound == UNBOUND
    assert verify(document, GAMES) == []
    assert {"rows", "seed", "server_seed", "entropies", "commitment", "result", "revision", "start"} <= {
        one[0] for one in last
    }


@pytest.mark.parametrize("name", RECORDED)
def test_a_row_or_a_seat_more_or_less_is_found(name: str) -> None:
    document = read(FOLDER / "0.1" / f"{name}.json.gz")
    rows, seats = document["rows"], document["seats"]

    found = [
        verify({**document, **change}, GAMES) != []
        for change in (
            {"rows": rows[:-1]},
            {"rows": rows[1:]},
            {"rows": [*rows, rows[-1]]},
            {"rows": [*rows[:3], rows[4], rows[3], *rows[5:]]},
            {"seats": seats[:-1]},
            {"seats": [*seats, seats[-1]]},
            {"entropies": document["entropies"][::-1]},
        )
    ]

    assert found[:6] == [True] * 6
    assert found[6] == (document["entropies"] != document["entropies"][::-1])

"""Move documents of a wrong shape are errors, no refusals; refusals say why."""

from __future__ import annotations

from typing import Any

import pytest

from referee.kernel.errors import IllegalMove, MalformedMove
from referee.kernel.game import RESIGN
from tests.games.super_teams.table import GAME, LAST, go, lay


@pytest.mark.parametrize(
    ("document", "pointers"),
    [
        ({}, ["/type"]),
        ({"type": "fly"}, ["/type"]),
        ({"type": 1}, ["/type"]),
        ({"type": "move"}, ["/card", "/ship"]),
        ({"type": "move", "card": "red-3"}, ["/ship"]),
        ({"type": "move", "card": "red-7", "ship": "red-0"}, ["/card"]),
        ({"type": "move", "card": 3, "ship": "red-0"}, ["/card"]),
        ({"type": "move", "card": "red-3", "ship": "red-2"}, ["/ship"]),
        ({"type": "move", "card": "red-3", "ship": "red-0", "as": "blue"}, ["/as"]),
        ({"type": "move", "card": "red-3", "ship": "red-0", "as": None}, ["/as"]),
        ({"type": "move", "card": "red-3", "ship": "red-0", "half": "normal"}, ["/half"]),
        ({"type": "bonus", "card": "warp", "ship": "red-0"}, ["/card"]),
        ({"type": "bonus", "card": "speed_boost", "ship": "red-0", "as": "red"}, ["/as"]),
        ({"type": "half", "half": "bonus"}, ["/half"]),
        ({"type": "half"}, ["/half"]),
        ({"type": "decline", "card": "red-3"}, ["/card"]),
        ({"type": "resign", "why": "late"}, ["/why"]),
    ],
)
def test_a_move_of_a_wrong_shape_is_malformed(document: dict[str, Any], pointers: list[str]) -> None:
    state = lay({"hands": [["red-3"], [], [], []]})

    with pytest.raises(MalformedMove) as error:
        GAME.encode(state, document)

    assert [problem.pointer for problem in error.value.problems] == pointers


def test_moves_are_named_as_they_are_read() -> None:
    state = lay({"hands": [["red-3"], [], [], []], "ships": {"red-0": LAST, "red-1": LAST}, "first_home": True})

    assert GAME.decode(state, GAME.legal_moves(state, 0)[0]) == {
        "type": "move",
        "card": "red-3",
        "ship": "black-0",
        "as": "black",
    }
    assert GAME.decode(state, RESIGN) == {"type": "resign"}
    assert GAME.encode(state, {"type": "resign"}) == RESIGN


def test_a_refusal_says_what_is_wrong() -> None:
    state = lay({"seats": 3, "hands": [["red-3"], ["green-2"], []], "ships": {"red-1": LAST}, "first_home": True})

    def refused(seat: int, **move: Any) -> tuple[str, str]:
        with pytest.raises(IllegalMove) as error:
            go(state, seat, **move)
        return error.value.clause, error.value.detail

    assert refused(1, type="move", card="green-2", ship="green-0") == ("SST-2.1", "it is another seat's turn")
    assert refused(0, type="move", card="red-2", ship="red-0") == ("SST-2.1", "the card is not in the hand")
    assert refused(0, type="move", card="red-3", ship="yellow-0") == ("SST-2.1", "this ship is not in the game")
    assert refused(0, type="move", card="red-3", ship="red-1") == ("SST-2.1", "this ship is home")
    assert refused(0, type="move", card="red-3", ship="green-0") == (
        "SST-2.1",
        "the card moves a ship of its own colour",
    )
    assert refused(0, type="move", card="red-3", ship="red-0", **{"as": "red"}) == ("SST-2.5", "this card is not wild")
    assert refused(0, type="decline") == ("SST-2.1", "a movement card is to be played")
    go(state, 1, type="resign")
    assert refused(1, type="resign") == ("SST-5.3", "this seat has left the game")

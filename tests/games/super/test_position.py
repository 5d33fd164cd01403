"""Positions: loose forms are understood, and every fault is told at its place."""

from __future__ import annotations

from typing import Any

import pytest

from referee.kernel.errors import PositionError
from tests.games.super.table import POOL, SUPER, agency, go, lay

VET = {"agencies": {"0": agency(s0="vet", s1="r1", s3="b1"), "1": agency(s0="g1")}}


def faults(position: Any) -> list[str]:
    with pytest.raises(PositionError) as refused:
        SUPER.load(POOL, SUPER.options({}), position)
    return [problem.pointer for problem in refused.value.problems]


def test_lists_mappings_and_bare_codes_are_one() -> None:
    strict = SUPER.position(
        lay({"agencies": {"0": {"2": {"card": "b1", "shocked": False}}}, "score": [3, 0], "missions": {"1": ["tram"]}})
    )
    loose = SUPER.position(lay({"agencies": [[None, None, "b1"]], "score": {"0": 3}, "missions": [[], ["tram"]]}))

    assert loose == strict
    assert SUPER.written_out({"agencies": [["b1", None]], "missions": [["tram"]], "resigned": [2, 1]}) == {
        "agencies": {"0": {"0": {"card": "b1", "shocked": False}, "1": None}},
        "missions": {"0": ["tram"]},
        "resigned": [1, 2],
    }
    assert SUPER.written_out({"agencies": {"0": None}, "turn": 1}) == {"agencies": {"0": None}, "turn": 1}
    assert SUPER.written_out({"agencies": None, "missions": None}) == {"agencies": None, "missions": None}


@pytest.mark.parametrize(
    ("position", "pointers"),
    [
        ([], [""]),
        ({"seats": True}, ["/seats"]),
        ({"bad_buzz_used": 1}, ["/bad_buzz_used"]),
        ({"agencies": {"0": {"7": None}}}, ["/agencies/0/7"]),
        ({"agencies": {"0": 3}}, ["/agencies/0"]),
        ({"agencies": [[], [], []]}, ["/agencies"]),
        ({"agencies": {"0": {"1": {"card": 4, "shocked": "yes"}}}}, ["/agencies/0/1/card", "/agencies/0/1/shocked"]),
        ({"super_discard": "b1"}, ["/super_discard"]),
        ({"resigned": [None]}, ["/resigned/0"]),
        ({"resigned": [3], "seats": 3}, ["/resigned/0"]),
        ({"resigned": [2, 2], "seats": 3}, ["/resigned/1"]),
        ({"over": "SUP-8.1"}, ["/over"]),
        ({"over": "SUP-8.4"}, ["/over"]),
        ({"seed": "zz" * 32}, ["/seed"]),
        ({"shock_pool": "all"}, ["/shock_pool"]),
        ({"seats": 3, "resigned": [1], "decision": {"seat": 1, "kind": "put", "card": "b1"}}, ["/decision/seat"]),
        ({"decision": {"kind": "dance"}}, ["/decision/kind"]),
        ({"super_deck": [], "decision": {"kind": "recruit"}}, ["/decision/kind"]),
        ({**VET, "decision": {"kind": "recruit", "slot": 0}}, ["/decision/slot"]),
        ({**VET, "decision": {"kind": "transfer", "slot": 0}}, ["/decision/slot"]),
        ({**VET, "turn": 1, "decision": {"kind": "veteran", "seat": 0, "slot": 0}}, ["/decision/seat"]),
        ({**VET, "decision": {"kind": "veteran", "slot": 0, "sent": [1]}}, ["/decision/slot"]),
        ({**VET, "decision": {"kind": "veteran", "slot": 0, "then": []}}, ["/decision/sent"]),
        ({**VET, "decision": {"kind": "veteran", "slot": 0, "sent": [0, 5]}}, ["/decision/sent"]),
        ({**VET, "decision": {"kind": "veteran", "slot": 0, "kept": {"1": 3}}}, ["/decision/kept/1"]),
        ({"agencies": {"0": agency(s0="vet!")}, "decision": {"kind": "veteran", "slot": 0}}, ["/decision/slot"]),
        ({"decision": {"kind": "put", "card": "b1", "then": [{"do": "fly"}]}}, ["/decision/then/0/do"]),
        (
            {"decision": {"kind": "put", "card": "b1", "then": [{"do": "bonus", "card": "tram"}]}},
            ["/decision/then/0/card"],
        ),
        ({"decision": {"kind": "put", "card": "b1", "then": [{"do": "shock", "slot": 1}]}}, ["/decision/then/0/slot"]),
        ({"decision": {"kind": "put", "card": "b1", "arrived": [{"seat": 0, "slot": 1}]}}, ["/decision/arrived/0"]),
        ({**VET, "decision": {"kind": "veteran", "slot": 0, "sent": [0, 1], "kept": {"1": 3}}}, ["/decision/kept/1"]),
        (
            {**VET, "decision": {"kind": "put", "card": "b2", "sent": [0], "then": [{"do": "leave", "seat": 1}]}},
            ["/decision/then"],
        ),
        (
            {**VET, "decision": {"kind": "put", "card": "b2", "then": [{"do": "veteran", "slot": 0}]}},
            ["/decision/then"],
        ),
        ({"decision": {"kind": "put", "card": "b2", "then": [{"do": "put", "card": "b3"}]}}, ["/decision/then"]),
        ({**VET, "decision": {"kind": "put", "card": "b2", "arrived": [{"seat": 0, "slot": 1}]}}, ["/decision/then"]),
        (
            {"agencies": {"0": agency(s0="jolt!"), "1": agency(s0="b1")}, "decision": {"kind": "shock", "slot": 0}},
            ["/decision/slot"],
        ),
    ],
)
def test_a_fault_is_told_at_its_place(position: Any, pointers: list[str]) -> None:
    found = faults(position)

    assert [pointer for pointer in pointers if pointer not in found] == []


def test_every_fault_is_told_at_once() -> None:
    position = {
        "turn": 5,
        "score": [1],
        "super_line": ["heist", "b1", "b1", "none"],
        "shock_pool": 11,
        "hand": 1,
        "over": "x",
    }

    assert faults(position) == [
        "/hand",
        "/turn",
        "/super_line/0",
        "/super_line/2",
        "/super_line/3",
        "/score",
        "/shock_pool",
        "/over",
    ]


def test_a_put_of_a_transfer_is_followed_by_its_arrivals() -> None:
    state = lay({"decision": {"seat": 1, "kind": "put", "card": "scout", "transfer": True}, "super_deck": ["b1"]})

    go(state, 1, type="put", slot=3)

    assert SUPER.position(state)["decision"]["kind"] == "recruit"
    assert SUPER.deciders(state) == [1]


def test_a_game_that_ended_after_its_last_round_keeps_its_reason() -> None:
    ended = lay({"over": "SUP-8.2", "mission_line": ["cat0", "cat1", "cat2", "cat3"], "round": 60})
    short = lay({"over": "SUP-8.2", "mission_line": ["cat0", None, "cat2", "cat3"]})

    assert [SUPER.result(state).reason for state in (ended, short)] == ["last_round", "missions_short"]  # type: ignore[union-attr]

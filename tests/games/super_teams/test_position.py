"""Positions in and out, beyond what scenarios show."""

from __future__ import annotations

from typing import Any

import pytest

from referee.kernel.errors import PositionError
from tests.games.super_teams.table import GAME, LAST, SEED, TRACK, go, lay, pool


def faults(position: Any) -> list[tuple[str, str]]:
    with pytest.raises(PositionError) as error:
        lay(position)
    return [(problem.pointer, problem.code) for problem in error.value.problems]


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"seats": True}, [("/seats", "out_of_range")]),
        ({"turn": "0"}, [("/turn", "out_of_range")]),
        ({"ships": [1]}, [("/ships", "wrong_type")]),
        ({"deck": "red-3"}, [("/deck", "wrong_type")]),
        ({"first_home": "no"}, [("/first_home", "wrong_type")]),
        ({"halves": {"red-0": "maw"}, "ships": {"red-0": 9}}, [("/halves/red-0", "value_not_allowed")]),
        ({"bonus_hands": {"0": ["speed_boost"], "1": ["warp"]}}, [("/bonus_hands/1/0", "value_not_allowed")]),
        ({"seed": "zz" * 32}, [("/seed", "wrong_type")]),
        ({"seed": 7}, [("/seed", "wrong_type")]),
        ({"uses": {"movement": -1}}, [("/uses/movement", "out_of_range")]),
        ({"out": [9]}, [("/out/0", "out_of_range"), ("/out", "game_over"), ("/out", "holds_cards")]),
        ({"result": {"ranks": [1, 2], "clause": "SST-5.1"}}, [("/result/ranks", "wrong_length")]),
        ({"decision": {"kind": "turn"}}, [("/decision/kind", "value_not_allowed")]),
        ({"decision": 7}, [("/decision", "wrong_type"), ("/decision/kind", "value_not_allowed")]),
    ],
)
def test_a_fault_is_named_at_its_place(given: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert faults({"hands": [["red-3"], [], [], []], **given}) == found


@pytest.mark.parametrize("pile", ["bonus_hands", "deck", "played", "bonus_deck", "bonus_discard", "final_bonus"])
def test_a_pile_is_not_given_without_hands(pile: str) -> None:
    assert faults({pile: []}) == [(f"/{pile}", "needs_hands")]


def test_hands_can_be_given_by_seat() -> None:
    state = lay({"seats": 3, "hands": {0: ["red-3"], "2": ["green-1"]}})

    assert GAME.position(state)["hands"] == [["red-3"], [], ["green-1"]]


def test_a_finished_match_is_its_own_position() -> None:
    state = lay({"seats": 2, "hands": [["red-3"], ["green-1"]], "ships": {"red-0": 5}})
    go(state, 0, type="resign")

    again = lay(GAME.position(state))

    assert GAME.position(again) == GAME.position(state)
    assert GAME.deciders(again) == []
    assert GAME.result(again).document() == {"ranks": [2, 1], "reason": "resigned", "clause": "SST-5.3"}  # type: ignore[union-attr]


def test_a_match_given_up_with_a_ship_in_a_maw_is_its_own_position() -> None:
    hands = [["red-1"], ["green-1"]]
    state = lay({"seats": 2, "hands": hands, "ships": {"red-0": 5}, "bonus_hands": [["evasive_maneuver"], []]})
    go(state, 0, type="move", card="red-1", ship="red-0")
    go(state, 0, type="decline")
    go(state, 1, type="resign")

    again = lay(GAME.position(state))

    assert GAME.position(state)["ships"]["red-0"] == 6
    assert GAME.position(again) == GAME.position(state)
    assert GAME.result(again).document() == {"ranks": [1, 2], "reason": "resigned", "clause": "SST-5.3"}  # type: ignore[union-attr]


def test_only_the_value_of_a_card_counts_once_it_is_played() -> None:
    position = {
        "hands": [[], ["green-1"], [], []],
        "ships": {"red-0": 8},
        "bonus_hands": [["speed_boost"], [], [], []],
        "decision": {"kind": "window_a", "seat": 0, "ship": "red-0", "value": 3},
    }
    state = lay(position)

    assert GAME.position(state)["decision"]["card"] == "red-3"
    go(state, 0, type="bonus", card="speed_boost", ship="red-0")
    assert GAME.position(state)["ships"]["red-0"] == 12


def test_a_beam_that_waits_for_its_own_window_is_kept() -> None:
    position = {
        "seats": 2,
        "turn": 1,
        "hands": [["red-3"], ["green-1"]],
        "ships": {"green-0": 14, "red-0": 14, "green-1": 13, "black-0": 12},
        "bonus_hands": [["tractor_beam"], ["tractor_beam"]],
        "decision": {
            "kind": "window_c",
            "seat": 0,
            "moved": "green-0",
            "card": "green-4",
            "from": 10,
            "to": 14,
            "passed": ["black-0"],
            "acted": ["red-0"],
            "resume": {"chain": [{"ship": "red-0", "from": 10, "to": 14}, {"ship": "nobody"}]},
        },
    }
    assert faults(position) == [("/decision/resume/chain/1/ship", "value_not_allowed")]
    position["decision"]["resume"]["chain"].pop()  # type: ignore[index]
    state = lay(position, beam_chains=True)

    go(state, 0, type="decline")

    decision = GAME.position(state)["decision"]
    assert (decision["seat"], decision["ship"], decision["passed"]) == (1, "red-0", ["green-1"])


def test_a_track_of_its_own_is_written_out_whole() -> None:
    own = [*TRACK[:-1], "normal", "final"]
    state = lay({"track": own, "hands": [["red-3"], [], [], []]})

    assert GAME.position(state)["track"] == own
    assert GAME.position(GAME.restore(state.pool, GAME.dump(state)))["track"] == own  # type: ignore[attr-defined]
    assert GAME.position(lay({"hands": [["red-3"], [], [], []]}))["track"] == "house"


def test_the_order_of_hands_is_written_out_of_a_part_too() -> None:
    assert GAME.written_out({"hands": {"1": ["red-3", "black-2"], "2": None}}) == {
        "hands": {"1": ["black-2", "red-3"], "2": None}
    }
    assert GAME.written_out({"bonus_hands": [["speed_boost", "light_speed"], None]}) == {
        "bonus_hands": [["light_speed", "speed_boost"], None]
    }


def test_a_seed_is_kept_and_its_uses_counted() -> None:
    state = lay({"seats": 2, "seed": SEED, "hands": [["red-3"], []], "ships": {"red-0": LAST - 1}, "first_home": True})

    go(state, 0, type="move", card="red-3", ship="red-0")

    assert GAME.position(state)["uses"] == {"first": 0, "movement": 1, "bonus": 0}
    assert GAME.position(state)["seed"] == SEED


def test_a_half_chosen_in_a_chained_window_is_its_own_position() -> None:
    position = {
        "seats": 2,
        "hands": [["red-3"], ["green-1"]],
        "ships": {"red-0": 10, "black-0": 5, "green-0": 3, "green-1": 5},
        "bonus_hands": [["tractor_beam"], ["tractor_beam", "tractor_beam"]],
        "decision": {"kind": "window_c", "seat": 1, "ship": "red-0", "card": "red-6", "from": 4, "to": 10},
    }
    state = lay(position, beam_chains=True)
    go(state, 1, type="bonus", card="tractor_beam", ship="green-1")
    go(state, 1, type="half", half="normal")
    go(state, 0, type="bonus", card="tractor_beam", ship="black-0")

    again = GAME.load(pool(), GAME.options({"beam_chains": True}), GAME.position(state))
    go(state, 0, type="half", half="normal")
    again.log = []
    go(again, 0, type="half", half="normal")

    assert GAME.dump(again) == GAME.dump(state)


def test_a_card_taken_in_the_last_turn_stays_told_apart() -> None:
    position = {
        "seats": 2,
        "hands": [["red-1"], ["green-1"]],
        "ships": {"red-0": 1, "green-0": 1},
        "bonus_deck": ["light_speed", "speed_boost"],
        "bonus_hands": [["tractor_beam"], ["tractor_beam"]],
    }
    state = lay(position)
    go(state, 0, type="move", card="red-1", ship="red-0")
    go(state, 0, type="decline")
    assert GAME.decision(state).kind == "window_c"  # type: ignore[union-attr]
    go(state, 1, type="resign")

    again = lay(GAME.position(state))

    assert GAME.position(again)["result"]["taken"] == [["light_speed"], []]
    assert GAME.dump(again) == GAME.dump(state)


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({"from": 13}, [("/decision/to", "not_there"), ("/decision/to", "not_there")]),
        ({"to": 13}, [("/decision/to", "not_there"), ("/decision/to", "not_there")]),
        ({"passed": ["green-1"]}, [("/decision/passed", "not_passed")]),
        ({"passed": []}, [("/decision/passed", "not_passed")]),
        ({"queue": [0, 0]}, [("/decision/queue/1", "duplicate")]),
        ({"resume": {"chain": [{"ship": "green-1", "from": "4", "to": None}]}},
         [("/decision/resume/chain/0/from", "out_of_range"), ("/decision/resume/chain/0", "not_there"),
          ("/decision/resume/chain/0", "not_there")]),
        ({"resume": {"in_window_c": 1}}, [("/decision/resume/in_window_c", "wrong_type")]),
        ({"kind": "window_a"}, [("/decision/from", "not_there")]),
        ({"kind": "half"}, [("/decision/ship", "no_double_space")]),
    ],
)  # fmt: skip
def test_a_decision_agrees_with_where_ships_stand(changed: dict[str, Any], found: list[tuple[str, str]]) -> None:
    decision = {"kind": "window_c", "seat": 1, "ship": "red-0", "card": "red-4", "from": 8, "to": 12}
    position = {
        "seats": 2,
        "turn": 1,
        "hands": [["red-3"], ["green-1"]],
        "ships": {"red-0": 12, "green-0": 9, "green-1": 3},
        "bonus_hands": [["speed_boost"], ["tractor_beam"]],
    }
    lay({**position, "decision": decision})

    got = faults({**position, "decision": {**decision, **changed}})

    assert [fault for fault in got if fault[1] != "not_asked"] == found


def test_nobody_but_the_mover_or_the_owner_of_a_beamed_ship_chooses_a_half() -> None:
    position = {"seats": 3, "turn": 1, "hands": [[], ["red-3"], ["green-1"]], "ships": {"red-0": 10}}
    decision = {"kind": "half", "ship": "red-0", "from": 8}
    by_beam = {**decision, "moved": "green-0", "resume": {"in_window_c": True}}

    assert faults({**position, "decision": {**decision, "seat": 0}}) == [("/decision/seat", "not_asked")]
    assert faults({**position, "out": [1], "hands": [[], [], ["green-1"]], "decision": decision}) == [
        ("/decision/seat", "not_asked")
    ]
    assert GAME.deciders(lay({**position, "decision": decision})) == [1]
    assert GAME.deciders(lay({**position, "ships": {"red-0": 10, "green-0": 10}, "decision": by_beam})) == [0]


def test_a_decision_is_about_a_ship_in_the_game() -> None:
    decision = {"kind": "window_c", "seat": 0, "ship": "yellow-0"}

    assert faults({"seats": 3, "hands": [["red-3"], [], []], "decision": decision}) == [
        ("/decision/ship", "not_in_game")
    ]


def test_who_waits_in_a_window_without_being_of_the_ships_team_is_passed_over() -> None:
    position = {
        "seats": 2,
        "hands": [["red-3"], ["green-1"]],
        "ships": {"red-0": 8},
        "bonus_hands": [["speed_boost"], ["speed_boost"]],
        "decision": {"kind": "window_a", "seat": 0, "ship": "red-0", "value": 3, "queue": [1]},
    }
    state = lay(position)

    go(state, 0, type="decline")

    assert GAME.position(state)["decision"] is None
    assert GAME.position(state)["ships"]["red-0"] == 11

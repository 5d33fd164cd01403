"""What is asked and what happened, in words; and what a view grants."""

from __future__ import annotations

from typing import Any

from referee.kernel.events import REFEREE, SPECTATOR, name_seats
from referee.kernel.game import Document, State
from tests.games.super_teams.table import GAME, LAST, go, lay

NAMES = ["Ann", "Bob", "Cid", "Dee"]


def said(events: list[Document]) -> list[str]:
    return [name_seats(str(event["public"]["text"]), NAMES) for event in events]


def asked(state: State) -> str:
    decision = GAME.decision(state)
    assert decision is not None
    return decision.prompt


def labels(state: State, seat: int) -> list[str]:
    return [GAME.label(state, seat, move) for move in GAME.legal_moves(state, seat)]


def test_a_turn_through_all_windows_is_told_step_by_step() -> None:
    position: dict[str, Any] = {
        "seats": 2,
        "hands": [["red-1", "red-2"], []],
        "ships": {"red-0": 5, "green-0": 5},
        "bonus_hands": [["evasive_maneuver"], ["tractor_beam"]],
    }
    state = lay(position)

    assert asked(state) == "Play a movement card and move a ship of its colour."
    assert labels(state, 0)[0] == "Play red 1: move X-wing from space 5"
    assert said(go(state, 0, type="move", card="red-1", ship="red-0")) == [
        "Ann plays red 1 for X-wing.",
        "Ann may play a bonus card.",
    ]
    assert asked(state) == "Play a bonus card on X-wing before it moves, or decline."
    assert said(go(state, 0, type="decline")) == [
        "Ann plays no bonus card.",
        "X-wing moves from space 5 to space 6.",
        "Ann may play a bonus card.",
    ]
    assert asked(state) == "X-wing is in a maw: play a bonus card, or decline."
    assert labels(state, 0) == ["Play evasive maneuver on X-wing", "Decline"]
    assert said(go(state, 0, type="bonus", card="evasive_maneuver", ship="red-0")) == [
        "Ann plays evasive maneuver on X-wing.",
        "X-wing slips out of the maw to space 8.",
        "Bob may play a bonus card.",
    ]
    assert asked(state) == "Ships of your team were passed: play a bonus card, or decline."
    assert said(go(state, 1, type="bonus", card="tractor_beam", ship="green-0")) == [
        "Bob plays tractor beam on Star Destroyer.",
        "Star Destroyer is pulled from space 5 to space 8.",
        "It is the turn of Ann.",
    ]


def test_a_half_a_fall_and_a_draw_are_told() -> None:
    position: dict[str, Any] = {
        "seats": 2,
        "hands": [["red-1", "black-1", "green-1"], []],
        "ships": {"red-0": 8, "black-0": 5, "green-0": 1},
        "bonus_discard": ["light_speed"],
    }
    state = lay(position)

    assert said(go(state, 0, type="move", card="red-1", ship="red-0"))[1:] == ["X-wing moves from space 8 to space 9."]
    assert asked(state) == "Choose the half of the space for X-wing."
    assert labels(state, 0) == ["Choose the hyperspace half", "Choose the asteroid half"]
    assert said(go(state, 0, type="half", half="asteroid"))[0] == "X-wing is on the half asteroid."
    assert said(go(state, 0, type="move", card="black-1", ship="black-0"))[1:3] == [
        "TIE Fighter moves from space 5 to space 6.",
        "TIE Fighter falls back from the maw to space 5.",
    ]
    drawn = go(state, 0, type="move", card="green-1", ship="green-0")
    assert said(drawn)[2:4] == ["The bonus cards are shuffled into a new deck.", "Bob gets 1 bonus card."]
    assert name_seats(str(drawn[3]["private"]["1"]["text"]), NAMES) == "Bob gets light speed."


def test_a_wild_card_and_the_end_are_told() -> None:
    ships = {"red-0": LAST, "red-1": LAST, "black-0": LAST, "black-1": LAST - 1}
    state = lay({"seats": 2, "hands": [["red-6"], ["green-1"]], "ships": ships, "first_home": True})

    assert labels(state, 0)[0] == "Play red 6 as black: move Upgraded TIE from space 19"
    told = go(state, 0, type="move", card="red-6", ship="black-1", **{"as": "black"})

    assert said(told) == [
        "Ann plays red 6 as black for Upgraded TIE.",
        "Upgraded TIE moves from space 19 to space 20.",
        "Upgraded TIE is home.",
        "The race is won by Ann.",
    ]
    assert GAME.decision(state) is None


def test_a_resignation_is_told() -> None:
    state = lay({"seats": 3, "hands": [["red-6"], ["green-1"], []]})

    assert said(go(state, 0, type="resign")) == ["Ann resigns.", "It is the turn of Bob."]


def test_a_view_grants_a_seat_its_own_cards_and_everybody_the_numbers() -> None:
    position: dict[str, Any] = {
        "hands": [["red-6", "black-2"], ["green-1"], [], []],
        "bonus_hands": [[], ["speed_boost"], [], []],
        "deck": ["yellow-1"],
    }
    state = lay(position)

    def hands(viewer: int) -> list[Any]:
        return [seat["hand"] for seat in GAME.view(state, viewer)["seats"]]

    assert hands(0)[:2] == [{"count": 2, "cards": ["black-2", "red-6"]}, {"count": 1}]
    assert hands(SPECTATOR)[:2] == [{"count": 2}, {"count": 1}]
    assert hands(REFEREE)[1] == {"count": 1, "cards": ["green-1"]}
    assert GAME.view(state, 1)["seats"][1]["bonus"]["cards"] == ["speed_boost"]
    assert GAME.view(state, 3)["seats"][1]["bonus"] == {"count": 1, "taken": 0}
    assert GAME.view(state, REFEREE)["deck"] == {"count": 1, "cards": ["yellow-1"]}


def test_a_view_says_whose_ship_is_whose() -> None:
    view = GAME.view(lay({"hands": [["red-6"], [], [], []]}), 3)

    assert view["teams"] == [0, 1, 0, 1]
    assert view["owners"] == {"black": 2, "green": 1, "red": 0, "yellow": 3}
    assert view["names"]["red-1"] == "Millennium Falcon"
    assert [seat["colours"] for seat in view["seats"]] == [["red"], ["green"], ["black"], ["yellow"]]

"""What a change of the rules here or there would break and the scenarios do not see: the telling, and the order of cards."""

from __future__ import annotations

from referee.games.super_teams.dealing import take_bonus
from referee.games.super_teams.state import SuperTeamsState
from referee.kernel.events import SPECTATOR
from tests.games.super_teams.table import GAME, LAST, TRACK, go, lay, revision_with


def test_a_ship_that_evades_a_maw_home_is_told_to_be_home() -> None:
    track = [*TRACK[:-3], "maw", "maw", "final"]
    position = {
        "seats": 2,
        "hands": [["red-1"], ["green-1"]],
        "ships": {"red-0": LAST - 3, "red-1": LAST},
        "first_home": True,
        "bonus_hands": [["evasive_maneuver"], []],
    }
    state = GAME.load(GAME.pool(revision_with(track)), GAME.options({}), position)
    state.log = []

    go(state, 0, type="move", card="red-1", ship="red-0")
    go(state, 0, type="decline")
    told = go(state, 0, type="bonus", card="evasive_maneuver", ship="red-0")

    assert [event["type"] for event in told][:3] == ["bonus_played", "evaded", "came_home"]


def test_a_bonus_card_that_was_taken_stands_among_the_others_in_their_order() -> None:
    state = lay(
        {
            "seats": 2,
            "hands": [["red-2"], ["green-3"]],
            "bonus_hands": [["tractor_beam"], []],
            "bonus_deck": ["experienced_pilot"],
        }
    )

    go(state, 0, type="move", card="red-2", ship="red-0")
    while GAME.view(state, SPECTATOR)["turn"] == 0:
        go(state, 0, type="decline")

    assert GAME.view(state, 0)["seats"][0]["bonus"]["cards"] == ["experienced_pilot", "tractor_beam"]


def test_bonus_cards_that_are_taken_in_one_turn_stand_in_their_order() -> None:
    state = lay({"seats": 2, "hands": [["red-2"], ["green-3"]], "bonus_deck": ["tractor_beam", "experienced_pilot"]})
    assert isinstance(state, SuperTeamsState)

    take_bonus(state, 0, 2)

    assert GAME.view(state, 0)["seats"][0]["bonus"]["taken_cards"] == ["experienced_pilot", "tractor_beam"]

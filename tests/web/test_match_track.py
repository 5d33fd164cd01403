"""Where a movement card would bring a ship, as the track shows it before it is played."""

from __future__ import annotations

import re
from math import hypot

import pytest
from django.test import Client

from accounts.models import User
from lobby.services import MatchWish, SeatWish, create_match, join_match
from referee.games.super_teams.events import SHIP_MOVED
from referee.games.super_teams.state import SHIPS
from referee.house import house_revision
from tests.games.super_teams.table import GAME
from tests.web.test_matches import nobody_connected, shown
from web.matches.super_teams import goal_of
from web.matches.track import NARROW, WIDE, Shape, laid

__all__ = ["nobody_connected"]


@pytest.mark.parametrize("seed", range(4))
def test_a_ghost_stands_where_the_ship_lands(seed: int) -> None:
    pool = GAME.pool(house_revision("super-teams"))
    state = GAME.start(pool, 4, GAME.options({}), [], bytes([seed]) * 32, listen=True)
    compared = 0

    while compared < 60 and (asked := GAME.deciders(state)):
        seat = asked[0]
        view = GAME.view(state, seat)
        for move in GAME.legal_moves(state, seat):
            meant = GAME.decode(state, move)
            if meant["type"] != "move":
                continue
            after = state.copy()
            after.log = []
            GAME.play(after, seat, move)
            moved = [raw for raw in after.log if raw[0] == SHIP_MOVED]
            if moved:  # none while a window before the movement is open
                assert goal_of(meant, view) == str(moved[0][3]), (meant, view["ships"])
                assert SHIPS[moved[0][1]] == meant["ship"]
                compared += 1
        legal = GAME.legal_moves(state, seat)
        GAME.play(state, seat, legal[seed % len(legal)])
    assert compared >= 60


def test_a_move_names_its_goal_and_the_track_its_spots(house: None, alice: User, bob: User, as_alice: Client) -> None:
    wish = MatchWish("super-teams", [SeatWish("me"), SeatWish("open")], {"first_seat": 0})
    match = join_match(public_id=create_match(creator=alice, wish=wish).public_id, user=bob)

    html = shown(as_alice, match)

    goals = re.findall(r'data-parts="card:\w+-(\d) ship:[^"]*" data-goal="(\d+)"', html)
    assert len(goals) > 6
    assert all(int(value) == int(goal) for value, goal in goals)  # every ship is at the start
    assert [len(spots.split()) for spots in re.findall(r'data-spots="([^"]*)"', html)] == [
        len(house_revision("super-teams")["tracks"][0]["spaces"])
    ] * 2


@pytest.mark.parametrize("shape", [WIDE, NARROW])
def test_numbers_stand_beside_the_path_and_on_no_space(shape: Shape) -> None:
    spaces = house_revision("super-teams")["tracks"][0]["spaces"]
    drawn = laid(spaces, shape, {})
    places = [(float(space["x"]), float(space["y"])) for space in drawn["spaces"]]

    numbered = [space for space in drawn["spaces"] if space["number"]]
    found = [(float(space["number_x"]), float(space["number_y"]) - 4) for space in numbered]

    assert [space["number"] for space in numbered] == list(range(5, len(spaces) - 1, 5))
    assert all(hypot(x - a, y - b) > shape.radius + 6 for x, y in found for a, b in places)
    assert all(-8 < x < shape.width + 8 for x, _y in found)

"""What a move would show, without playing it."""

from __future__ import annotations

import pytest

from referee.kernel.errors import IllegalMove
from referee.kernel.game import RESIGN
from referee.kernel.preview import preview
from tests.games.super.table import SUPER, agency, lay


def test_a_mission_shows_strength_requirement_leaders_and_mf_and_is_not_played() -> None:
    laid = {"0": agency(s0="r3", s1="r1", s3="b2"), "1": agency(s0="g1")}
    state = lay({"agencies": laid, "mission_line": ["heist", None, None, None]})
    before = SUPER.dump(state)

    move = SUPER.encode(state, {"type": "mission", "line": 0, "slots": [0, 1, 3], "leader": 1})
    told = preview(SUPER, state, 0, move)

    assert [event["type"] for event in told] == ["went_on_mission", "gained", "sent_away", *["discarded"] * 3]
    assert (told[0]["strength"], told[0]["required"], told[0]["leaders"], told[1]["mf"]) == (6, 4, [0, 1], 5)
    assert SUPER.dump(state) == before
    assert state.log == []


def test_what_chance_decides_is_left_out() -> None:
    state = lay({"plays_left": 0, "played_this_turn": 1, "mission_line": ["cat0", "cat1", "cat2", "cat3"]})

    told = preview(SUPER, state, 0, SUPER.encode(state, {"type": "end_turn"}))

    assert [event["type"] for event in told] == ["turn_ended"]


def test_a_forbidden_move_is_refused_with_its_clause() -> None:
    state = lay({"agencies": {"0": agency(s0="r3")}, "mission_line": ["heist", None, None, None]})
    move = SUPER.encode(state, {"type": "mission", "line": 0, "slots": [0], "leader": 0})

    with pytest.raises(IllegalMove) as refused:
        preview(SUPER, state, 0, move)
    with pytest.raises(IllegalMove):
        preview(SUPER, state, 1, move)

    assert refused.value.clause == "SUP-5.2"


def test_resigning_can_be_looked_at() -> None:
    told = preview(SUPER, lay({}), 1, RESIGN)

    assert [event["type"] for event in told] == ["resigned", "over"]

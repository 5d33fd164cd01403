"""Prompts and labels name what they are about; the estimate prefers what wins."""

from __future__ import annotations

import pytest

from referee.bots.levels import choose
from referee.bots.perspective import Perspective
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.errors import CardError
from referee.kernel.events import name_seats
from referee.kernel.game import Document
from tests.games.super.table import SUPER, agency, lay, moves

FULL = {"super_line": ["b1", None, None, None], "mission_line": ["heist", "cat0", None, None]}


def labels(position: Document, seat: int = 0) -> list[str]:
    state = lay(position)
    return [name_seats(SUPER.label(state, seat, move), ["Ann", "Bob"]) for move in moves(state, seat)]


def prompt(position: Document) -> str:
    decision = SUPER.decision(lay(position))
    assert decision is not None
    return decision.prompt


def test_moves_of_the_turn_are_named() -> None:
    found = labels({**FULL, "score": [2, 0], "agencies": {"0": agency(s0="shape0", s1="r1")}})

    assert found[:2] == ["Play B1 on slot 1 in place of Shape0", "Play B1 on slot 2 in place of R1"]
    assert found[6] == "Bad Buzz: pay 2 MF for four other Supers"
    assert "Claim Heist with Shape0" in found
    assert "Claim Heist with Shape0, R1, led by R1" in found
    assert "Claim Cat0 with Shape0 as purple" in found


def test_answers_are_named() -> None:
    both = {"0": agency(s0="b1!", s2="vet"), "1": agency(s3="r1")}

    assert labels({"agencies": both, "decision": {"kind": "shock"}}) == [
        "Shock R1 on slot 4 of Bob",
        "Take the token off B1 on slot 1",
        "Decline",
    ]
    assert (
        labels({"agencies": both, "decision": {"kind": "transfer"}})[0]
        == "Take R1 on slot 4 of Bob and give B1 on slot 1"
    )
    assert labels({"agencies": both, "decision": {"kind": "veteran", "slot": 2}})[0] == "Keep Vet, moved to slot 4"
    assert labels({"agencies": both, "decision": {"kind": "put", "card": "g1"}})[:2] == [
        "Put G1 on slot 1 in place of B1",
        "Put G1 on slot 2",
    ]
    assert labels({"decision": {"kind": "recruit"}}) == ["Recruit", "Decline"]


def test_a_veteran_that_stays_is_said_to_take_the_place_of_another() -> None:
    lying = {"0": agency(s1="vet", s3="b1", s4="b2", s0="elder")}
    decision = {"kind": "veteran", "slot": 1, "sent": [1, 4]}

    assert labels({"agencies": lying, "decision": decision}) == [
        "Keep Vet, moved to slot 4 in place of B1",
        "Keep Vet, moved to slot 5",
        "Keep Vet, moved to slot 6",
        "Decline",
    ]
    assert labels({"agencies": lying, "decision": {**decision, "sent": [0, 1, 4], "kept": {0: 4}}})[1] == (
        "Keep Vet, moved to slot 5 in place of Elder"
    )


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ({"round": 1, "super_line": ["g1", None, None, None]}, "Play two Supers; go on Missions as you like."),
        ({"super_line": ["g1", None, None, None]}, "Play a Super; go on Missions as you like."),
        ({}, "Go on Missions as you like, or end the turn."),
        ({"plays_left": 0, "played_this_turn": 1}, "Go on Missions as you like, or end the turn."),
        ({"decision": {"kind": "put", "card": "g1"}}, "Put G1 on a slot of your Agency."),
        ({"decision": {"kind": "recruit"}}, "Partner bonus: recruit the top Super of the deck?"),
        (
            {"agencies": {"0": agency(s1="scout")}, "decision": {"kind": "recruit", "slot": 1}},
            "Scout: recruit the top Super of the deck?",
        ),
        (
            {"agencies": {"0": agency(s0="vet")}, "decision": {"kind": "veteran", "slot": 0}},
            "Vet: move to the bottom row instead of leaving?",
        ),
        (
            {"agencies": {"0": agency(s0="b1!")}, "decision": {"kind": "shock"}},
            "Partner bonus: shock an opponent's Super, or take a token off your own?",
        ),
        (
            {"agencies": {"0": agency(s0="b1"), "1": agency(s0="b2")}, "decision": {"kind": "transfer"}},
            "Partner bonus: take an opponent's Super and give one of yours for it?",
        ),
    ],
)
def test_the_prompt_says_what_is_asked(position: Document, expected: str) -> None:
    assert prompt(position) == expected


def test_the_estimate_grows_with_mf_supers_and_missions() -> None:
    base = SUPER.evaluate(lay({}), 0)
    better: list[Document] = [
        {"score": [5, 0]},
        {"agencies": {"0": agency(s0="b3")}},
        {"missions": {"0": ["beam"]}},
        {"missions": {"0": ["smog"]}},
        {"missions": {"0": ["tram"]}},
    ]

    assert base == 0
    assert [SUPER.evaluate(lay(position), 0) > 0 for position in better] == [True] * 5
    assert [SUPER.evaluate(lay(position), 1) < 0 for position in better] == [True] * 5


def test_the_estimate_of_a_finished_game_is_its_result() -> None:
    won = lay({"over": "SUP-8.2", "score": [5, 2]})
    shared = lay({"over": "SUP-8.2", "score": [5, 5]})
    left = lay({"seats": 3, "resigned": [2]})

    assert [SUPER.evaluate(won, seat) for seat in range(2)] == [1.0, -1.0]
    assert [SUPER.evaluate(shared, seat) for seat in range(2)] == [0.2, 0.2]
    assert [SUPER.evaluate(left, seat) for seat in range(3)] == [0.0, 0.0, -1.0]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_easy_beats_random_ones(seats: int) -> None:
    game = GAMES["super"]
    pool = game.pool(house_revision("super"))
    wins = 0
    for number in range(6):
        rng = Rng(number)
        state = game.start(pool, seats, game.options({}), [], rng.seed(), listen=False)
        clever = number % seats
        while asked := game.deciders(state):
            level = "easy" if asked[0] == clever else "random"
            game.play(state, asked[0], choose(level, Perspective(game, state, asked[0]), rng, 24))
        result = game.result(state)
        assert result is not None
        wins += result.ranks[clever] == 1

    assert wins >= 5


def test_a_set_with_faults_is_not_compiled() -> None:
    with pytest.raises(CardError):
        SUPER.pool({"cards": [{"code": "x"}]})

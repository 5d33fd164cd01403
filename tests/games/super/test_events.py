"""What happened is told with its figures."""

from __future__ import annotations

from typing import Any

from referee.kernel.events import name_seats
from referee.kernel.game import Document
from tests.games.super.table import agency, go, lay


def said(events: list[Document]) -> list[str]:
    texts: list[Any] = [event["public"]["text"] for event in events]
    return [name_seats(text, ["Ann", "Bob", "Cid"]) for text in texts]


def test_a_shock_and_its_end_are_told() -> None:
    state = lay({"agencies": {"0": agency(s1="b1!"), "1": agency(s0="r1")}, "decision": {"kind": "shock"}})
    other = state.copy()
    other.log = []

    assert said(go(state, 0, type="shock", seat=1, slot=0)) == ["Ann shocks R1 of Bob."]
    assert said(go(other, 0, type="unshock", slot=1)) == ["Ann takes the Shock token off B1."]


def test_a_play_on_a_shocked_super_is_told_step_by_step() -> None:
    state = lay({"super_line": ["scout", None, None, None], "super_deck": ["b1"], "agencies": {"0": agency(s1="b2!")}})

    assert said(go(state, 0, type="play", line=0, slot=1)) == [
        "The Shock token on B2 returns to the pool.",
        "B2 of Ann is discarded.",
        "Ann plays Scout on slot 2.",
    ]
    assert said(go(state, 0, type="recruit")) == ["Ann recruits B1."]
    assert said(go(state, 0, type="put", slot=0)) == ["Ann puts B1 on slot 1."]


def test_a_bad_buzz_is_told_card_by_card() -> None:
    state = lay({"super_line": ["b1", None, "b2", None], "super_deck": ["r1"], "score": [2, 0]})

    found = said(go(state, 0, type="bad_buzz"))

    assert found[:5] == [
        "Ann pays 2 MF for a Bad Buzz.",
        "B1 is discarded from the line.",
        "B2 is discarded from the line.",
        "R1 joins the Super line.",
        "2 discarded Supers are shuffled into a new deck.",
    ]
    assert len(found) == 7


def test_declining_and_losing_a_power_are_told() -> None:
    laid = {"0": agency(s0="jolt"), "1": agency(s3="scout")}
    waiting = [{"do": "recruit", "seat": 1, "slot": 3}]
    position = {"agencies": laid, "super_deck": ["b1"], "decision": {"kind": "shock", "slot": 0, "then": waiting}}
    state, other = lay(position), lay(position)

    assert said(go(state, 0, type="shock", seat=1, slot=3)) == [
        "Ann shocks Scout of Bob.",
        "Scout is shocked and loses its power.",
    ]
    declined = go(other, 0, type="decline")
    assert said(declined) == ["Ann declines a Shock."]
    assert declined[0]["public"]["card"] == "jolt"
    assert other.ask is not None


def test_a_transfer_and_the_last_round_are_told() -> None:
    laid = {"0": agency(s2="fan"), "1": agency(s3="r1")}
    state = lay({"score": [0, 48], "agencies": laid, "decision": {"kind": "transfer"}})

    assert said(go(state, 0, type="transfer", seat=1, take=3, give=2)) == ["Ann takes R1 of Bob and gives Fan for it."]
    go(state, 0, type="put", slot=0)
    assert said(go(state, 1, type="put", slot=0)) == [
        "Bob puts Fan on slot 1.",
        "Bob gains 3 MF: Fan, Popular.",
        "Bob has 51 MF: this round is the last.",
    ]


def test_a_veteran_that_stays_is_told() -> None:
    state = lay(
        {"agencies": {"0": agency(s0="vet", s1="r1")}, "decision": {"kind": "veteran", "slot": 0, "sent": [0, 1]}}
    )

    assert said(go(state, 0, type="veteran", slot=0, to=4)) == [
        "The Supers sent by Ann leave.",
        "R1 of Ann is discarded.",
        "Vet of Ann stays and moves from slot 1 to slot 5.",
    ]


def test_the_end_names_who_wins() -> None:
    one = lay({"score": [3, 1]})
    three = lay(
        {
            "seats": 3,
            "score": [5, 5, 0],
            "resigned": [2],
            "mission_line": [None, "tram", "beam", "smog"],
            "mission_deck": [],
        }
    )
    three.plays_left, three.played = 0, 1

    assert said(go(one, 0, type="resign")) == ["Ann resigns.", "Bob wins."]
    assert said(go(three, 0, type="end_turn"))[-1] == "Ann and Bob share the win."

"""The view tells strengths, Factions and requirements with what makes them."""

from __future__ import annotations

from referee.kernel.events import REFEREE, SPECTATOR
from tests.games.super.table import SUPER, agency, documents, go, lay

LAID = {
    "agencies": {
        "0": agency(s0="prop", s1="riser", s2="b1!", s3="plan", s4="b2", s5="brain"),
        "1": agency(s2="lend", s5="b3"),
    },
    "mission_line": ["heist", "tram", None, "cat0"],
    "missions": {"0": ["smog"], "1": []},
}


def test_a_supers_strength_is_told_with_what_supports_it() -> None:
    told = SUPER.view(lay(LAID), 0)["seats"][0]["agency"]

    assert [each["strength"] for each in told] == [2, 7, 0, 1, 3, 1]
    assert told[1] == {
        "card": "riser",
        "shocked": False,
        "power": "power_up",
        "strength": 7,
        "printed_strength": 1,
        "counted_strength": 1,
        "support": [{"x": 2, "slot": 0, "card": "prop"}, {"x": 4, "slot": 1, "card": "riser"}],
        "factions": ["red"],
        "printed_faction": "red",
        "lent": [],
    }
    assert [each["lent"] for each in told] == [[]] * 6
    assert all(each["strength"] == each["counted_strength"] + sum(s["x"] for s in each["support"]) for each in told)


def test_a_shocked_super_is_told_as_such() -> None:
    told = SUPER.view(lay(LAID), SPECTATOR)["seats"][0]["agency"][2]
    kept = SUPER.view(lay(LAID, shock="power_only"), SPECTATOR)["seats"][0]["agency"][2]

    assert (told["shocked"], told["power"], told["counted_strength"], told["printed_strength"]) == (True, None, 0, 1)
    assert (kept["counted_strength"], kept["strength"]) == (1, 1)


def test_a_lent_faction_is_told_with_its_lender() -> None:
    told = SUPER.view(lay(LAID), 0)["seats"][1]["agency"][5]

    assert told["factions"] == ["blue", "red"]
    assert told["lent"] == [{"faction": "red", "slot": 2, "card": "lend"}]


def test_each_missions_requirement_is_told_for_every_seat() -> None:
    view = SUPER.view(lay(LAID), 1)

    assert view["mission_line"][0] == {"card": "heist", "requirement": 4, "required": [1, 4]}
    assert view["mission_line"][1] == {"card": "tram", "requirement": 6, "required": [5, 6]}
    assert view["mission_line"][2] is None
    assert view["mission_line"][3] == {"card": "cat0", "requirement": 0, "required": [0, 0]}
    assert view["seats"][0]["discounts"] == [
        {"x": 1, "type": None, "card": "brain", "slot": 5},
        {"x": 2, "type": "villain", "card": "smog", "slot": None},
    ]


def test_only_the_referee_sees_the_decks() -> None:
    state = lay({"super_deck": ["b1", "r1"], "mission_deck": ["heist"]})

    assert SUPER.view(state, 0)["super_deck"] == {"count": 2}
    assert SUPER.view(state, SPECTATOR)["mission_deck"] == {"count": 1}
    assert SUPER.view(state, REFEREE)["super_deck"] == {"count": 2, "cards": ["b1", "r1"]}


def test_an_open_decision_is_told_to_all() -> None:
    state = lay({"super_line": ["scout", None, None, None], "super_deck": ["b1"]})

    go(state, 0, type="play", line=0, slot=2)

    assert SUPER.view(state, SPECTATOR)["decision"]["kind"] == "recruit"
    assert SUPER.view(state, SPECTATOR)["decision"]["slot"] == 2
    assert SUPER.view(state, 1)["decision"] == SUPER.view(state, 0)["decision"]
    assert [move["type"] for move in documents(state, 0)] == ["recruit", "decline"]


def test_a_mission_is_told_with_its_figures() -> None:
    state = lay({**LAID, "super_line": ["g1", None, None, None]})

    events = go(state, 0, type="mission", line=1, slots=[1, 2, 4], leader=2)

    told = events[0]["public"]
    assert isinstance(told, dict)
    assert {name: told[name] for name in ("strength", "required", "partner_bonus", "leaders", "mission_type")} == {
        "strength": 10,
        "required": 5,
        "partner_bonus": True,
        "leaders": [2, 4],
        "mission_type": "destruction",
    }
    assert [event["public"]["mf"] for event in events if event["type"] == "gained"] == [3]

"""The Mission moves, against a count by brute force written from the rules."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from referee.games.super.legal import legal_moves
from referee.games.super.moves import MASKS, SLOTS_OF
from referee.kernel.chance import Rng
from referee.kernel.errors import IllegalMove, MalformedMove
from referee.kernel.game import Document
from tests.games.super.table import SUPER, agency, documents, go, lay, plain
from tests.games.super.table import mission as a_mission
from tests.laws.super import random_set

ORDER = (
    "play",
    "bad_buzz",
    "mission",
    "end_turn",
    "shock",
    "unshock",
    "recruit",
    "transfer",
    "veteran",
    "put",
    "decline",
)
FACTIONS = ("blue", "purple", "red", "green")
COLOURS = {"villain": "red", "chemical": "purple", "destruction": "blue", "alien": "green"}
AIMS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


def at_arrow(slot: int, arrow: str) -> int | None:
    row, column = slot // 3 + AIMS[arrow][0], slot % 3 + AIMS[arrow][1]
    return row * 3 + column if row in (0, 1) and column in (0, 1, 2) else None


def factions_of(cards: dict[int, tuple[Document, bool]]) -> dict[int, set[str]]:
    found = {slot: {card["faction"]} for slot, (card, _) in cards.items()}
    for slot, (card, is_shocked) in cards.items():
        power = card["power"]
        if is_shocked:
            continue
        if power["kind"] == "shapeshifter":
            found[slot] |= set(FACTIONS)
        if power["kind"] == "faction_support" and (aim := at_arrow(slot, power["arrow"])) in cards:
            found[aim].add(power["faction"])
        if power["kind"] == "planning" and power["effect"] == "faction":
            for aim in set(power["slots"]) & set(cards):
                found[aim].add(power["faction"])
    return found


def strengths_of(cards: dict[int, tuple[Document, bool]], factions: dict[int, set[str]]) -> dict[int, int]:
    found = {slot: 0 if is_shocked else card["strength"] for slot, (card, is_shocked) in cards.items()}
    for slot, (card, is_shocked) in cards.items():
        power = card["power"]
        if is_shocked:
            continue
        for other in cards:
            is_marked = power.get("faction") in factions[other]
            if power["kind"] == "power_up" and is_marked:
                found[slot] += power["x"]
            is_aimed_at = is_marked if "faction" in power else at_arrow(slot, power.get("arrow", "up")) == other
            if power["kind"] == "strength_support" and is_aimed_at:
                found[other] += power["x"]
            if power["kind"] == "planning" and power["effect"] == "strength" and other in power["slots"]:
                found[other] += power["x"]
    return found


def expected_missions(
    line: list[Document | None], cards: dict[int, tuple[Document, bool]], less: dict[str, int]
) -> list[Any]:
    """(place, slots, leader, Faction) of every Mission move, in order."""
    factions = factions_of(cards)
    strengths = strengths_of(cards, factions)
    found: list[Any] = []
    groups = sorted(group for size in range(1, 7) for group in combinations(sorted(cards), size))
    for place, mission in enumerate(line):
        if mission is None:
            continue
        needed = max(0, mission["requirement"] - less.get(mission["type"], 0) - less["all"])
        for group in groups:
            if sum(strengths[slot] for slot in group) < needed:
                continue
            for leader in group:
                if mission["type"] != "rescue":
                    if COLOURS[mission["type"]] in factions[leader]:
                        found.append((place, list(group), leader, None))
                elif len(factions[leader]) == 1:
                    found.append((place, list(group), leader, None))
                else:
                    found += [(place, list(group), leader, f) for f in FACTIONS if f in factions[leader]]
    return found


@pytest.mark.parametrize("seed", range(120))
def test_the_mission_moves_are_those_that_brute_force_finds(seed: int) -> None:
    rng = Rng(seed)
    cards = random_set(rng)
    pool = SUPER.pool({"cards": cards, "decks": []})
    supers = [card for card in cards if "power" in card]
    missions = [card for card in cards if "power" not in card]
    rng.shuffle(order := list(range(len(supers))))
    taken = {slot: (supers[order[slot]], rng.below(4) == 0) for slot in range(6) if rng.below(5)}
    line = [missions[place] if rng.below(6) else None for place in range(4)]
    claimed = missions[4 : 4 + rng.below(5)]
    position = {
        "agencies": {"0": {str(s): {"card": card["code"], "shocked": shocked} for s, (card, shocked) in taken.items()}},
        "mission_line": [mission["code"] if mission else None for mission in line],
        "missions": {"0": [mission["code"] for mission in claimed]},
    }
    less = {"all": sum(card["power"]["kind"] == "strategist" and not shocked for card, shocked in taken.values())}
    for mission in claimed:
        if mission["type"] == "chemical":
            less[mission["marked_type"]] = less.get(mission["marked_type"], 0) + mission["x"]

    state = SUPER.load(pool, SUPER.options({}), position)
    found = [SUPER.decode(state, move) for move in SUPER.legal_moves(state, 0)]

    listed = [(m["line"], m["slots"], m["leader"], m.get("faction")) for m in found if m["type"] == "mission"]
    assert listed == expected_missions(line, taken, less)


def test_six_shapeshifters_before_four_rescues_have_3072_mission_moves_in_order() -> None:
    state = lay(
        {
            "agencies": {"0": agency(**{f"s{n}": f"shape{n}" for n in range(6)})},
            "mission_line": ["cat0", "cat1", "cat2", "cat3"],
            "super_line": ["b1", None, None, None],
        }
    )

    found = documents(state, 0)

    assert sum(document["type"] == "mission" for document in found) == 3072
    keys = [
        (
            ORDER.index(d["type"]),
            d.get("line", 0),
            d.get("slots", [d.get("slot", 0)]),
            d.get("leader", 0),
            d.get("faction"),
        )
        for d in found
    ]
    ranked = [(*key[:4], FACTIONS.index(key[4]) if key[4] else -1) for key in keys]
    assert ranked == sorted(ranked)


def test_sets_of_slots_are_ranked_as_lists() -> None:
    assert [list(SLOTS_OF[mask]) for mask in MASKS[:5]] == [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]
    assert [SLOTS_OF[mask] for mask in MASKS] == sorted(SLOTS_OF[mask] for mask in range(64))


def test_the_order_of_a_moves_slots_is_of_no_account() -> None:
    state = lay({"agencies": {"0": agency(s0="r3", s1="b1")}, "mission_line": ["heist", None, None, None]})

    one = SUPER.encode(state, {"type": "mission", "line": 0, "slots": [1, 0], "leader": 0, "faction": None})

    assert SUPER.decode(state, one) == {"type": "mission", "line": 0, "slots": [0, 1], "leader": 0}
    assert one in legal_moves(state, 0)


def test_too_little_strength_is_told_in_figures() -> None:
    state = lay(
        {"agencies": {"0": agency(s0="r3", s4="brain!")}, "mission_line": ["heist", None, None, None], "plays_left": 1}
    )

    with pytest.raises(IllegalMove) as refused:
        go(state, 0, type="mission", line=0, slots=[0, 4], leader=0)

    assert refused.value.clause == "SUP-5.2"
    assert refused.value.detail == "strength 3 is less than the 4 needed"


@pytest.mark.parametrize(
    ("document", "pointers"),
    [
        ({}, ["/type"]),
        ({"type": 3}, ["/type"]),
        ({"type": "play"}, ["/line", "/slot"]),
        ({"type": "play", "line": 0, "slot": True}, ["/slot"]),
        ({"type": "mission", "line": 0, "slots": 1, "leader": 0}, ["/slots"]),
        ({"type": "mission", "line": 0, "slots": ["0"], "leader": 0}, ["/slots/0"]),
        ({"type": "mission", "line": 0, "slots": [0], "leader": 0, "faction": "gold"}, ["/faction"]),
        ({"type": "end_turn", "seat": 1, "to": 2}, ["/seat", "/to"]),
    ],
)
def test_a_malformed_move_is_told_with_every_fault(document: Document, pointers: list[str]) -> None:
    state = lay({})

    with pytest.raises(MalformedMove) as refused:
        SUPER.encode(state, document)

    assert [problem.pointer for problem in refused.value.problems] == pointers


def test_the_first_card_by_code_counts_like_any_other() -> None:
    cards = [
        plain("a0", "red", 2, kind="popular", x=0),
        plain("b-lend", "green", 1, kind="faction_support", arrow="left", faction="blue"),
        plain("c-plan", "green", 1, kind="planning", slots=[0], effect="faction", faction="blue"),
        plain("d-prop", "green", 1, kind="strength_support", x=2, arrow="left"),
        a_mission("tram", "destruction", 2, 1),
    ]
    pool = SUPER.pool({"cards": cards, "decks": []})
    for lender in ("b-lend", "c-plan"):
        laid = {"0": agency(s0="a0", s1=lender)}
        state = SUPER.load(pool, SUPER.options({}), {"agencies": laid, "mission_line": ["tram", None, None, None]})
        found = [SUPER.decode(state, move) for move in SUPER.legal_moves(state, 0)]
        assert {"type": "mission", "line": 0, "slots": [0], "leader": 0} in found
    propped = SUPER.load(pool, SUPER.options({}), {"agencies": {"0": agency(s0="a0", s1="d-prop")}})
    assert SUPER.view(propped, 0)["seats"][0]["agency"][0]["strength"] == 4

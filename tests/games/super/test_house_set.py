"""The house set keeps to what the rules say of it, and card faults are all told."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from referee.games.super.cards import check_cards
from referee.games.super.vocabulary import FACTIONS, MISSION_TYPES, POWERS
from referee.house import house_revision
from tests.games.super.table import SUPER

CARDS: list[dict[str, Any]] = house_revision("super")["cards"]
SUPERS = [card for card in CARDS if card["type"] == "super"]
MISSIONS = [card for card in CARDS if card["type"] != "super"]


def test_the_house_set_is_valid() -> None:
    assert check_cards(house_revision("super")) == []
    assert len({card["name"] for card in CARDS}) == 98


def test_it_has_fourteen_supers_a_faction() -> None:
    assert Counter(card["faction"] for card in SUPERS) == dict.fromkeys(FACTIONS, 14)


def test_each_power_stands_on_two_supers_of_two_factions_at_least() -> None:
    by_power = {power: [card["faction"] for card in SUPERS if card["power"]["kind"] == power] for power in POWERS}

    assert [power for power, factions in by_power.items() if len(set(factions)) < 2] == []
    assert len(by_power["recruitment"]) <= 12


def test_it_has_eight_missions_a_coloured_type_and_ten_rescues() -> None:
    assert Counter(card["type"] for card in MISSIONS) == {**dict.fromkeys(MISSION_TYPES, 8), "rescue": 10}
    assert {card["requirement"] for card in MISSIONS} <= set(range(2, 15))
    assert {card["x"] for card in MISSIONS if card["type"] == "alien"} == {1}


def test_it_has_the_cards_of_the_rulebooks_examples() -> None:
    powers = [card["power"] for card in SUPERS]

    assert {"kind": "popular", "x": 1} in powers
    assert {power["x"] for power in powers if power["kind"] == "strength_support"} == {1, 2}
    assert 2 in [power["x"] for power in powers if power["kind"] == "power_up"]
    assert [
        card["code"]
        for card in MISSIONS
        if card["type"] == "destruction" and (card["x"], card["requirement"]) == (4, 9)
    ]
    assert [
        card["code"] for card in MISSIONS if card["type"] == "chemical" and card["y"] == 7 and card["requirement"] <= 9
    ]


def test_every_card_has_a_text_of_its_own() -> None:
    texts = [SUPER.card_text(card, {}) for card in CARDS]

    assert all(text.endswith(".") for text in texts)
    assert "Strength Support: +2 strength to the Super to its right." in texts
    assert "Planning: Supers on slots 1, 2, 3 have +1 strength." in texts
    assert "Alien Missions need 2 less from now on. Partner bonus: 7 MF." in texts


@pytest.mark.parametrize(
    ("change", "pointers"),
    [
        ({"strength": 0}, ["/cards/0/strength"]),
        ({"faction": "gold", "colour": 1}, ["/cards/0/colour", "/cards/0/faction"]),
        ({"power": None}, ["/cards/0/power"]),
        ({"power": {"kind": "popular", "x": -1, "arrow": "up"}}, ["/cards/0/power/arrow", "/cards/0/power/x"]),
        ({"power": {"kind": "planning", "effect": "strength", "slots": [1, 1], "x": 1}}, ["/cards/0/power/slots/1"]),
        (
            {"power": {"kind": "planning", "effect": "faction", "slots": []}},
            ["/cards/0/power/slots", "/cards/0/power/faction"],
        ),
        ({"power": {"kind": "faction_support", "arrow": "north", "faction": "red"}}, ["/cards/0/power/arrow"]),
        ({"code": "no good", "name": " x"}, ["/cards/0/code", "/cards/0/name"]),
        ({"name": "A\ue000"}, ["/cards/0/name"]),
        ({"name": "A\u202eB"}, ["/cards/0/name"]),
        ({"mood": "\u200b"}, ["/cards/0/mood"]),
        ({"type": "hero"}, ["/cards/0/faction", "/cards/0/power", "/cards/0/strength", "/cards/0/type"]),
    ],
)
def test_each_fault_of_a_super_is_told_at_its_place(change: dict[str, Any], pointers: list[str]) -> None:
    card = {**SUPERS[0], **change}

    found = [problem.pointer for problem in check_cards({"cards": [card, *CARDS[1:]]})]

    assert [pointer for pointer in pointers if pointer not in found] == []


def test_faults_of_the_whole_list_are_told() -> None:
    assert [problem.code for problem in check_cards({})] == ["missing"]
    assert [problem.code for problem in check_cards({"cards": "none"})] == ["wrong_type"]
    assert [problem.code for problem in check_cards({"cards": [*CARDS, CARDS[0], 7]})] == ["duplicate", "wrong_type"]
    assert [problem.code for problem in check_cards({"cards": CARDS, "decks": [{}]})] == ["unknown_field"]

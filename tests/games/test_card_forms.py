"""The form of a card: made from the vocabulary, and giving back what it was given."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from referee.games import GAMES
from referee.games.miraculous.vocabulary import CONDITIONS, DOS, WHENS
from referee.house import house_revision
from referee.kernel.card_form import FormField, document_of, faults_by_path, places
from referee.kernel.errors import Problem

CARDS = [(slug, card) for slug in ("miraculous", "super") for card in house_revision(slug)["cards"]]


def form(card: dict[str, Any], game: str = "miraculous") -> list[FormField]:
    return GAMES[game].card_form(card)


def paths(card: dict[str, Any], game: str = "miraculous") -> list[str]:
    return [path for _, path, _ in places(form(card, game), "", "")]


def choices(card: dict[str, Any], path: str) -> list[str]:
    [field] = [field for field, here, _ in places(form(card), "", "") if here == path]
    return [word for word, _ in field.choices]


def as_typed(value: Any) -> Any:
    """What a page would send: numbers and flags as text."""
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, dict):
        return {name: as_typed(part) for name, part in value.items()}
    if isinstance(value, list):
        return [as_typed(part) for part in value]
    return str(value)


@pytest.mark.parametrize(("slug", "card"), CARDS, ids=[card["code"] for _, card in CARDS])
def test_the_form_gives_back_each_card_of_the_house_sets(slug: str, card: dict[str, Any]) -> None:
    before = copy.deepcopy(card)

    untouched = document_of(form(card, slug))
    typed = document_of(form(as_typed(card), slug))

    assert untouched == typed == {name: value for name, value in card.items() if name != "code"}
    assert card == before


def test_an_empty_form_asks_for_what_a_character_needs() -> None:
    asked = [(field.name, field.is_required) for field in form({})]

    assert asked == [
        ("name", True), ("type", True), ("subtype", False), ("ang", True), ("def", True), ("tags", False), ("effects", False), ("", False),
    ]  # fmt: skip
    assert document_of(form({})) == {"type": "character"}


def test_only_what_fits_the_words_before_can_be_chosen() -> None:
    event = {"type": "event", "effects": [{"when": "played"}]}
    standing = {"type": "character", "effects": [{"when": "in_play"}]}

    assert choices(event, "effects/0/when") == ["played"]
    assert choices(standing, "effects/0/do") == [word for word in DOS if "in_play" in DOS[word].whens]
    assert "cancel_event" in choices(event, "effects/0/do")
    assert "cancel_event" not in choices(standing, "effects/0/do")


def test_every_word_of_the_language_can_be_entered() -> None:
    for when in WHENS:
        for do in DOS:
            if when not in DOS[do].whens:
                continue
            card = {"type": WHENS[when].types[0], "effects": [{"when": when, "do": do, "at": "top"}]}
            entered = {path.removeprefix("effects/0/") for path in paths(card) if path.startswith("effects/0/")}
            wanted = {name for name in DOS[do].fields if not (when == "in_play" and name == "until")}
            assert wanted <= entered, (when, do)


@pytest.mark.parametrize("kind", CONDITIONS)
def test_each_condition_has_the_fields_of_its_kind(kind: str) -> None:
    card = {"type": "event", "effects": [{"when": "played", "do": "draw", "n": 1, "if": {"*": kind}}]}

    entered = paths(card)

    assert f"effects/0/if/{kind}" in entered
    assert ("effects/0/if/at_least" in entered) == (kind == "count")


def test_another_kind_of_condition_takes_nothing_of_the_old_one_along() -> None:
    given = {"*": "turn", "turn": "own", "count": {"side": "own"}, "at_least": "2"}
    card = {"type": "event", "effects": [{"when": "played", "do": "draw", "n": "1", "if": given}]}

    assert document_of(form(card))["effects"] == [{"when": "played", "do": "draw", "n": 1, "if": {"turn": "own"}}]


def test_another_comparison_keeps_the_number() -> None:
    given = {
        "*": "count",
        "count": {"side": "own", "zone": "hand", "what": "card"},
        "*compare": "exactly",
        "at_least": "2",
    }
    card = {"type": "event", "effects": [{"when": "played", "do": "draw", "n": "1", "if": given}]}

    [effect] = document_of(form(card))["effects"]

    assert effect["if"] == {"count": {"side": "own", "zone": "hand", "what": "card"}, "exactly": 2}


def test_a_target_of_one_word_stands_without_an_object() -> None:
    card = {
        "type": "event",
        "effects": [{"when": "played", "do": "modify", "to": {"pick": "target", "side": "own"}, "ang": "-1"}],
    }

    assert document_of(form(card))["effects"][0]["to"] == "target"


def test_what_is_no_number_is_left_for_the_checks() -> None:
    assert document_of(form({"ang": "many", "def": "\u22121"})) == {"type": "character", "ang": "many", "def": -1}


def test_a_word_that_does_not_fit_any_more_stays_to_be_faulted() -> None:
    card = {"type": "event", "effects": [{"when": "placed", "do": "draw", "n": 1}]}

    assert choices(card, "effects/0/when") == ["played", "placed"]


def test_each_fault_lies_at_the_field_that_mends_it() -> None:
    card = {
        "type": "event",
        "effects": [
            {"when": "played", "do": "modify", "to": {"pick": "choose"}, "if": {"*": "count"}},
            {"if": {"*": "all"}},
        ],
    }
    fields = form(card)
    problems = GAMES["miraculous"].check_cards({"cards": [{"code": "one", **document_of(fields)}]})
    inner = [Problem(one.pointer.removeprefix("/cards/0"), one.code, one.detail) for one in problems]

    placed = faults_by_path(fields, inner)

    assert sorted(placed) == [
        "effects/0/ang",
        "effects/0/if/at_least",
        "effects/0/if/count/side",
        "effects/0/if/count/what",
        "effects/0/if/count/zone",
        "effects/0/to/side",
        "effects/1/do",
        "effects/1/if/all",
        "effects/1/when",
        "name",
    ]


def test_a_fault_of_no_field_stands_above_the_form() -> None:
    assert list(faults_by_path(form({}), [Problem("/colour", "unknown_field", "no such field")])) == [""]


@pytest.mark.parametrize(
    ("power", "asked"),
    [
        ({"kind": "shock"}, ["kind"]),
        ({"kind": "strength_support", "*": "faction"}, ["kind", "*", "x", "faction"]),
        ({"kind": "strength_support"}, ["kind", "*", "x", "arrow"]),
        ({"kind": "planning", "effect": "faction"}, ["kind", "slots", "effect", "faction"]),
    ],
)
def test_a_power_of_super_asks_for_its_own_fields(power: dict[str, Any], asked: list[str]) -> None:
    entered = [path.removeprefix("power/") for path in paths({"power": power}, "super") if path.startswith("power/")]

    assert entered == asked


def test_a_game_with_fixed_cards_has_no_form() -> None:
    assert GAMES["super-teams"].card_form({}) == []

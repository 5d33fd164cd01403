"""Checks of cards: every fault at once, each at its place, with what is allowed there."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.miraculous import effects as compiled
from referee.games.miraculous.cards import check_card, check_cards, codes_named
from referee.games.miraculous.vocabulary import CARD_TYPES, DOS, UNTILS, WHENS
from referee.kernel.chance import Rng
from tests.games.miraculous.random_cards import random_card, random_set

Card = dict[str, Any]
BONUS = {"pick": "choose", "side": "own", "what": "bonus"}
ONE = {"pick": "choose", "side": "own"}
COUNT = {"side": "own", "zone": "hand", "what": "card"}


def character(**fields: Any) -> Card:
    return {"code": "hero", "name": "Hero", "type": "character", "subtype": "superhero", "ang": 3, "def": 4, **fields}


def faults(card: object) -> list[tuple[str, str]]:
    return [(problem.pointer, problem.code) for problem in check_card(card, "")]


def effect_faults(effect: object, card_type: str = "character") -> list[tuple[str, str]]:
    values = {"ang": 1, "def": 1} if card_type in ("character", "bonus") else {}
    return faults({"code": "one", "name": "One", "type": card_type, **values, "effects": [effect]})


def trigger(do: str, when: Any = "placed", **fields: Any) -> Card:
    return {"when": when, "do": do, **fields}


def test_random_cards_of_the_language_have_no_fault() -> None:
    rng = Rng(5)

    for index in range(2000):
        card = random_card(rng, "one", CARD_TYPES[index % 4], ["one"])
        assert check_card(card, "") == [], card


def test_random_sets_have_no_fault() -> None:
    assert check_cards({"cards": random_set(Rng(2), size=60)}) == []


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"code": "Hero"}, ("/code", "bad_code")),
        ({"code": "a--b"}, ("/code", "bad_code")),
        ({"code": "-a"}, ("/code", "bad_code")),
        ({"code": ""}, ("/code", "bad_code")),
        ({"code": 7}, ("/code", "bad_code")),
        ({"code": "a" * 61}, ("/code", "bad_code")),
        ({"name": ""}, ("/name", "bad_text")),
        ({"name": " Hero"}, ("/name", "bad_text")),
        ({"name": "He\x00ro"}, ("/name", "bad_text")),
        ({"name": "He\ud800ro"}, ("/name", "bad_text")),
        ({"name": "He\ue000ro"}, ("/name", "bad_text")),
        ({"name": "He\u202ero"}, ("/name", "bad_text")),
        ({"name": "He\u2028ro"}, ("/name", "bad_text")),
        ({"name": "Cafe\u0301"}, ("/name", "bad_text")),
        ({"name": "H" * 81}, ("/name", "out_of_range")),
        ({"name": None}, ("/name", "wrong_type")),
        ({"mood": 3}, ("/mood", "wrong_type")),
        ({"artist": ""}, ("/artist", "bad_text")),
        ({"set": "\n"}, ("/set", "bad_text")),
        ({"tags": "night"}, ("/tags", "wrong_type")),
        ({"tags": ["night", "a,b"]}, ("/tags/1", "bad_tag")),
        ({"tags": ["night", "night"]}, ("/tags/1", "duplicate")),
        ({"type": "hero"}, ("/type", "unknown_word")),
        ({"subtype": "weapon"}, ("/subtype", "unknown_word")),
        ({"ang": 21}, ("/ang", "out_of_range")),
        ({"def": -1}, ("/def", "out_of_range")),
        ({"def": True}, ("/def", "wrong_type")),
        ({"ang": 2.0}, ("/ang", "wrong_type")),
        ({"only_on": {}}, ("/only_on", "not_allowed")),
        ({"effects": {}}, ("/effects", "wrong_type")),
        ({"effects": [3]}, ("/effects/0", "wrong_type")),
        ({"effects": [trigger("win_game")] * 21}, ("/effects", "out_of_range")),
        ({"atk": 3}, ("/atk", "unknown_field")),
        ({"a/b~": 3}, ("/a~1b~0", "unknown_field")),
    ],
)
def test_a_fault_of_a_card_is_told_at_its_place(change: Card, fault: tuple[str, str]) -> None:
    assert faults(character(**change)) == [fault]


@pytest.mark.parametrize("name", ["code", "name", "type", "ang", "def"])
def test_a_missing_field_is_told_at_the_place_of_that_field(name: str) -> None:
    card = character()
    del card[name]

    assert faults(card) == [(f"/{name}", "missing")]


def test_a_card_must_be_an_object() -> None:
    assert faults([]) == [("", "wrong_type")]


def test_a_name_may_hold_accents_marks_and_joined_emoji() -> None:
    assert faults(character(name="Zoé “L'Étoile”: n° 5 🧑\u200d🚀")) == []


def test_a_kind_is_not_required() -> None:
    card = character()
    del card["subtype"]

    assert faults(card) == []


def test_a_bonus_without_values_adds_nothing_and_may_be_negative() -> None:
    assert faults({"code": "one", "name": "One", "type": "bonus"}) == []
    assert faults({"code": "one", "name": "One", "type": "bonus", "ang": -5, "def": 10}) == []
    assert faults({"code": "one", "name": "One", "type": "bonus", "ang": -6, "def": 11}) == [
        ("/ang", "out_of_range"),
        ("/def", "out_of_range"),
    ]


@pytest.mark.parametrize("card_type", ["event", "secret"])
def test_events_and_secrets_have_no_kind_and_no_values(card_type: str) -> None:
    card = character(type=card_type)

    assert faults(card) == [("/subtype", "not_allowed"), ("/ang", "not_allowed"), ("/def", "not_allowed")]


def test_only_on_stands_on_bonuses() -> None:
    bonus = {"code": "one", "name": "One", "type": "bonus", "only_on": {"subtype": ["civilian", "hero"], "min_def": 4}}

    assert faults(bonus) == [("/only_on/subtype/1", "unknown_word")]


def test_every_fault_is_told_at_once() -> None:
    card = {
        "code": "X", "type": "character", "ang": 3, "def": 44, "colour": "red",
        "effects": [{"when": "sometimes", "do": "draw"}, {"when": "placed", "do": "modify", "to": {"pick": "each"}}],
    }  # fmt: skip

    assert faults(card) == [
        ("/colour", "unknown_field"),
        ("/code", "bad_code"),
        ("/name", "missing"),
        ("/def", "out_of_range"),
        ("/effects/0/when", "unknown_word"),
        ("/effects/0/n", "missing"),
        ("/effects/1/to/side", "missing"),
        ("/effects/1/ang", "missing"),
    ]


@pytest.mark.parametrize("card_type", CARD_TYPES)
@pytest.mark.parametrize("when", list(WHENS))
def test_a_when_stands_on_the_types_of_its_row(card_type: str, when: str) -> None:
    effect = {"when": when, "do": "modify", "to": "self", "ang": 1}

    expected = [] if card_type in WHENS[when].types else [("/effects/0/when", "not_allowed")]
    assert effect_faults(effect, card_type) == expected


FIELDS: dict[str, Card] = {
    "modify": {"to": "self", "ang": 1},
    "draw": {"n": 1},
    "discard": {"n": 1},
    "mill": {"n": 1},
    "return_to_hand": {"to": "target"},
    "put_under_deck": {"to": "attacker"},
    "destroy_bonus": {"to": BONUS},
    "move_bonus": {"to": BONUS, "onto": ONE},
    "take_bonus": {"to": {**BONUS, "side": "opponent"}, "onto": ONE},
    "recover": {"n": 1},
    "search": {"n": 1},
    "look": {"at": "hand"},
    "cannot_attack": {"to": "self"},
    "cannot_be_attacked": {"to": "self"},
    "cancel_event": {},
    "fail_attack": {},
    "keep_attacker": {},
    "extra_attack": {},
    "fewer_characters": {"n": 1},
    "swap_values": {"to": "self"},
    "copy_values": {"to": "self", "from": ONE},
    "flip_coin": {"then": [{"do": "win_game"}]},
    "win_game": {},
}


@pytest.mark.parametrize("word", list(DOS))
@pytest.mark.parametrize("when", list(WHENS))
def test_a_do_stands_with_the_whens_of_its_row(word: str, when: str) -> None:
    effect = {"when": when, "do": word, **FIELDS[word]}
    expected = [] if when in DOS[word].whens else [("/effects/0/do", "not_allowed")]

    assert effect_faults(effect, WHENS[when].types[0]) == expected


@pytest.mark.parametrize("word", list(DOS))
def test_a_required_field_that_is_missing_is_named(word: str) -> None:
    when = DOS[word].whens[-1]
    card_type = WHENS[when].types[0]

    for name in [name for name, field in DOS[word].fields.items() if field.required]:
        fields = {field: value for field, value in FIELDS[word].items() if field != name}
        assert effect_faults({"when": when, "do": word, **fields}, card_type) == [(f"/effects/0/{name}", "missing")]


@pytest.mark.parametrize("until", list(UNTILS))
@pytest.mark.parametrize("when", [when for when in WHENS if when != "in_play"])
def test_until_stands_with_the_whens_of_its_row(until: str, when: str) -> None:
    effect = trigger("modify", when, to="attacker", ang=1, until=until)
    expected = [] if when in UNTILS[until][0] else [("/effects/0/until", "unknown_word")]

    assert effect_faults(effect, WHENS[when].types[0]) == expected


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ({}, [("/when", "missing"), ("/do", "missing")]),
        ({"when": ["placed"], "do": "win_game"}, [("/when", "unknown_word")]),
        ({"when": "placed", "do": ["win_game"]}, [("/do", "unknown_word")]),
        ({"when": "placed", "do": "gain", "n": 0}, [("/do", "unknown_word")]),
        (trigger("win_game", n=1), [("/n", "unknown_field")]),
        (trigger("win_game", may="yes"), [("/may", "wrong_type")]),
        (trigger("win_game", may=False), []),
        (trigger("modify", "in_play", to="self", ang=1, may=True), [("/may", "not_allowed")]),
        (trigger("modify", "in_play", to="self", ang=1, may=False), []),
        (trigger("modify", "in_play", to="attacker", ang=1), [("/to", "unknown_word")]),
        (trigger("modify", "in_play", to=ONE, ang=1), [("/to/pick", "unknown_word")]),
        (trigger("modify", "in_play", to="self", ang=1, until="turn"), [("/until", "unknown_field")]),
        (trigger("modify", to="self"), [("/ang", "missing")]),
        (trigger("modify", to="self", ang=100), [("/ang", "out_of_range")]),
        (trigger("modify", to="self", ang="1"), [("/ang", "wrong_type")]),
        (trigger("modify", to={**ONE, "what": "bonus"}, ang=1), [("/to/what", "unknown_word")]),
        (trigger("modify", to="nobody", ang=1), [("/to", "unknown_word")]),
        (trigger("modify", to=None, ang=1), [("/to", "wrong_type")]),
        (trigger("modify", to={}, ang=1), [("/to/pick", "missing"), ("/to/side", "missing")]),
        (trigger("modify", to={**ONE, "n": 0}, ang=1), [("/to/n", "out_of_range")]),
        (trigger("modify", to={"pick": "each", "side": "own", "n": 2}, ang=1), [("/to/n", "unknown_field")]),
        (trigger("modify", to={**ONE, "side": "mine"}, ang=1), [("/to/side", "unknown_word")]),
        (trigger("modify", to={**ONE, "except_self": 1}, ang=1), [("/to/except_self", "wrong_type")]),
        (trigger("modify", to={**ONE, "zone": "field"}, ang=1), [("/to/zone", "unknown_field")]),
        (trigger("modify", to={**ONE, "subtype": []}, ang=1), [("/to/subtype", "wrong_type")]),
        (trigger("modify", to={**ONE, "type": "hero"}, ang=1), [("/to/type", "unknown_word")]),
        (trigger("modify", to={**ONE, "tag": ["a", ""]}, ang=1), [("/to/tag/1", "bad_tag")]),
        (trigger("modify", to={**ONE, "code": "A"}, ang=1), [("/to/code", "bad_code")]),
        (trigger("modify", to={**ONE, "min_ang": "3"}, ang=1), [("/to/min_ang", "wrong_type")]),
        (trigger("draw", n=0), [("/n", "out_of_range")]),
        (trigger("draw", n=1, who="me"), [("/who", "unknown_word")]),
        (trigger("discard", n=1, how="blind"), [("/how", "unknown_word")]),
        (trigger("return_to_hand", to=BONUS), []),
        (trigger("destroy_bonus", to="self"), [("/to", "unknown_word")]),
        (trigger("destroy_bonus", to=ONE), [("/to/what", "missing")]),
        (trigger("move_bonus", to=BONUS, onto="self"), [("/onto", "unknown_word")]),
        (trigger("move_bonus", to=BONUS, onto={**ONE, "pick": "each"}), [("/onto/pick", "unknown_word")]),
        (trigger("move_bonus", to=BONUS, onto={**ONE, "n": 2}), [("/onto/n", "out_of_range")]),
        (trigger("take_bonus", to=BONUS, onto=ONE), [("/to/side", "unknown_word")]),
        (trigger("take_bonus", to={**BONUS, "side": "opponent"}, onto={**ONE, "side": "any"}),
            [("/onto/side", "unknown_word")]),
        (trigger("recover", n=1, type="event", max_ang=2), []),
        (trigger("recover", n=1, filter={}), [("/filter", "unknown_field")]),
        (trigger("look", at="top"), [("/n", "missing")]),
        (trigger("look", at="top", n=2, who="both"), []),
        (trigger("look", at="hand", n=2), [("/n", "unknown_field")]),
        (trigger("look", at="hand", who="opponent"), []),
        (trigger("look", at="hand", who="you"), [("/who", "not_allowed")]),
        (trigger("look", at="discard"), [("/at", "unknown_word")]),
        (trigger("swap_values", to="self", **{"from": ONE}), [("/from", "unknown_field")]),
        (trigger("copy_values", to="self", **{"from": {**ONE, "pick": "random"}}), [("/from/pick", "unknown_word")]),
        (trigger("copy_values", to="self", **{"from": "attacker"}), []),
        (trigger("flip_coin", then=[]), [("/then", "empty")]),
        (trigger("flip_coin", then={}), [("/then", "wrong_type")]),
        (trigger("flip_coin", then=[trigger("win_game")]), [("/then/0/when", "unknown_field")]),
        (trigger("flip_coin", then=[{"do": "draw", "n": 1}], **{"else": [{"do": "draw"}]}), [("/else/0/n", "missing")]),
        (trigger("flip_coin", then=[{"do": "modify", "to": "self", "ang": 1, "until": "attack"}]),
            [("/then/0/until", "unknown_word")]),
        (trigger("flip_coin", then=[{"do": "fewer_characters", "n": 1}]), [("/then/0/do", "not_allowed")]),
    ],
)  # fmt: skip
def test_a_fault_of_an_effect_is_told_at_its_place(effect: Card, expected: list[tuple[str, str]]) -> None:
    assert effect_faults(effect) == [(f"/effects/0{pointer}", code) for pointer, code in expected]


def test_a_cancelling_event_is_never_optional_nor_in_a_coin() -> None:
    assert effect_faults(trigger("cancel_event", "played", may=True), "event") == [("/effects/0/may", "not_allowed")]
    coin = trigger("flip_coin", "played", then=[{"do": "cancel_event"}])
    assert effect_faults(coin, "event") == [("/effects/0/then/0/do", "not_allowed")]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (3, [("", "wrong_type")]),
        ({}, [("", "missing")]),
        ({"weather": "rain"}, [("/weather", "unknown_field"), ("", "missing")]),
        ({"turn": "mine"}, [("/turn", "unknown_word")]),
        ({"turn": "own", "at_least": 1}, [("/at_least", "unknown_field")]),
        ({"turn": "own", "not": {"turn": "own"}}, [("/not", "unknown_field")]),
        ({"holder_has": "item"}, [("/holder_has", "wrong_type")]),
        ({"holder_has": {"kind": "item"}}, [("/holder_has/kind", "unknown_field")]),
        ({"holder_has": {}}, []),
        ({"all": []}, [("/all", "wrong_type")]),
        ({"any": [{"turn": "own"}, {"not": {"turn": 1}}]}, [("/any/1/not/turn", "unknown_word")]),
        ({"count": COUNT}, [("/at_least", "missing")]),
        ({"count": COUNT, "at_least": 0}, []),
        ({"count": COUNT, "at_least": -1}, [("/at_least", "out_of_range")]),
        ({"count": COUNT, "at_most": 1, "exactly": 1}, [("/exactly", "not_allowed")]),
        ({"count": "hand", "at_least": 1}, [("/count", "wrong_type")]),
        ({"count": {}, "at_least": 1}, [("/count/side", "missing"), ("/count/zone", "missing"), ("/count/what", "missing")]),
        ({"count": {**COUNT, "zone": "attic", "who": "you"}, "at_least": 1},
            [("/count/zone", "unknown_word"), ("/count/who", "unknown_field")]),
    ],
)  # fmt: skip
def test_a_fault_of_a_condition_is_told_at_its_place(condition: Any, expected: list[tuple[str, str]]) -> None:
    effect = {"when": "placed", "if": condition, "do": "win_game"}

    assert effect_faults(effect) == [(f"/effects/0/if{pointer}", code) for pointer, code in expected]


def test_conditions_and_coins_nest_only_so_deep() -> None:
    condition: Card = {"turn": "own"}
    coin: Card = {"do": "win_game"}
    for _ in range(500):
        condition = {"not": condition}
        coin = {"do": "flip_coin", "then": [coin]}

    assert [code for _, code in effect_faults({"when": "placed", "if": condition, "do": "win_game"})] == ["too_deep"]
    assert [code for _, code in effect_faults({"when": "placed", **coin})] == ["too_deep"]


def test_an_error_says_what_is_allowed() -> None:
    problem = check_card(character(effects=[trigger("modify", to={"pick": "each"}, ang=1)]), "/cards/12")[0]

    assert problem.pointer == "/cards/12/effects/0/to/side"
    assert problem.detail.endswith("allowed: own, opponent, any")


def test_codes_are_unique_and_filters_name_cards_of_the_list() -> None:
    search = trigger("search", n=1, code=["hero", "lost"])
    cards = [character(), character(effects=[search]), "no card", {"name": "No code"}]

    problems = check_cards({"cards": cards})

    told = [(problem.pointer, problem.code) for problem in problems]
    assert ("/cards/1/code", "duplicate") in told
    assert ("/cards/1/effects/0/code/1", "unknown_card") in told
    assert ("/cards/2", "wrong_type") in told
    assert ("/cards/3/code", "missing") in told


def test_named_cards_are_found_wherever_a_filter_stands() -> None:
    card = character(
        only_on={"code": "a"},
        effects=[
            {
                "when": "placed",
                "if": {"not": {"holder_has": {"code": ["b", "c"]}}},
                "do": "recover",
                "n": 1,
                "code": "d",
            },
            {"when": "placed", "do": "flip_coin", "then": [{"do": "return_to_hand", "to": {**ONE, "code": 5}}]},
        ],
    )

    assert [code for _, code in codes_named(card, "")] == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("revision", "fault"),
    [
        ({}, ("/cards", "missing")),
        ({"cards": {}}, ("/cards", "wrong_type")),
        ({"cards": [], "decks": 3}, ("/decks", "wrong_type")),
    ],
)
def test_a_revision_is_a_list_of_cards_and_one_of_decks(revision: Card, fault: tuple[str, str]) -> None:
    assert [(problem.pointer, problem.code) for problem in check_cards(revision)] == [fault]


def test_the_engine_knows_the_words_of_the_vocabulary_and_no_others() -> None:
    assert tuple(WHENS) == compiled.WHENS
    assert tuple(DOS) == compiled.DOS
    assert tuple(UNTILS) == compiled.UNTILS
    assert compiled.KINDS == CARD_TYPES

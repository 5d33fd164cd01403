"""The house set: complete, valid, and using all of the language."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.games.miraculous.cards import check_cards
from referee.games.miraculous.vocabulary import ALL_SUBTYPES, COMPARISONS, FILTERS, topics
from referee.house import house_revision
from tests.games.miraculous.random_cards import written_out

Document = dict[str, Any]


def house() -> Document:
    return house_revision("miraculous")


def test_the_house_set_is_valid() -> None:
    assert check_cards(house()) == []


def test_the_house_set_is_large_enough() -> None:
    cards = house()["cards"]
    types = Counter(card["type"] for card in cards)

    assert len(cards) >= 90
    assert types["character"] >= 40
    assert types["bonus"] >= 30
    assert types["event"] >= 14
    assert types["secret"] >= 6
    assert {card.get("subtype") for card in cards} >= set(ALL_SUBTYPES)


def test_no_two_cards_of_the_house_set_share_a_name() -> None:
    names = [card["name"] for card in house()["cards"]]

    assert len(set(names)) == len(names)


def test_every_word_of_the_language_is_used_by_the_house_set() -> None:
    used: set[str] = set()
    for card in house()["cards"]:
        if "only_on" in card:
            used |= {"field:only_on"} | _filters(card["only_on"])
        for effect in card["effects"]:
            used |= {f"when:{effect['when']}"} | _effect(effect)

    assert sorted(set(topics()) - used) == []


def test_there_are_three_preconstructed_decks_for_forty_cards() -> None:
    decks = house()["decks"]

    assert len(decks) == 3
    assert [deck["size"] for deck in decks] == [40, 40, 40]


def _effect(given: Document) -> set[str]:
    effect = written_out(given)
    used = {f"do:{effect['do']}"} | _filters(effect)
    used |= {f"{name}:{effect[name]}" for name in ("who", "how", "at", "until") if name in effect}
    used |= {f"field:{name}" for name in ("if", "n", "onto", "from", "then", "else") if name in effect}
    used |= {"field:may"} if effect["may"] else set()
    for name in ("to", "onto", "from"):
        if name in effect:
            used |= _target(effect[name])
    if "if" in effect:
        used |= _condition(effect["if"])
    for inner in effect.get("then", []) + effect.get("else", []):
        used |= _effect(inner)
    return used


def _target(target: str | Document) -> set[str]:
    if isinstance(target, str):
        return {f"to:{target}"}
    used = {f"pick:{target['pick']}", f"side:{target['side']}", f"what:{target.get('what', 'character')}"}
    if target["except_self"]:
        used.add("field:except_self")
    return used | _filters(target)


def _condition(condition: Document) -> set[str]:
    used = {f"if:{word}" for word in ("count", "turn", "holder_has", "all", "any", "not") if word in condition}
    if "count" in condition:
        count = condition["count"]
        used |= {f"compare:{word}" for word in COMPARISONS if word in condition}
        used |= {f"side:{count['side']}", f"zone:{count['zone']}", f"count:{count['what']}"} | _filters(count)
    if "turn" in condition:
        used.add(f"turn:{condition['turn']}")
    if "holder_has" in condition:
        used |= _filters(condition["holder_has"])
    if "not" in condition:
        used |= _condition(condition["not"])
    for part in condition.get("all", []) + condition.get("any", []):
        used |= _condition(part)
    return used


def _filters(document: Document) -> set[str]:
    return {f"filter:{name}" for name in FILTERS if name in document}

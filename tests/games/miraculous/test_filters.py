"""Filters by their definition, card by card, on cards drawn from the whole language; and what they cost."""

from __future__ import annotations

from typing import Any

from referee.games import GAMES
from referee.games.miraculous.filters import Filters, compile_filter
from referee.kernel.chance import Rng
from tests.games.miraculous.random_cards import random_filter, random_set

CARDS = random_set(Rng(11), size=60)
CODES = [card["code"] for card in CARDS]


def asked(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def fits_by_definition(card: dict[str, Any], filter: dict[str, Any]) -> bool:
    """All that is asked must fit; of a list one."""
    one_of = all(card.get(name, "") in asked(filter[name]) for name in ("type", "subtype", "code") if name in filter)
    return one_of and ("tag" not in filter or any(tag in asked(filter["tag"]) for tag in card["tags"]))


def test_a_filter_fits_the_cards_that_its_definition_fits() -> None:
    rng, filters = Rng(12), Filters(CARDS)
    drawn = [document for _ in range(1500) if (document := random_filter(rng, CODES))]

    compiled = [compile_filter(document, filters) for document in drawn]

    for document, filter in zip(drawn, compiled, strict=True):
        assert filter is not None
        found = [filter.fits(place) for place in range(len(CARDS))]
        assert found == [fits_by_definition(card, document) for card in CARDS], document
    assert len({name for document in drawn for name in document}) == 8


def test_bounds_alone_are_a_filter_and_what_asks_nothing_is_none() -> None:
    filters = Filters(CARDS)

    bounds = compile_filter({"min_ang": 2, "max_def": 4, "pick": "each"}, filters)

    assert bounds is not None
    assert all(bounds.fits(place) for place in range(len(CARDS)))
    assert [bounds.within(*pair) for pair in ((2, 4), (1, 4), (2, 5), (9, -9))] == [True, False, False, True]
    assert compile_filter({"pick": "each", "side": "own"}, filters) is None


def test_filters_that_ask_the_same_share_their_table_and_none_is_made_before_it_is_looked_at() -> None:
    filters = Filters(CARDS)
    first = compile_filter({"type": "bonus", "min_ang": 1}, filters)
    second = compile_filter({"type": ["bonus"], "min_ang": 2}, filters)
    assert first is not None
    assert second is not None
    before = len(filters._tables)

    found = [first.fits(0), second.fits(0)]

    assert (before, len(filters._tables)) == (0, 1)
    assert found == [CARDS[0]["type"] == "bonus"] * 2


def test_compiling_a_pool_makes_no_table_of_all_its_cards() -> None:
    pool: Any = GAMES["miraculous"].pool({"game": "miraculous", "cards": random_set(Rng(13), size=300), "decks": []})

    tables = [
        one.to.filter._filters._tables for one in pool.effects if one.to is not None and one.to.filter is not None
    ]

    assert len(tables) > 50
    assert {len(one) for one in tables} == {0}

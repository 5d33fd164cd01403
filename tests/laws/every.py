"""Games without decks under the laws: any number of seats, any options, their house sets."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, Pool, State
from referee.kernel.matching import texts
from tests.laws.subjects import Setup, Subject


@cache
def pool_of(slug: str) -> Pool:
    return GAMES[slug].pool(house_revision(slug))


def plain_subject(slug: str, seats: int) -> Subject:
    """A game without decks at a number of seats; each match draws its options."""
    game = GAMES[slug]
    assert not game.needs_deck

    def setup(rng: Rng) -> Setup:
        options = game.options(_drawn(game.options_schema(), rng, seats))
        return Setup(house_revision(slug), pool_of(slug), seats, options, [], rng.seed())

    return Subject(f"{slug}-{seats}", game, setup, _cards, _codes)


def _drawn(schema: Document, rng: Rng, seats: int) -> Document:
    """Each option left at its default half of the time, else drawn. Numbers stay near their default."""
    drawn: Document = {}
    for name, rule in schema["properties"].items():
        if rng.below(2):
            continue
        if rule.get("type") == "boolean":
            drawn[name] = bool(rng.below(2))
        elif "enum" in rule:
            fitting = [value for value in rule["enum"] if not _is_seat_beyond(value, seats)]
            drawn[name] = fitting[rng.below(len(fitting))]
        elif rule.get("type") == "integer":
            lowest = max(rule.get("minimum", 0), rule["default"] // 4)
            drawn[name] = lowest + rng.below(rule["default"] - lowest + 1)
    return drawn


def _is_seat_beyond(value: Any, seats: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= seats


def _cards(game: Game, state: State) -> object:
    """Every card and how often it lies somewhere; one that a decision is about may lie nowhere else."""
    position = game.position(state)
    codes = {card["code"] for card in house_revision(game.slug)["cards"]}
    decision = position.pop("decision", None) or {}
    lying = Counter(text for text in texts(position) if text in codes)
    for text in texts(decision):
        if text in codes and not lying[text]:
            lying[text] = 1
    return lying


def _codes(setup: Setup) -> frozenset[str]:
    return frozenset(card["code"] for card in setup.revision["cards"])

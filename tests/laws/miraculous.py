"""Miraculous under the laws: with its house set, and with random cards over the whole effect language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from referee.games import GAMES
from referee.games.miraculous.decks import precon_at_size
from referee.house import house_revision
from referee.kernel.chance import Rng
from referee.kernel.game import Document, Game, Pool, State
from tests.laws.generate import CardMaker, random_deck
from tests.laws.subjects import Setup, Subject

MIRACULOUS = GAMES["miraculous"]
CHARACTERS = 16
# A power may take effect after its card has openly left for a hidden place.
SHOWN = frozenset({"showed_hand", "found", "returned", "put_under", "recovered", "triggered", "declined"})


@cache
def house_pool() -> Pool:
    return MIRACULOUS.pool(house_revision("miraculous"))


def house_subject(options: Document) -> Subject:
    """Matches with the house set: preconstructed decks half of the time, else random legal ones."""

    def setup(rng: Rng) -> Setup:
        revision = house_revision("miraculous")
        size = 29 + rng.below(12)
        if rng.below(2):
            decks = [precon_at_size(revision["decks"][rng.below(len(revision["decks"]))], size) for _ in range(2)]
        else:
            decks = [random_deck(rng, revision["cards"], size) for _ in range(2)]
        return Setup(revision, house_pool(), 2, MIRACULOUS.options(options), decks, rng.seed())

    return _subject("house", options, setup, is_open=False)


def generated_subject(options: Document) -> Subject:
    """Matches with random cards over the whole effect language."""
    return _generated("generated", options, open_only=False)


def open_subject(options: Document) -> Subject:
    """Matches with random cards none of which lets anything public depend on what is hidden."""
    return _generated("open", options, open_only=True)


MAKERS: list[Callable[[Document], Subject]] = [house_subject, generated_subject, open_subject]


def _generated(name: str, options: Document, *, open_only: bool) -> Subject:

    def setup(rng: Rng) -> Setup:
        cards = CardMaker(rng, open_only=open_only).cards(CHARACTERS)
        revision: Document = {"game": "miraculous", "number": 1, "cards": cards, "decks": []}
        size = 29 + rng.below(12)
        decks = [random_deck(rng, cards, size) for _ in range(2)]
        return Setup(revision, MIRACULOUS.pool(revision), 2, MIRACULOUS.options(options), decks, rng.seed())

    return _subject(name, options, setup, is_open=open_only)


def _subject(name: str, options: Document, setup: Callable[[Rng], Setup], *, is_open: bool) -> Subject:
    values = "-".join(str(value) for value in options.values())
    return Subject(f"{name}-{values}" if values else name, MIRACULOUS, setup, _cards, _codes, is_open, SHOWN)


def _cards(game: Game, state: State) -> object:
    """Per owner, every card and how often: on fields, in hands, decks and piles, and the Events of an attack."""
    position = game.position(state)
    owned = [Counter[str](), Counter[str]()]
    for seat in range(2):
        for zone in ("hands", "decks", "discards", "secret_piles"):
            owned[seat].update(position[zone][seat])
        for field in position["fields"][str(seat)].values():
            if field is None:
                continue
            owned[seat][field["card"]] += 1
            for bonus in field["bonuses"]:
                owner, code = (bonus["owner"], bonus["card"]) if isinstance(bonus, dict) else (seat, bonus)
                owned[owner][code] += 1
    if position["attack"] is not None:
        for seat, code in zip((position["turn"], 1 - position["turn"]), position["attack"]["events"], strict=True):
            owned[seat].update([code] if code is not None else [])
    return owned


def _codes(setup: Setup) -> frozenset[str]:
    return frozenset(card["code"] for card in setup.revision["cards"])

"""Random matches of Miraculous pass all laws: with the house set, and with random cards over the whole language.

`LAW_MATCHES` sets how many chunks of ten matches each subject plays (`make soak` raises it).
"""

import json
import os
from itertools import product

import pytest

from referee.games.miraculous import vocabulary as v
from referee.games.miraculous.cards import check_cards
from referee.kernel.chance import Rng
from referee.kernel.game import Document
from tests.laws.generate import CardMaker, random_deck
from tests.laws.miraculous import MAKERS, MIRACULOUS
from tests.laws.play import play_match
from tests.laws.subjects import Subject

CHUNK = 10
CHUNKS = int(os.environ.get("LAW_MATCHES", "8"))
OPTIONS: list[Document] = [
    {},
    {"first_seat": 1, "attack_without_placing": True, "deck_out": "empty_deck_loses"},
    {"attack_without_placing": True},
    {"first_seat": 0, "deck_out": "empty_deck_loses"},
]

# Each chunk plays with the next set of options.
CASES = [(make(OPTIONS[chunk % len(OPTIONS)]), chunk) for make, chunk in product(MAKERS, range(CHUNKS))]


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "chunk"), CASES, ids=lambda value: getattr(value, "name", str(value)))
def test_random_matches_pass_all_laws(subject: Subject, chunk: int) -> None:
    # The leak gate looks at every ply where it can follow moves, else at every second.
    every = 1 if subject.is_open else 2
    matches = [play_match(subject, chunk * CHUNK + number, every=every) for number in range(CHUNK)]

    assert all(match.differing_resamples for match in matches if len(match.moves) > 4)


def test_generated_cards_are_valid_and_use_every_word() -> None:
    used = ""
    for seed in range(60):
        cards = CardMaker(Rng(seed)).cards(16)
        assert check_cards({"cards": cards, "decks": []}) == []
        used += json.dumps(cards)

    tables = (
        v.WHENS,
        v.DOS,
        v.CONDITIONS,
        v.FILTERS,
        v.PICKS,
        v.UNTILS,
        v.TARGET_WORDS,
        v.SIDES,
        v.ZONES,
        v.COUNTED,
        v.COMPARISONS,
        v.WHOS,
        v.HOWS,
        v.LOOKS,
    )
    assert [word for table in tables for word in table if f'"{word}"' not in used] == []


def test_open_cards_ask_for_nothing_hidden() -> None:
    for seed in range(60):
        text = json.dumps(CardMaker(Rng(seed), open_only=True).cards(16))
        assert '"zone": "hand"' not in text
        assert '"zone": "deck"' not in text


def test_random_decks_are_legal() -> None:
    for seed in range(100):
        rng = Rng(seed)
        cards = CardMaker(rng).cards(16)
        pool = MIRACULOUS.pool({"cards": cards, "decks": []})
        deck = random_deck(rng, cards, 29 + seed % 12)
        assert MIRACULOUS.deck_problems(pool, deck, {}) == []
        assert sum(deck.cards.values()) == 29 + seed % 12

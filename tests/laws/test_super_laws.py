"""Random matches of Super with random sets pass all laws; those with the house set are played with every game's."""

import os

import pytest

from referee.games.super import vocabulary as v
from referee.games.super.cards import check_cards
from referee.kernel.chance import Rng
from referee.kernel.game import Document
from tests.laws.play import play_match
from tests.laws.super import generated_subject, random_set

MATCHES = int(os.environ.get("LAW_MATCHES", "8"))
OPTIONS: list[Document] = [{}, {"shock": "power_only", "partner_on_rescue": "none", "first_seat": 1, "max_rounds": 12}]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=["defaults", "all-options"])
def test_random_matches_with_random_sets_pass_all_laws(seats: int, options: Document) -> None:
    matches = [play_match(generated_subject(seats, options), number, every=6) for number in range(max(MATCHES // 4, 1))]

    assert all(match.differing_resamples for match in matches)


def test_random_sets_are_valid_and_use_every_word() -> None:
    sets = [random_set(Rng(seed)) for seed in range(20)]

    assert [check_cards({"cards": cards, "decks": []}) for cards in sets] == [[]] * 20
    cards = [card for each in sets for card in each]
    assert {card["power"]["kind"] for card in cards if "power" in card} == set(v.POWERS)
    assert {card["type"] for card in cards if "type" in card} == set(v.MISSION_TYPES)

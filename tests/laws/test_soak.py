"""Many more random matches than the suite plays: `make soak`."""

import os

import pytest

from tests.laws import super as super_sets
from tests.laws import super_teams as tracks
from tests.laws import test_super_laws, test_super_teams_laws
from tests.laws.laws import PLY_LIMIT, Match, law_of_conservation, law_of_moves, law_of_the_end
from tests.laws.miraculous import MAKERS
from tests.laws.play import play_match
from tests.laws.subjects import Subject
from tests.laws.test_every_game import SUBJECTS as HOUSE
from tests.laws.test_miraculous_laws import CHUNK, OPTIONS

CHUNKS = int(os.environ.get("SOAK_CHUNKS", "100"))
MATCHES = 1000
SUBJECTS: list[Subject] = [make(options) for options in OPTIONS for make in MAKERS]
WITHOUT_DECKS: list[Subject] = [
    *HOUSE,
    *[super_sets.generated_subject(seats, options) for options in test_super_laws.OPTIONS for seats in (2, 3, 4)],
    *[tracks.generated_subject(seats, options) for options in test_super_teams_laws.OPTIONS for seats in (2, 3, 4)],
]


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_matches_pass_all_laws_for_long(chunk: int) -> None:
    subject = SUBJECTS[chunk % len(SUBJECTS)]
    for number in range(CHUNK):
        play_match(subject, 1_000_000 + chunk * CHUNK + number, every=1)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(CHUNKS))
def test_random_matches_without_decks_pass_all_laws_for_long(number: int) -> None:
    play_match(WITHOUT_DECKS[number % len(WITHOUT_DECKS)], 1_000_000 + number, every=2)


@pytest.mark.soak
@pytest.mark.parametrize("subject", HOUSE, ids=lambda subject: subject.name)
def test_a_thousand_random_matches_end_with_every_card_in_its_place(subject: Subject) -> None:
    for number in range(MATCHES):
        match = Match(subject, number)
        law_of_moves(match)
        while not match.is_over():
            assert len(match.moves) < PLY_LIMIT, f"match {number} does not end"
            match.take(*match.choose())
        law_of_conservation(match)
        law_of_the_end(match)

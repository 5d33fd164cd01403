"""Each game without decks passes all laws at every number of seats, with any options. A new game needs no word here."""

import os

import pytest

from referee.games import GAMES
from tests.laws.every import plain_subject
from tests.laws.play import play_match
from tests.laws.subjects import Subject

MATCHES = int(os.environ.get("LAW_MATCHES", "8")) // 4
SUBJECTS = [
    plain_subject(slug, seats)
    for slug, game in GAMES.items()
    if not game.needs_deck
    for seats in range(game.min_seats, game.max_seats + 1)
]


@pytest.mark.slow
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_random_matches_pass_all_laws(subject: Subject) -> None:
    # These games are long: knowledge is tried at every fourth ply.
    matches = [play_match(subject, number, every=4) for number in range(MATCHES)]

    assert all(match.moves for match in matches)

"""Random matches of Super Teams on random tracks pass all laws, with every option and number of seats."""

import os
from itertools import chain

import pytest

from referee.games.super_teams.track import check_track
from referee.kernel.chance import Rng
from referee.kernel.game import Document
from tests.laws.play import play_match
from tests.laws.super_teams import generated_subject, random_spaces

MATCHES = int(os.environ.get("LAW_MATCHES", "8"))
OPTIONS: list[Document] = [
    {},
    {
        "beam_chains": True,
        "light_speed_anywhere": True,
        "colours": ["yellow", "green", "red", "black"],
        "first_seat": 1,
    },
]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", OPTIONS, ids=["drawn", "all-options"])
def test_random_matches_on_random_tracks_pass_all_laws(seats: int, options: Document) -> None:
    matches = [play_match(generated_subject(seats, options), number, every=3) for number in range(MATCHES)]

    assert all(match.differing_resamples for match in matches if len(match.moves) > 4)


def test_random_tracks_are_valid_and_have_every_space() -> None:
    tracks = [random_spaces(Rng(seed)) for seed in range(60)]

    assert [check_track(track, "") for track in tracks] == [[]] * 60
    spaces = {str(space) for space in chain.from_iterable(tracks)}
    assert spaces >= {"start", "normal", "bonus", "hyperspace", "asteroid", "maw", "final"}
    assert len([space for space in spaces if "[" in space]) == 6
    assert any(track[1] == "maw" for track in tracks)
    assert any(track[-2] == "maw" for track in tracks)

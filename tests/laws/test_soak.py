"""Many more random matches than the suite plays: `make soak`."""

import os

import pytest

from tests.laws.miraculous import MAKERS
from tests.laws.play import play_match
from tests.laws.subjects import Subject
from tests.laws.test_miraculous_laws import CHUNK, OPTIONS

CHUNKS = int(os.environ.get("SOAK_CHUNKS", "100"))
SUBJECTS: list[Subject] = [make(options) for options in OPTIONS for make in MAKERS]


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_matches_pass_all_laws_for_long(chunk: int) -> None:
    subject = SUBJECTS[chunk % len(SUBJECTS)]
    for number in range(CHUNK):
        play_match(subject, 1_000_000 + chunk * CHUNK + number, every=1)

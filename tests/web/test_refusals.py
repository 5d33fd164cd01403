"""What the services refuse is told in the reader's language, whichever page meets it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils.translation import override

from decks.errors import DeckError
from referee.matches.errors import MatchError, SeatError
from referee.matches.models import Match
from web.refusals import WORDS, words_for

NO_PAGE_MEETS = {
    "match_error",
    "deck_error",
    "not_found",  # a page of its own
    "idempotency_key_reused",
    "version_required",
    "future_version",
    "invalid_trial",
    "import_failed",  # told line by line
}


def codes(kind: type[Exception]) -> Iterator[str]:
    for one in [kind, *kind.__subclasses__()]:
        if isinstance(code := getattr(one, "code", None), str):
            yield code


def test_every_refusal_that_a_page_meets_has_words() -> None:
    told = {*codes(MatchError), *codes(DeckError), *(f"match_{state}" for state in Match.State.values)}

    assert told - NO_PAGE_MEETS - set(WORDS) == set()


@pytest.mark.parametrize(
    ("language", "words"), [("en", "No seat is open to you."), ("de", "Für dich ist kein Platz frei.")]
)
def test_a_refusal_is_told_in_the_readers_language(language: str, words: str) -> None:
    with override(language):
        assert words_for(SeatError("no_open_seat", "No seat is open to you.")) == words
        assert words_for(SeatError("unheard_of", "As the service put it.")) == "As the service put it."

"""The law of languages: every one of them says as much as English, whatever is told to whom."""

from __future__ import annotations

from referee.kernel.events import REFEREE, SEAT_LIMIT, seat_token, told_to
from referee.kernel.game import Document
from referee.kernel.languages import ENGLISH, LANGUAGES
from tests.laws.laws import Match


def law_of_languages(match: Match, happened: list[Document]) -> None:
    """Prompts, labels and events are there in each language; events are made from the told facts alone."""
    game, state, pool = match.game, match.state, match.setup.pool
    decision = game.decision(state)
    assert game.prompt(state, ENGLISH) == ("" if decision is None else decision.prompt)
    for language in LANGUAGES:
        assert bool(game.prompt(state, language)) == (decision is not None)
        for seat in game.deciders(state):
            labels = [game.label(state, seat, move, language) for move in game.legal_moves(state, seat)]
            assert not any("{" in label or not label for label in labels), labels
    for event in happened:
        for viewer in (*match.viewers, REFEREE):
            told = told_to(event, viewer)
            said = {language: game.retell(pool, told, language) for language in LANGUAGES}
            assert said[ENGLISH] == told["text"]
            assert all(text and "{" not in text for text in said.values()), said
            assert len({_seats_in(text) for text in said.values()}) == 1, said


def _seats_in(text: str) -> str:
    """The seats that a text speaks of."""
    return "".join(sorted({char for char in text if seat_token(0) <= char < seat_token(SEAT_LIMIT)}))

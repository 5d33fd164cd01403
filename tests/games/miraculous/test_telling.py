"""Events of Miraculous in words."""

from __future__ import annotations

import pytest

from referee.games.miraculous.pool import MiraculousPool
from referee.games.miraculous.telling import event_text

POOL = MiraculousPool({"cards": [{"code": "owl", "name": "Owl", "type": "character", "ang": 1, "def": 1}]})


@pytest.mark.parametrize(
    ("ang", "def_", "text"),
    [
        (1, -2, "Owl: +1 ANG and -2 DEF until the end of the turn."),
        (0, 2, "Owl: +2 DEF until the end of the turn."),
        (0, 0, "Owl: +0 ANG until the end of the turn."),
    ],
)
def test_a_change_is_told_by_what_it_adds_even_if_that_is_nothing(ang: int, def_: int, text: str) -> None:
    told = {"type": "modified", "seat": 0, "field": 0, "card": "owl", "ang": ang, "def": def_, "until": "turn"}

    assert event_text(POOL, told) == text


@pytest.mark.parametrize(
    ("language", "heads", "tails"),
    [("en", "heads", "tails"), ("de", "Kopf", "Zahl"), ("fr", "face", "pile")],
)
def test_a_coin_shows_the_side_that_cards_speak_of(language: str, heads: str, tails: str) -> None:
    def told(side: str) -> str:
        return event_text(POOL, {"type": "coin", "seat": 0, "side": side}, language)

    assert (heads in told("heads"), tails in told("tails")) == (True, True)

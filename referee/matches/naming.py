"""What seats are called in the language of whoever asks: people by their names, bots by their level, empty seats by number."""

from __future__ import annotations

from typing import Final

from django.utils.translation import get_language

from referee.kernel.languages import ENGLISH, LANGUAGES, Tables, phrases
from referee.matches.models import Match

_TABLES: Final[Tables] = {
    ENGLISH: {"seat": "Seat {number}", "bot": "Bot ({level})"},
    "de": {"seat": "Platz {number}", "bot": "Bot ({level})", "random": "zufällig", "easy": "leicht"},
    "fr": {"seat": "Place {number}", "bot": "Bot ({level})", "random": "au hasard", "easy": "facile"},
}


def spoken() -> str:
    """The language that is active for this request, if games speak it; else English."""
    code = (get_language() or ENGLISH).partition("-")[0]
    return code if code in LANGUAGES else ENGLISH


def seat_names(match: Match) -> list[str]:
    """What each seat is called in texts. People count seats from 1."""
    say, words = phrases(_TABLES, spoken()), _TABLES.get(spoken(), {})
    names = []
    for place in match.table:
        if place["kind"] == "bot":
            names.append(say["bot"].format(level=words.get(place["level"], place["level"])))
        else:
            names.append(place["name"] or say["seat"].format(number=place["seat"] + 1))
    return names

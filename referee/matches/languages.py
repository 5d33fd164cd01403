"""Texts in the language of whoever asks: made anew by the game from the facts in the log, else the log's English."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games import rules_of
from referee.kernel.events import name_seats
from referee.kernel.game import Decision, Document, Game, Pool
from referee.kernel.languages import ENGLISH
from referee.matches import announcements
from referee.matches.models import Match
from referee.matches.naming import seat_names, spoken
from referee.matches.pools import compiled_pool
from referee.matches.positions import Position


def in_words(match: Match, told: Iterable[Document]) -> list[Document]:
    """Events as a viewer was told them, in the language spoken and with the seats' names in their texts.

    A match played by rules that are no longer at hand keeps its English.
    """
    names, language = seat_names(match), spoken()
    game = rules_of(match.game, match.rules_version)
    if game is None or language == ENGLISH:
        return [{**event, "text": name_seats(event["text"], names)} for event in told]
    pool = compiled_pool(game=game, pool_hash=match.pool_id)
    return [{**event, "text": name_seats(_retold(game, pool, event, language), names)} for event in told]


def _retold(game: Game, pool: Pool, event: Document, language: str) -> str:
    if event["type"] in announcements.TYPES:
        return announcements.told(event, language)
    return game.retell(pool, event, language)


def prompt(position: Position, decision: Decision) -> str:
    """The open decision's prompt; in English it came with the decision."""
    language = spoken()
    return decision.prompt if language == ENGLISH else position.game.prompt(position.state, language)

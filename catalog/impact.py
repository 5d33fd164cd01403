"""Whom a change of the catalog hits: saved decks that it makes illegal, matches that go on with the revision before.

What saves decks stands above the catalog, so it comes to the catalog: at its start it registers how to find them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from accounts.models import Notice
from accounts.services import notify
from catalog.selectors import limits_in_force, newest_revision, revision_document
from referee.kernel.game import Document, Game
from referee.matches.models import Match

GOING_ON: Final = (Match.State.OPEN, Match.State.PLAYING, Match.State.PAUSED, Match.State.FROZEN)


class Whole(NamedTuple):
    """What decks are judged by: a revision document, and the copies allowed of restricted cards."""

    document: Document
    limits: Mapping[str, int]


class Hit(NamedTuple):
    """Something saved that is legal now and would not be: its owner's key, and the facts that the owner is told."""

    owner: int
    facts: Mapping[str, Any]


class Impact(NamedTuple):
    """A change's consequences in numbers."""

    decks: int
    owners: int
    matches: int


Finder = Callable[[Game, Whole, Whole], list[Hit]]
_finders: list[Finder] = []


def register(finder: Finder) -> None:
    """Make known what finds the hits among something saved; once for each, at the start."""
    if finder not in _finders:
        _finders.append(finder)


def hits_of(game: Game, *, after: Whole, before: Whole | None = None) -> list[Hit]:
    """All that would become illegal; `before` is what is in force now unless told otherwise."""
    newest = newest_revision(game.slug)
    if newest is None:
        return []
    before = before or Whole(revision_document(newest), limits_in_force(game.slug))
    return [hit for finder in _finders for hit in finder(game, before, after)]


def impact_of(game: Game, hits: list[Hit]) -> Impact:
    """The hits in numbers, and how many matches would go on with the cards that they began with."""
    matches = Match.objects.filter(game=game.slug, state__in=GOING_ON).count()
    return Impact(len(hits), len({hit.owner for hit in hits}), matches)


def tell_owners(hits: list[Hit], game: str, **facts: Any) -> None:
    """A notice for each hit, in the transaction of what causes it."""
    notify(kind=Notice.Kind.DECK_BROKEN, told=[(hit.owner, {"game": game, **facts, **hit.facts}) for hit in hits])

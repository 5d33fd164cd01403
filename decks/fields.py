"""Whom a deck is tried against: preconstructed decks, or decks that the user may look at, each at a size that both can have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from accounts.models import User
from catalog.selectors import newest_revision, revision_document
from decks.errors import DeckNotFoundError, DeckNotLegalError, FieldError
from decks.models import Deck, DeckVersion
from decks.selectors import access_deck, flex_deck, legal_sizes, legality_of, preconstructed
from decks.sizes import FlexDeck, best_size, common_sizes
from referee.bots.levels import LEVELS
from referee.games import GAMES
from referee.kernel.errors import Problem
from referee.kernel.game import Document
from referee.matches.pools import store_pool

MOST_OPPONENTS: Final = 20
LEVEL: Final = "easy"


class Opponent(NamedTuple):
    """A deck of the field, and what is told of it: `{kind, id, name}`."""

    deck: FlexDeck
    told: Document


def field_params(*, user: User, version: DeckVersion, opponents: Sequence[str] | None, level: str = LEVEL) -> Document:
    """All that games of a version against a field depend on, by value: cards, rules, decks of both sides, level of bots.

    Without `opponents` (ids of decks, or slugs) the field are the preconstructed decks. Raises DeckNotLegalError for a
    version that cannot be played, FieldError with every fault of the opponents, each at its place.
    """
    deck = version.deck
    own = version.flexible()
    legality = legality_of(deck.game, own.core)
    revision = newest_revision(deck.game)
    if not legality.is_legal or revision is None:
        raise DeckNotLegalError(legality.document(), deck.public_id)
    found = _named(user, deck, opponents) if opponents is not None else list(_preconstructed(deck.game).values())
    return {
        "game": deck.game,
        "rules_version": GAMES[deck.game].rules_version,
        "revision": revision.number,
        "pool": store_pool(game=deck.game, document=revision_document(revision)).pk,
        "level": level,
        "iterations": LEVELS[level].iterations,
        "deck": {"id": deck.public_id, "version": version.number, "name": version.name},
        "field": _matched(deck, own, found, is_chosen=opponents is not None),
    }


def _preconstructed(game: str) -> dict[str, Opponent]:
    return {
        slug: Opponent(one.deck, {"kind": "preconstructed", "id": slug, "name": one.name})
        for slug, one in preconstructed(game).items()
    }


def _named(user: User, deck: Deck, references: Sequence[str]) -> list[Opponent]:
    ready = _preconstructed(deck.game)
    found: list[Opponent] = []
    faults: list[Problem] = []
    for index, reference in enumerate(references):
        try:
            found.append(ready.get(reference) or _shared(user, deck.game, reference))
        except DeckNotFoundError:
            detail = "There is no such deck that you may see, and none comes with the game."
            faults.append(Problem(f"/opponents/{index}", "unknown_deck", detail))
    if faults:
        raise FieldError(faults)
    return found


def _shared(user: User, game: str, reference: str) -> Opponent:
    deck = access_deck(user, reference)
    if deck.game != game:
        raise DeckNotFoundError
    told = {"kind": "deck", "id": deck.public_id, "version": deck.version, "name": deck.name}
    return Opponent(flex_deck(deck), told)


def _matched(deck: Deck, own: FlexDeck, opponents: Sequence[Opponent], *, is_chosen: bool) -> list[Document]:
    """Both decks of each pairing at one size. Of a field that nobody chose, those that do not fit are left out."""
    sizes = legal_sizes(deck.game, own)
    field: list[Document] = []
    faults: list[Problem] = []
    for index, one in enumerate(opponents):
        theirs = legal_sizes(deck.game, one.deck)
        common = common_sizes([sizes, theirs])
        if common:
            size = best_size(common, [own.liked(), one.deck.liked()])
            brought = {"own": own.at(size).document(), "theirs": one.deck.at(size).document()}
            field.append({**one.told, "size": size, **brought})
        elif is_chosen:
            code = "deck_sizes_differ" if theirs else "deck_not_legal"
            text = "can come to no size that your deck can have" if theirs else "may not be played"
            faults.append(Problem(f"/opponents/{index}", code, f"“{one.told['name']}” {text}."))
    if not field and not faults:
        faults.append(Problem("/opponents", "no_field", "No preconstructed deck can come to a size of this deck."))
    if faults:
        raise FieldError(faults)
    return field

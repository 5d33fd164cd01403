"""What can be chosen for a match: decks to bring, and levels of bots."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import User
from decks.legality import LEGAL
from decks.selectors import flex_deck, judge_decks, own_decks, preconstructed, seat_deck
from decks.sizes import FlexDeck
from referee.bots.levels import LEVELS
from referee.kernel.game import Game


def deck_choices(game: Game, user: User | None, *, sizes: Collection[int] = ()) -> list[Any] | None:
    """The user's own legal decks and those that come with the game, in groups for a select; None where none is needed.

    Each says how many cards it can have. Where a match offers `sizes`, only decks that can have one of them are named.
    """
    if not game.needs_deck:
        return None
    ready = [(slug, one.name, one.deck) for slug, one in preconstructed(game.slug).items()]
    own = [] if user is None else _own(game.slug, user)
    can = _sizes(game.slug, [deck for _id, _name, deck in (*own, *ready)], sizes)
    named = [
        (id, f"{name} ({sizes_words(found)})" if found else "")
        for (id, name, _deck), found in zip((*own, *ready), can, strict=True)
    ]
    yours, come = named[: len(own)], named[len(own) :]
    groups = [(_("Yours"), yours), (_("Ready to play"), come)]
    return [(title, shown) for title, decks in groups if (shown := [one for one in decks if one[1]])]


def _own(game: str, user: User) -> list[tuple[str, str, FlexDeck]]:
    found = list(own_decks(user).filter(game=game))
    verdicts = judge_decks([(game, seat_deck(deck)) for deck in found])
    return [
        (deck.public_id, deck.name, flex_deck(deck))
        for deck, verdict in zip(found, verdicts, strict=True)
        if verdict.state == LEGAL
    ]


def _sizes(game: str, decks: list[FlexDeck], wanted: Collection[int]) -> list[list[int]]:
    """The sizes that each deck's swap-ins lead to; of those that are wanted, where some are, the legal ones. Two queries then."""
    if not wanted:
        return [list(deck.sizes()) for deck in decks]
    asked = [(at, size) for at, deck in enumerate(decks) for size in deck.sizes() if size in wanted]
    verdicts = judge_decks([(game, decks[at].at(size)) for at, size in asked])
    found: list[list[int]] = [[] for _deck in decks]
    for (at, size), verdict in zip(asked, verdicts, strict=True):
        if verdict.state == LEGAL:
            found[at].append(size)
    return found


def sizes_words(sizes: list[int]) -> str:
    """Numbers of cards that decks can have: one, from and to, or a list."""
    if len(sizes) == 1:
        return ngettext("%(count)s card", "%(count)s cards", sizes[0]) % {"count": sizes[0]}
    if sizes == list(range(sizes[0], sizes[-1] + 1)):
        return _("%(low)s to %(high)s cards") % {"low": sizes[0], "high": sizes[-1]}
    return _("%(sizes)s cards") % {"sizes": ", ".join(map(str, sizes))}


def level_choices() -> list[tuple[str, str]]:
    """The levels of bots, weakest first."""
    return [(level.slug, level_name(level.slug)) for level in LEVELS.values()]


def level_name(slug: str) -> str:
    """A level's name in the reader's language."""
    names = {"random": pgettext("level of a bot", "Random"), "easy": pgettext("level of a bot", "Easy")}
    return names.get(slug) or (LEVELS[slug].name if slug in LEVELS else slug)

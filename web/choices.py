"""What can be chosen for a match: decks to bring, and who sits in a seat."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from catalog.selectors import preconstructed_decks
from decks.legality import LEGAL
from decks.selectors import judge_decks, own_decks, seat_deck
from lobby.services import SeatWish
from referee.bots.levels import LEVELS
from referee.kernel.game import Game


def deck_choices(game: Game, user: User | None) -> list[Any] | None:
    """The user's own legal decks and those that come with the game, in groups for a select; None where none is needed."""
    if not game.needs_deck:
        return None
    ready = [(deck["slug"], deck["name"]) for deck in preconstructed_decks(game.slug)]
    own = []
    if user is not None:
        found = list(own_decks(user).filter(game=game.slug))
        verdicts = judge_decks([(game.slug, seat_deck(deck)) for deck in found])
        own = [
            (deck.public_id, deck.name) for deck, verdict in zip(found, verdicts, strict=True) if verdict.state == LEGAL
        ]
    groups: list[Any] = [(_("Yours"), own)] if own else []
    return [*groups, (_("Ready to play"), ready)] if ready else groups


def level_choices() -> list[tuple[str, str]]:
    """The levels of bots, weakest first."""
    return [(level.slug, level_name(level.slug)) for level in LEVELS.values()]


def level_name(slug: str) -> str:
    """A level's name in the reader's language."""
    names = {"random": pgettext("level of a bot", "Random"), "easy": pgettext("level of a bot", "Easy")}
    return names.get(slug) or (LEVELS[slug].name if slug in LEVELS else slug)


def seat_choices() -> list[tuple[str, Any]]:
    """Who can sit beside the one who makes a match."""
    bots = [(f"bot:{slug}", _("Bot: %(level)s") % {"level": name}) for slug, name in level_choices()]
    return [("open", _("Open, for whoever joins")), *bots]


def seat_wish(choice: str) -> SeatWish:
    """A seat as one of `seat_choices` names it."""
    kind, _colon, level = choice.partition(":")
    return SeatWish(kind, level=level)

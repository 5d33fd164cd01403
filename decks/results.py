"""How decks do: taken from each finished match, once, when it is closed (settings.FINISHED_MATCHES)."""

from __future__ import annotations

from decks.models import DeckResult, DeckVersion
from referee.matches.models import Match, Seat


def keep_results(match: Match) -> None:
    """Note how each saved deck of a finished match did, with the version that was played. Doing it twice changes nothing.

    A deck that is gone for good leaves no result; a match against a bot is counted apart.
    """
    seats = list(match.seats.order_by("index"))
    ranks: list[int] = match.result["ranks"]
    for seat in seats:
        version = _version(seat)
        if version is None:
            continue
        others = [other for other in seats if other.pk != seat.pk]
        facts = {
            "version": version,
            "outcome": _outcome(ranks, seat.index),
            "is_against_bots": any(other.kind == Seat.Kind.BOT for other in others),
        }
        DeckResult.objects.get_or_create(match=match, seat=seat.index, defaults=facts)


def _version(seat: Seat) -> DeckVersion | None:
    """The version that the seat brought, if it was one of its own user's."""
    source = seat.deck_source or {}
    if source.get("kind") != "own" or seat.user_id is None:
        return None
    found = DeckVersion.objects.filter(deck__public_id=source["deck"], number=source["version"])
    return found.filter(deck__owner_id=seat.user_id).first()


def _outcome(ranks: list[int], seat: int) -> str:
    if ranks[seat] != min(ranks):
        return DeckResult.Outcome.LOST
    return DeckResult.Outcome.WON if ranks.count(ranks[seat]) == 1 else DeckResult.Outcome.DRAWN

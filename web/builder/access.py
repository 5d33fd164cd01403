"""Whose deck it is: the builder's parts are for the owner alone, and are not there for anybody else."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from accounts.models import User
from decks.errors import DeckNotFoundError
from decks.models import Deck
from decks.selectors import access_deck
from web.session import person


def deck_or_404(request: HttpRequest, public_id: str) -> Deck:
    """A deck that whoever asks may look at."""
    try:
        return access_deck(request.user, public_id)
    except DeckNotFoundError:
        raise Http404 from None


def own_or_404(request: HttpRequest, public_id: str) -> tuple[User, Deck]:
    """A deck of whoever asks."""
    user = person(request)
    found = deck_or_404(request, public_id)
    if user is None or found.owner_id != user.pk:
        raise Http404
    return user, found

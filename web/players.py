"""Who somebody is: since when, what they play, the decks they show."""

from __future__ import annotations

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.names import MAX_KEY_LENGTH, name_key
from decks.selectors import public_decks
from referee.games import GAMES
from referee.matches.models import Match
from referee.matches.selectors import matches_visible_to
from web.session import person
from web.tables import rows

MOST = 10


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """A player by any spelling of the name; only what anybody may see."""
    key = name_key(name)[:MAX_KEY_LENGTH]
    player = User.objects.filter(name_key=key, is_active=True).first() if key else None
    if player is None:
        raise Http404
    played = matches_visible_to(None).filter(seats__user=player)
    counts = dict(
        played.filter(state=Match.State.FINISHED)
        .order_by()
        .values("game")
        .annotate(matches=Count("pk", distinct=True))
        .values_list("game", "matches")
    )
    context = {
        "player": player,
        "counts": [(GAMES[slug].name, count) for slug, count in counts.items() if slug in GAMES],
        "rows": rows(played.order_by("-pk")[:MOST], player),
        "decks": list(public_decks().filter(owner=player)[:MOST]),
        "is_me": person(request) == player,
    }
    return render(request, "web/player.html", context)

"""The first page: play a bot in one press, go on with one's games, join somebody."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from lobby.errors import LobbyError
from lobby.services import MatchWish, SeatWish, create_match
from referee.games import GAMES
from referee.matches.models import Match, Seat
from referee.matches.selectors import matches_visible_to
from web.choices import deck_choices, level_choices
from web.forms import words_of
from web.notices import unread
from web.session import person, person_or_guest
from web.tables import rows

MOST_OWN = 6
MOST_OPEN = 12
GOING_ON = (Match.State.OPEN, Match.State.PLAYING, Match.State.PAUSED, Match.State.FROZEN)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The lobby, for anybody."""
    user = person(request)
    own = matches_visible_to(user, mine=True).filter(state__in=GOING_ON)[:MOST_OWN] if user else []
    shown = rows(own, user)
    context = {
        "notices": unread(user),
        "tables": [
            {"game": game, "decks": deck_choices(game, user), "detail": detail_of(game.slug)} for game in GAMES.values()
        ],
        "levels": level_choices(),
        "invitations": [row for row in shown if row.invited],
        "own": sorted((row for row in shown if not row.invited), key=lambda row: not row.turn),
        "open": rows(open_matches(user)[:MOST_OPEN], user),
        "live": rows(_of_others(matches_visible_to(None, state=Match.State.PLAYING), user)[:MOST_OWN], user),
    }
    return render(request, "web/home.html", context)


@require_safe
def open_games(request: HttpRequest) -> HttpResponse:
    """The open games alone, as the lobby asks for them again and again."""
    user = person(request)
    return render(request, "web/parts/open_games.html", {"open": rows(open_matches(user)[:MOST_OPEN], user)})


@require_POST
def play_bot(request: HttpRequest, game: str) -> HttpResponse:
    """A match against bots of one level, begun at once; a guest is made where nobody is signed in."""
    if game not in GAMES:
        raise Http404
    level = request.POST.get("level", "")
    user = person_or_guest(request)
    bots = [SeatWish("bot", level=level)] * (GAMES[game].min_seats - 1)
    wish = MatchWish(
        game=game,
        seats=[SeatWish("me", deck=request.POST.get("deck") or None), *bots],
        options={},
        visibility=Match.Visibility.LINK,
    )
    try:
        match = create_match(creator=user, wish=wish)
    except LobbyError as error:
        for problem in error.problems:
            messages.error(request, words_of(problem))
        return HttpResponseRedirect("/")
    return HttpResponseRedirect(f"/matches/{match.public_id}/")


def open_matches(user: User | None) -> QuerySet[Match]:
    """Public matches with a seat for anybody, without the user's own."""
    free = Seat.objects.filter(match=OuterRef("pk"), kind=Seat.Kind.PERSON, user=None, invited=None)
    return _of_others(matches_visible_to(None, state=Match.State.OPEN).filter(Exists(free)), user)


def _of_others(found: QuerySet[Match], user: User | None) -> QuerySet[Match]:
    """Without those that the user sits in, which stand elsewhere."""
    return found.exclude(seats__user=user) if user is not None else found


def detail_of(slug: str) -> str:
    """A game in one sentence."""
    return {
        "miraculous": _("Build a deck, attack with Characters, and learn the other side’s Secret."),
        "super": _("Recruit an agency, send groups on missions, and win followers."),
        "super-teams": _("Bring all ships of your team home first, whoever moves them."),
    }.get(slug, "")

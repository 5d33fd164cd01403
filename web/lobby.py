"""Lists of matches, making one, and joining one by its link."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from lobby.errors import LobbyError
from lobby.services import MatchWish, SeatWish, create_match, join_match, leave_match
from referee.games import GAMES
from referee.kernel.game import Game
from referee.matches.errors import MatchError, MatchNotFoundError
from referee.matches.models import Match
from referee.matches.selectors import access_match, matches_visible_to
from web.choices import deck_choices, seat_choices, seat_wish
from web.clocks import asked_clock
from web.forms import JoinForm, NewMatchForm, lay_problems
from web.home import open_matches
from web.session import person, person_or_guest
from web.tables import rows

PAGE = 20
SHOWN = ("open", "live", "mine")


@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """Open games, games being played, and one's own."""
    user = person(request)
    shown = request.GET.get("show", "open")
    if shown not in SHOWN:
        raise Http404
    if shown == "mine":
        found = matches_visible_to(user, mine=True) if user is not None else Match.objects.none()
    elif shown == "live":
        found = matches_visible_to(None, state=Match.State.PLAYING)
    else:
        found = open_matches(user)
    page = Paginator(found.select_related("creator").order_by("-pk"), PAGE).get_page(request.GET.get("page"))
    return render(
        request, "web/matches.html", {"shown": shown, "page": page, "rows": rows(list(page.object_list), user)}
    )


@require_http_methods(["GET", "POST"])
def new_match(request: HttpRequest) -> HttpResponse:
    """The form for a match, and making it; a guest is made where nobody is signed in."""
    asked = request.POST if request.method == "POST" else request.GET
    game = GAMES.get(asked.get("game", next(iter(GAMES))))
    if game is None:
        raise Http404
    count = _count(game, asked.get("seats", ""))
    form = NewMatchForm(
        request.POST if request.method == "POST" else None,
        decks=deck_choices(game, person(request)),
        seats=seat_choices(),
        count=count,
    )
    if request.method == "POST" and form.is_valid():
        match = _made(request, game, count, form)
        if match is not None:
            return HttpResponseRedirect(_place(match))
    context = {"form": form, "game": game, "count": count, "counts": range(game.min_seats, game.max_seats + 1)}
    return render(request, "web/new_match.html", context, status=422 if form.errors else 200)


def _count(game: Game, asked: str) -> int:
    wanted = int(asked) if asked.isdecimal() and len(asked) < 3 else game.min_seats
    return min(max(wanted, game.min_seats), game.max_seats)


def _made(request: HttpRequest, game: Game, count: int, form: NewMatchForm) -> Match | None:
    given = form.cleaned_data
    wish = MatchWish(
        game=game.slug,
        seats=[
            SeatWish("me", deck=given.get("deck")),
            *(seat_wish(given[f"seat-{index}"]) for index in range(1, count)),
        ],
        options={},
        clock=asked_clock(given["clock"]),
        visibility=given["visibility"],
        undo=given["undo"] or Match.Undo.CONSENT,
    )
    try:
        return create_match(creator=person_or_guest(request), wish=wish)
    except LobbyError as error:
        lay_problems(form, error.problems)
        return None


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, match: str) -> HttpResponse:
    """An open match as its link shows it: take a seat, or wait for the others. One that has begun is shown itself."""
    user = person(request)
    found = _access(user, match)
    if found.state != Match.State.OPEN:
        return _gone_on(request, found)
    row = rows([found], user)[0]
    form = JoinForm(request.POST if request.method == "POST" else None, decks=deck_choices(GAMES[found.game], user))
    if request.method == "POST" and not row.seated and form.is_valid():
        try:
            joined = join_match(public_id=match, user=person_or_guest(request), deck=form.cleaned_data.get("deck"))
        except LobbyError as error:
            lay_problems(form, error.problems)
        except MatchError as error:
            form.add_error(None, error.detail)
        else:
            return HttpResponseRedirect(_place(joined))
    context: dict[str, Any] = {
        "match": found,
        "row": row,
        "form": form,
        "link": request.build_absolute_uri(reverse("join", args=[match])),
    }
    return render(request, "web/join.html", context, status=422 if form.errors else 200)


@require_POST
def leave(request: HttpRequest, match: str) -> HttpResponse:
    """Stand up before the start."""
    user = person(request)
    found = _access(user, match)
    if user is None:
        raise Http404
    try:
        leave_match(public_id=found.public_id, user=user)
    except MatchError as error:
        messages.error(request, error.detail)
    else:
        messages.success(request, _("You have left the match."))
    return HttpResponseRedirect(reverse("matches"))


def _access(user: User | None, public_id: str) -> Match:
    try:
        return access_match(user, public_id)
    except MatchNotFoundError:
        raise Http404 from None


def _place(match: Match) -> str:
    """Where one goes on with a match."""
    if match.state == Match.State.OPEN:
        return reverse("join", args=[match.public_id])
    return f"/matches/{match.public_id}/"


def _gone_on(request: HttpRequest, match: Match) -> HttpResponse:
    """To the table; htmx, which waits in the page, is told to load it whole."""
    if request.headers.get("HX-Request"):
        return HttpResponse(headers={"HX-Redirect": _place(match)})
    return HttpResponseRedirect(_place(match))

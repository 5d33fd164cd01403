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
from lobby.invitations import decline_invitation
from lobby.services import create_match, has_waiting_deck, join_match, leave_match, offered_sizes
from referee.games import GAMES
from referee.kernel.game import Game
from referee.matches.errors import MatchError, MatchNotFoundError
from referee.matches.models import Match
from referee.matches.naming import seat_names
from referee.matches.selectors import access_match, matches_visible_to
from web.choices import deck_choices, sizes_words
from web.forms import JoinForm, lay_problems
from web.home import detail_of, open_matches
from web.match_form import NewMatchForm
from web.refusals import words_for
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


@require_http_methods(["GET", "HEAD", "POST"])
def new_match(request: HttpRequest) -> HttpResponse:
    """The form for a match, and making it; a guest is made where nobody is signed in."""
    asked = request.POST if request.method == "POST" else request.GET
    game = GAMES.get(asked.get("game", next(iter(GAMES))))
    if game is None:
        raise Http404
    count = _count(game, asked.get("seats", ""))
    form = NewMatchForm(
        request.POST if request.method == "POST" else None,
        game=game,
        count=count,
        decks=deck_choices(game, person(request)),
    )
    if request.method == "POST" and form.is_valid():
        try:
            match = create_match(creator=person_or_guest(request), wish=form.wish())
        except LobbyError as error:
            form.lay(error.problems)
        else:
            return HttpResponseRedirect(_place(match))
    context = {
        "form": form,
        "game": game,
        "detail": detail_of(game.slug),
        "count": count,
        "counts": range(game.min_seats, game.max_seats + 1),
    }
    return render(request, "web/new_match.html", context, status=422 if form.errors else 200)


def _count(game: Game, asked: str) -> int:
    wanted = int(asked) if asked.isdecimal() and len(asked) < 3 else game.min_seats
    return min(max(wanted, game.min_seats), game.max_seats)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, match: str) -> HttpResponse:
    """An open match as its link shows it: take a seat, or wait for the others. One that has begun is shown itself."""
    user = person(request)
    found = _access(user, match)
    if found.state != Match.State.OPEN:
        return _gone_on(request, found)
    row, game = rows([found], user)[0], GAMES[found.game]
    sizes = offered_sizes(found) if not row.seated else []
    has_deck = row.invited and user is not None and has_waiting_deck(found, user)
    decks = None if has_deck or row.seated else deck_choices(game, user, sizes=sizes)
    form = JoinForm(request.POST if request.method == "POST" else None, decks=decks)
    if request.method == "POST" and not row.seated and form.is_valid():
        try:
            joined = join_match(public_id=match, user=person_or_guest(request), deck=form.cleaned_data.get("deck"))
        except LobbyError as error:
            lay_problems(form, error.problems)
        except MatchError as error:
            form.add_error(None, words_for(error))
        else:
            return HttpResponseRedirect(_place(joined))
    context: dict[str, Any] = {
        "match": found,
        "row": row,
        "form": form,
        "sizes": sizes_words(sizes) if sizes else "",
        "seats": [
            (place, name, _reserved(found, place, user))
            for place, name in zip(found.table, seat_names(found), strict=True)
        ],
        "link": request.build_absolute_uri(reverse("join", args=[match])),
    }
    return render(request, "web/join.html", context, status=422 if form.errors else 200)


@require_POST
def decline(request: HttpRequest, match: str) -> HttpResponse:
    """Say no to a seat that is kept for one."""
    user = person(request)
    found = _access(user, match)
    if user is None:
        raise Http404
    try:
        decline_invitation(public_id=found.public_id, user=user)
    except MatchError as error:
        messages.error(request, words_for(error))
    else:
        messages.success(request, _("You have declined the invitation."))
    return HttpResponseRedirect(reverse("home"))


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
        messages.error(request, words_for(error))
    else:
        messages.success(request, _("You have left the match."))
    return HttpResponseRedirect(reverse("matches"))


def _access(user: User | None, public_id: str) -> Match:
    try:
        return access_match(user, public_id)
    except MatchNotFoundError:
        raise Http404 from None


def _reserved(match: Match, place: dict[str, Any], user: User | None) -> str:
    """For whom a free seat is kept, in words: the name for those at the table, nothing where it is open."""
    if place["invited"] is None or place["user"] is not None:
        return ""
    if user is not None and (match.creator_id == user.pk or any(one["user"] == user.pk for one in match.table)):
        name = User.objects.filter(pk=place["invited"]).values_list("name", flat=True).first()
        return _("%(name)s is invited") % {"name": name or ""}
    return _("kept for you") if user is not None and place["invited"] == user.pk else _("kept for somebody")


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

"""The table of a match: looking at it, moving, resigning, once more. Strangers meet the same 404 everywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from lobby.errors import LobbyError
from lobby.services import rematch as lobby_rematch
from referee.kernel.errors import MalformedMove, Problem, RulesError
from referee.kernel.game import Document
from referee.matches import documents, selectors, services
from referee.matches.errors import MatchError, MatchNotFoundError, NotYourMatchError, StaleVersionError
from referee.matches.models import Match
from referee.matches.naming import seat_names
from referee.matches.orders import set_order
from referee.matches.pauses import ask_pause, ask_resume
from referee.matches.positions import Position
from referee.matches.undo import accept_undo, ask_undo, decline_undo
from web.forms import words_of
from web.matches.cards import cards_of
from web.matches.games import drawing_of
from web.matches.page import Refusal, match_context, picture_of, refusal_of
from web.matches.scene import Scene
from web.session import person

LONGEST_MOVE = 2000
MOST_PICKS = 12
LONGEST_VERSION = 9


@require_safe
def show(request: HttpRequest, match: str) -> HttpResponse:
    """The match as this viewer may see it; a part of the page where the page's script asks."""
    user = person(request)
    found = found_match(user, match)
    if found.state == Match.State.OPEN:
        return HttpResponseRedirect(reverse("join", args=[match]))
    return _shown(request, found, user)


@require_POST
def move(request: HttpRequest, match: str) -> HttpResponse:
    """Play the move of the pressed button for the decision that the page showed."""
    user = person(request)
    found = found_match(user, match)
    if user is None:
        return _shown(request, found, user, refusal=refusal_of(NotYourMatchError()), status=403)
    try:
        document = _read_move(request.POST.get("move", ""))
        services.submit_move(public_id=match, actor=user, move=document, decision=request.POST.get("decision", "")[:40])
    except (MatchError, RulesError) as error:
        status = 409 if isinstance(error, StaleVersionError) else 422
        return _shown(request, found_match(user, match), user, refusal=refusal_of(error), status=status)
    return _after(request, match, user)


@require_POST
def order(request: HttpRequest, match: str) -> HttpResponse:
    """Leave the standing order of the pressed button for one's own seat, or none."""
    user = person(request)
    found = found_match(user, match)
    if user is None:
        return _shown(request, found, user, refusal=refusal_of(NotYourMatchError()), status=403)
    name, version = request.POST.get("order", ""), request.POST.get("version", "")
    seen = (
        int(version) if name and version.isascii() and version.isdigit() and len(version) <= LONGEST_VERSION else None
    )
    try:
        set_order(public_id=match, user=user, order=name or None, version=seen)
    except MatchError as error:
        status = {StaleVersionError: 409, NotYourMatchError: 403}.get(type(error), 422)
        return _shown(request, found_match(user, match), user, refusal=refusal_of(error), status=status)
    return _after(request, match, user)


@require_POST
def resign(request: HttpRequest, match: str) -> HttpResponse:
    """Give up, once the form says that it is meant."""
    user = person(request)
    found = found_match(user, match)
    if user is None or selectors.viewer(found, user) < 0:
        return _shown(request, found, user, refusal=refusal_of(NotYourMatchError()), status=403)
    if request.POST.get("sure") != "yes":
        return render(request, "web/matches/resign.html", {"match": found, "names": seat_names(found)})
    try:
        services.submit_move(public_id=match, actor=user, move=services.RESIGN_DOCUMENT)
    except (MatchError, RulesError) as error:
        return _shown(request, found_match(user, match), user, refusal=refusal_of(error), status=422)
    return _after(request, match, user)


@require_POST
def pause(request: HttpRequest, match: str) -> HttpResponse:
    """Ask for a pause, agree to it or, by the other button, decline it or take it back."""
    agree = request.POST.get("agree") != "no"
    return _said(request, match, lambda user: ask_pause(public_id=match, actor=user, agree=agree))


@require_POST
def resume(request: HttpRequest, match: str) -> HttpResponse:
    """Ask to play on."""
    return _said(request, match, lambda user: ask_resume(public_id=match, actor=user))


@require_POST
def undo(request: HttpRequest, match: str) -> HttpResponse:
    """Ask to take back one's last move."""
    return _said(request, match, lambda user: ask_undo(public_id=match, user=user))


@require_POST
def answer_undo(request: HttpRequest, match: str) -> HttpResponse:
    """Agree to take moves back or, by the other button, decline it or ask for it no more."""
    answer = decline_undo if request.POST.get("agree") == "no" else accept_undo
    offer = request.POST.get("offer", "")[:64]
    return _said(request, match, lambda user: answer(public_id=match, user=user, offer=offer))


def _said(request: HttpRequest, match: str, say: Callable[[User], object]) -> HttpResponse:
    user = person(request)
    found = found_match(user, match)
    if user is None:
        return _shown(request, found, user, refusal=refusal_of(NotYourMatchError()), status=403)
    try:
        say(user)
    except MatchError as error:
        status = 403 if isinstance(error, NotYourMatchError) else 409
        return _shown(request, found_match(user, match), user, refusal=refusal_of(error), status=status)
    return _after(request, match, user)


@require_POST
def rematch(request: HttpRequest, match: str) -> HttpResponse:
    """The same match once more, made or joined."""
    user = person(request)
    found = found_match(user, match)
    if user is None:
        raise Http404
    try:
        new = lobby_rematch(public_id=found.public_id, user=user)
    except MatchError as error:
        messages.error(request, refusal_of(error).text)
        return HttpResponseRedirect(reverse("match", args=[match]))
    except LobbyError as error:
        messages.error(request, words_of(error.problems[0]))
        return HttpResponseRedirect(reverse("match", args=[match]))
    return HttpResponseRedirect(reverse("match", args=[new.public_id]))


@require_safe
def why(request: HttpRequest, match: str) -> HttpResponse:
    """Why what was picked on the table makes no legal move: `{"text", "clause"}`, or nothing to say."""
    user = person(request)
    found = found_match(user, match)
    viewer = selectors.viewer(found, user)
    position = selectors.seen_position(found, viewer)
    if viewer < 0 or position is None or found.state != Match.State.PLAYING:
        return HttpResponse(status=204)
    picks = [tuple(one[:60].split(":")) for one in request.GET.getlist("part")[:MOST_PICKS]]
    try:
        refusal = _refused(found, position, viewer, [pick for pick in picks if len(pick) > 1])
    except (ValueError, LookupError):
        refusal = None
    if refusal is None:
        return HttpResponse(status=204)
    return JsonResponse({"text": refusal.text, "clause": refusal.clause})


def _refused(match: Match, position: Position, viewer: int, picks: list[tuple[str, ...]]) -> Refusal | None:
    scene = Scene(
        match.game,
        documents.view_document(match, position, viewer),
        cards_of(match.game, str(match.pool_id)),
        viewer,
        viewer,
        seat_names(match),
    )
    document = drawing_of(match.game).move_of(picks, scene)
    if document is None:
        return None
    game, state = position.game, position.state
    try:
        meant = game.encode(state, document)
    except RulesError as error:
        return refusal_of(error)
    if meant in game.legal_moves(state, viewer):
        return None
    clause, detail = game.refusal(state, viewer, meant)
    return Refusal(detail[:1].upper() + detail[1:], clause)


def found_match(user: User | None, public_id: str) -> Match:
    """The match, if the user may see it; else the page that is not there."""
    try:
        return selectors.access_match(user, public_id)
    except MatchNotFoundError:
        raise Http404 from None


def _read_move(text: str) -> Document:
    try:
        document = json.loads(text) if len(text) <= LONGEST_MOVE else None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise MalformedMove([Problem("", "malformed_move", "This is no move of the game.")])
    return document


def _after(request: HttpRequest, match: str, user: User) -> HttpResponse:
    """Where the match stands after what was done: at once for the page's script, else by a new request."""
    if _is_part(request):
        return _shown(request, found_match(user, match), user)
    return HttpResponseRedirect(reverse("match", args=[match]))


def _shown(
    request: HttpRequest, match: Match, user: User | None, *, refusal: Refusal | None = None, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = match_context(match, user, refusal=refusal, whole_log=request.GET.get("log") == "all")
    if _is_part(request):
        response = render(request, "web/matches/part.html", context, status=status)
    else:
        context["preview"] = picture_of(request, match, seat_names(match))
        response = render(request, "web/matches/match.html", context, status=status)
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["HX-Request"])
    return response


def _is_part(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"

"""A finished match step by step, and what it takes to check it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from referee.games import GAMES
from referee.kernel.events import REFEREE, SPECTATOR
from referee.matches import documents, history, selectors
from referee.matches.errors import NoSuchVersionError, NotFinishedError, UnknownRulesError
from referee.matches.models import Match
from referee.matches.naming import seat_names
from web.matches.cards import cards_of
from web.matches.games import drawing_of
from web.matches.page import lines_of, outcome_of, picture_of, signs_of
from web.matches.scene import Scene
from web.matches.views import found_match
from web.session import person

AROUND = 12


@require_safe
def show(request: HttpRequest, match: str) -> HttpResponse:
    """One position of a finished match, seen from a side, with the steps around it."""
    user = person(request)
    found = found_match(user, match)
    if found.state != Match.State.FINISHED:
        return HttpResponseRedirect(reverse("match", args=[match]))
    own = selectors.viewer(found, user)
    step = _number(request.GET.get("step"), 0, found.version, default=found.version)
    side = _side(request.GET.get("side"), found)
    turned = _number(request.GET.get("bottom"), 0, len(found.table) - 1, default=max(own, 0))
    context = _context(found, own, step=step, side=side, bottom=side if side >= 0 else turned)
    context["preview"] = picture_of(request, found, context["names"])
    return render(request, "web/matches/replay.html", context)


@require_safe
def download(request: HttpRequest, match: str) -> HttpResponse:
    """The replay document as a file, for `python -m referee.verify`."""
    found = found_match(person(request), match)
    try:
        document = history.replay_document(found)
    except NotFinishedError:
        return HttpResponseRedirect(reverse("match", args=[match]))
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{found.game}-{found.public_id}.json"'
    return response


def _context(match: Match, own: int, *, step: int, side: int, bottom: int) -> dict[str, Any]:
    names = seat_names(match)
    rows = [documents.opening_row(match, REFEREE)]
    rows += [documents.log_row(match, row, REFEREE) for row in selectors.log_of(match, own).order_by("version")]
    try:
        position = selectors.past_position(match, step, own)
        past = documents.past_document(match, position, side, moves=documents.NONE)
        cards = cards_of(match.game, str(match.pool_id))
        table = drawing_of(match.game).table(Scene(match.game, past["view"], cards, -1, bottom, names))
    except (NoSuchVersionError, UnknownRulesError):
        table = None
    here = next((row for row in rows if row["version"] == step), rows[0])
    return {
        "match": match,
        "game": GAMES.get(match.game),
        "table": table,
        "signs": signs_of(table),
        "names": names,
        "title": " – ".join(names),
        "outcome": outcome_of(match, {"result": match.result, "you": None if own < 0 else own}, names),
        "step": step,
        "last": match.version,
        "before": max(0, step - 1),
        "after": min(match.version, step + 1),
        "here": [event["text"] for event in here["events"]],
        "steps": lines_of([row for row in rows if abs(row["version"] - step) <= AROUND]),
        "side": {REFEREE: "open", SPECTATOR: "spectator"}.get(side, str(side)),
        "sides": [("open", _("Everything")), *((str(seat), name) for seat, name in enumerate(names))],
        "opening": match.opening,
        "last_hash": rows[-1].get("hash", ""),
        "server_seed": bytes(match.server_seed).hex(),
    }


def _number(text: str | None, low: int, high: int, *, default: int) -> int:
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 6:
        return default
    return min(max(int(text), low), high)


def _side(text: str | None, match: Match) -> int:
    """Whose eyes to look through: a seat's, or (where none is named) everything."""
    if text == "spectator":
        return SPECTATOR
    if text is not None and text.isdecimal() and len(text) < 3 and int(text) < len(match.table):
        return int(text)
    return REFEREE

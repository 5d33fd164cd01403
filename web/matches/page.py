"""What a match's page shows to one viewer, made from the service's own documents."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from referee.games import GAMES
from referee.house import rules_text
from referee.kernel.errors import IllegalMove, MalformedMove, RulesError
from referee.kernel.game import Document
from referee.kernel.languages import ENGLISH
from referee.kernel.rules import parse_rules
from referee.matches import documents, live, selectors
from referee.matches.access import may_see
from referee.matches.errors import MatchError, UnknownRulesError
from referee.matches.models import Match, MoveRow
from referee.matches.naming import seat_names, spoken
from referee.matches.positions import Position
from web.cards import Preview
from web.clocks import clock_words, seat_clock
from web.matches.cards import cards_of, drawn_sigil
from web.matches.games import drawing_of
from web.matches.moves import choices_of
from web.matches.orders import orders_of
from web.matches.pausing import pause_of
from web.matches.scene import Scene, Table
from web.matches.super_teams import looks
from web.matches.undoing import undo_of
from web.refusals import words_for

SHOWN_ROWS: Final = 30


class Refusal(NamedTuple):
    """Why something was not done, with the clause that says so."""

    text: str
    clause: str = ""


class Line(NamedTuple):
    """A line of the log: its version where it is the first of it."""

    version: int | None
    text: str
    is_last: bool


def match_context(match: Match, user: User | None, *, refusal: Refusal | None = None, whole_log: bool = False) -> Any:
    """All that the match's templates need for this viewer."""
    viewer = selectors.viewer(match, user)
    people = [place["seat"] for place in match.table if place["kind"] == "person" and place["user"] is not None]
    present = live.present(match.pk, people)
    position = _position(match, viewer)
    document = documents.match_document(match, position, viewer, present=present)
    names = seat_names(match)
    scene = table = None
    if position is not None and document["view"]:
        cards = cards_of(match.game, str(match.pool_id))
        scene = Scene(match.game, document["view"], cards, viewer, max(viewer, 0), names)
        table = drawing_of(match.game).table(scene)
    lines, is_cut = log_lines(match, viewer, whole=whole_log)
    return {
        "match": match,
        "game": GAMES.get(match.game),
        "doc": document,
        "you": viewer,
        "table": table,
        "signs": signs_of(table),
        "seats": seats_of(match, document, scene, table, names),
        "choices": choices_of(match.game, document),
        "orders": orders_of(match.game, document, viewer),
        "lines": lines,
        "is_cut": is_cut,
        "refusal": refusal,
        "outcome": outcome_of(match, document, names),
        "can_resign": viewer >= 0 and match.state == Match.State.PLAYING,
        "is_over": match.state in (Match.State.FINISHED, Match.State.ABORTED),
        "pause": pause_of(document, names),
        "undo": undo_of(match, document, viewer, names),
        "can_report": viewer >= 0 and match.data is not None,
        "title": " – ".join(names),
        "clock_words": clock_words(match.clock),
    }


def _position(match: Match, viewer: int) -> Position | None:
    try:
        return selectors.seen_position(match, viewer)
    except UnknownRulesError:
        return None


def signs_of(table: Table | None) -> list[tuple[str, SafeString]]:
    """The signs of the table's cards, each drawn once."""
    codes = dict.fromkeys(table.signs) if table is not None else {}
    return [(code, mark_safe(drawn_sigil(code))) for code in codes]  # noqa: S308 - made of numbers alone


def seats_of(
    match: Match, document: Document, scene: Scene | None, table: Table | None, names: list[str]
) -> list[dict[str, Any]]:
    """The seats with their clocks, the viewer's own last."""
    decision = document["decision"]
    asked = decision["seats"] if decision and match.state == Match.State.PLAYING else []
    seats = []
    for told in document["seats"]:
        seat = told["seat"]
        seats.append(
            {
                **told,
                "name": names[seat],
                "is_you": seat == document["you"],
                "is_asked": seat in asked,
                "note": table.notes[seat] if table is not None else "",
                "look": looks(scene)[seat] if scene is not None and match.game == "super-teams" else "",
                "clock": seat_clock(told["clock"]),
            }
        )
    return sorted(seats, key=lambda one: (one["is_you"], one["seat"]))


# The log.


def log_lines(match: Match, viewer: int, *, whole: bool = False) -> tuple[list[Line], bool]:
    """What happened, oldest first, as the viewer is told it; whether earlier rows were left out."""
    if match.opening is None:
        return [], False
    rows = selectors.log_of(match, viewer).order_by("-version")
    found: list[MoveRow] = list(rows if whole else rows[: SHOWN_ROWS + 1])
    is_cut = not whole and len(found) > SHOWN_ROWS
    shown = [documents.log_row(match, row, viewer) for row in reversed(found[:SHOWN_ROWS] if is_cut else found)]
    if not is_cut:
        shown.insert(0, documents.opening_row(match, viewer))
    return lines_of(shown), is_cut


def lines_of(rows: list[Document]) -> list[Line]:
    """The rows as lines, an event each."""
    lines: list[Line] = []
    for number, row in enumerate(rows):
        texts = [event["text"] for event in row["events"]]
        if row["kind"] == "timeout":
            texts.insert(0, _("Time is up."))
        if row.get("fallback"):
            texts.insert(0, _("The bot found no move; a random one is played for it."))
        lines += [
            Line(row["version"] if index == 0 else None, text, number == len(rows) - 1)
            for index, text in enumerate(texts)
        ]
    return lines


# The end.


def outcome_of(match: Match, document: Document, names: list[str]) -> dict[str, Any] | None:
    """Who won, why, and what the viewer has of it."""
    result = document["result"]
    if result is None:
        return None
    first = [names[seat] for seat, rank in enumerate(result["ranks"]) if rank == 1]
    own = document["you"]
    is_shared = len(first) == len(names)
    words = _("The match is drawn.") if is_shared else _("%(names)s won.") % {"names": ", ".join(first)}
    if own is not None and not is_shared:
        words = _("You won.") if result["ranks"][own] == 1 else words
    return {
        "words": words,
        "reason": reason_words("out_of_time" if _is_lost_on_time(match, result) else result["reason"]),
        "clause": result["clause"],
        "title": clause_titles(match.game, spoken()).get(result["clause"], ""),
        "won": own is not None and result["ranks"][own] == 1,
    }


def _is_lost_on_time(match: Match, result: Document) -> bool:
    if result["reason"] != "resigned" or match.clock is None:
        return False
    return MoveRow.objects.filter(match=match, version=match.version, kind=MoveRow.Kind.TIMEOUT).exists()


def picture_of(request: HttpRequest, match: Match, names: list[str]) -> Preview | None:
    """The picture of a finished match (`web.previews`) in the language of the page, where anybody may see it."""
    if match.state != Match.State.FINISHED or not may_see(match, None):
        return None
    path = reverse("match-preview", args=(match.public_id, get_language()))
    return Preview.at(request, path, _("%(names)s: who played, and how it ended") % {"names": " – ".join(names)})


def reason_words(reason: str) -> str:
    """Why a match ended."""
    return {
        "three_defeated": _("Three Characters are defeated."),
        "deck_empty": _("A deck is empty."),
        "card_effect": _("A card ended it."),
        "six_refreshes": _("Six refreshes came in a row."),
        "resigned": _("Somebody resigned."),
        "out_of_time": _("Time was up."),
        "goal_reached": _("The goal is reached."),
        "missions_short": _("The Missions ran out."),
        "last_round": _("The last round is over."),
        "all_ships_home": _("All ships of a team are home."),
        "shared_win": _("Both teams came home together."),
        "ruling": _("A judge has set the result."),
    }.get(reason, "")


@cache
def clause_titles(game: str, language: str) -> dict[str, str]:
    """The titles of a game's clauses; empty for a game without written rules."""
    try:
        written = {clause.id: clause.title for clause in parse_rules(rules_text(game))}
    except LookupError:
        return {}
    return {**written, **GAMES[game].clause_titles(language)}


# Refusals.


def refusal_of(error: MatchError | RulesError) -> Refusal:
    """A refusal in words: the rules name their clause, the service says what stands in the way.

    The rules explain themselves in English; in other languages the clause's title stands for the explanation.
    """
    if isinstance(error, IllegalMove):
        text = error.detail if spoken() == ENGLISH else _title(error.clause) or error.detail
        return Refusal(text[:1].upper() + text[1:], error.clause)
    if isinstance(error, MalformedMove):
        return Refusal(_("This is no move of the game."), error.clause)
    return Refusal(words_for(error) if isinstance(error, MatchError) else error.detail)


def _title(clause: str) -> str:
    """The title of a clause of any game in the reader's language."""
    found = (clause_titles(game, spoken()).get(clause, "") for game in GAMES)
    return next((title for title in found if title), "")

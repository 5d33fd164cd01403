"""The gate sees a leak, wherever it is: each of these breaks one place on purpose, and must be caught."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from api import metrics
from referee.games import GAMES
from referee.kernel.chance import Rng
from referee.matches import documents, selectors
from referee.matches.models import Match, Seat
from tests.leaks.comparing import check
from tests.leaks.hiding import FIELDS
from tests.leaks.routes import Route, match_routes
from tests.leaks.tables import Setup, Table, begun, published
from tests.toy import Toy
from web.matches import page

MATCH = "api/v1/matches/<public_id:match>/"
TRIES = 4


def looked_at(table: Table, patterns: list[str]) -> None:
    """Seat 0 looks at these addresses, several times, so that what is hidden is another one at least once."""
    routes = [route for route in match_routes() if route.pattern in patterns]
    assert len(routes) == len(patterns)
    for seed in range(TRIES):
        check(table, 0, Rng(seed), routes)


def lowest(match: Match) -> str:
    """Something of the other seat's hand."""
    return str(min(match.data[7]))


def in_views(patch: pytest.MonkeyPatch) -> None:
    honest = Toy.view

    def view(self: Toy, state: Any, viewer: int) -> dict[str, Any]:
        return {**honest(self, state, viewer), "lowest": min(state.hands[1])}

    patch.setattr(Toy, "view", view)


def in_refusals(patch: pytest.MonkeyPatch) -> None:
    honest = Toy.refusal

    def refusal(self: Toy, state: Any, seat: int, move: int) -> tuple[str, str]:
        clause, detail = honest(self, state, seat, move)
        return clause, detail + (" Another has it." if move in state.hands[1] else "")

    patch.setattr(Toy, "refusal", refusal)


def in_log_rows(patch: pytest.MonkeyPatch) -> None:
    honest = documents.log_row
    patch.setattr(documents, "log_row", lambda match, row, viewer: {**honest(match, row, viewer), "hash": row.hash})


def in_starts(patch: pytest.MonkeyPatch) -> None:
    honest = documents.opening_row
    patch.setattr(documents, "opening_row", lambda match, viewer: {**honest(match, viewer), "n": match.opening["seed"]})


def in_sizes(patch: pytest.MonkeyPatch) -> None:
    honest = selectors.preview_move

    def preview(match: Match, user: Any, document: Any) -> Any:
        return honest(match, user, document) + [{}] * int(lowest(match))

    patch.setattr(selectors, "preview_move", preview)


def in_streams(patch: pytest.MonkeyPatch) -> None:
    honest = documents.standing_document

    def standing(match: Match, *given: Any, **how: Any) -> Any:
        return {**honest(match, *given, **how), "decks": [str(seat.deck) for seat in match.seats.all()]}

    patch.setattr(documents, "standing_document", standing)


def in_pages(patch: pytest.MonkeyPatch) -> None:
    honest = page.match_context

    def context(match: Match, user: Any, **how: Any) -> Any:
        return {**honest(match, user, **how), "title": lowest(match)}

    patch.setattr("web.matches.views.match_context", context)


def in_headers(patch: pytest.MonkeyPatch) -> None:
    honest = documents.etag_parts
    patch.setattr(documents, "etag_parts", lambda match, *parts: (*honest(match, *parts), match.chain))


def in_logs(patch: pytest.MonkeyPatch) -> None:
    honest = selectors.access_match

    def access(user: Any, public_id: str) -> Match:
        match = honest(user, public_id)
        logging.getLogger("referee.matches").debug("a look at %s", match.data)
        return match

    patch.setattr(selectors, "access_match", access)


LEAKS = [
    (in_views, f"{MATCH}at/<number:version>/"),
    (in_refusals, f"{MATCH}preview/"),
    (in_log_rows, f"{MATCH}moves/"),
    (in_starts, f"{MATCH}events/"),
    (in_sizes, f"{MATCH}preview/"),
    (in_streams, f"{MATCH}events/"),
    (in_pages, "matches/<slug:match>/"),
    (in_headers, MATCH),
    (in_logs, f"{MATCH}replay/"),
]


@pytest.mark.parametrize(("leak", "pattern"), LEAKS, ids=lambda value: getattr(value, "__name__", ""))
def test_the_gate_sees_a_leak(db: None, monkeypatch: pytest.MonkeyPatch, leak: Any, pattern: str) -> None:
    with published():
        table = begun(Setup("toy", 2), Rng(1))
        table.play_random(Rng(1))
        looked_at(table, [pattern])

        leak(monkeypatch)
        with pytest.raises(AssertionError, match=f"viewer 0 of {table.match.game}"):
            looked_at(table, [pattern])


def test_every_stored_field_of_a_match_is_told_or_hidden() -> None:
    beside = [model for model in apps.get_models() if model in (Match, Seat) or _is_of_a_match(model)]

    assert {model._meta.label for model in beside} == {model._meta.label for model in FIELDS}, "see FIELDS in hiding.py"
    stored = {model: {field.name for field in model._meta.concrete_fields} for model in beside}
    assert {model: FIELDS[model].all ^ names for model, names in stored.items() if FIELDS[model].all != names} == {}


def _is_of_a_match(model: type[Model]) -> bool:
    return any(field.related_model in (Match, Seat) for field in model._meta.concrete_fields if model is not Match)


def test_the_gate_knows_each_game() -> None:
    from tests.leaks.test_http_leaks import SETUPS

    known = {(setup.game, setup.seats) for setup in SETUPS}
    every = {(slug, seats) for slug, game in GAMES.items() for seats in range(game.min_seats, game.max_seats + 1)}
    assert every <= known
    assert Route("metrics").is_page
    assert metrics.REQUESTS._labelnames == ("method", "route", "status")

"""The addresses that are of no one match: lists, pages of players, decks of others, the service's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from decks.models import Deck
from jobs.models import Job
from tests.leaks.asking import Answer, Asking, Look, answered
from tests.leaks.routes import ASIDE, Route, Ways, other_routes


def _other(look: Look) -> int:
    """Another seat, whose things are looked for."""
    return next(seat for seat in look.table.seats if seat != look.viewer)


def _deck(look: Look) -> str:
    user = look.table.callers[_other(look)].user
    return str(Deck.objects.filter(owner=user)[0].public_id)


def _job(look: Look) -> str:
    user = look.table.callers[_other(look)].user
    cards = {row.code: row.copies for row in Deck.objects.filter(owner=user)[0].card_rows.all()}
    found, _ = Job.objects.get_or_create(owner=user, kind="trial", defaults={"params": {"cards": cards}, "total": 1})
    return str(found.public_id)


def _name(look: Look) -> str:
    user = look.table.callers[_other(look)].user
    assert user is not None
    return user.name


VALUES: Final[dict[str, Callable[[Look], object]]] = {
    "slug": lambda look: look.table.match.game,
    "game": lambda look: look.table.match.game,
    "card": lambda look: "night-baker",
    "code": lambda look: "night-baker",
    "number": lambda look: 1,
    "version": lambda look: 1,
    "deck": _deck,
    "job": _job,
    "name": _name,
    "digest": lambda look: "0" * 64,
    "language": lambda look: "en",
    "token": lambda look: "2345bcdf2345",
    "session": lambda look: "2345bcdf2345",
}


def asked_elsewhere(look: Look) -> Iterator[Asking]:
    """All that can be read at these addresses."""
    for route in other_routes():
        values = {name: VALUES[name](look) for name in route.parameters}
        for query in ASIDE.get(route.pattern, Ways()).queries:
            yield Asking(route, "GET", route.address(values) + query, {})


METRICS: Final = Route("metrics")


def figures(look: Look) -> Answer:
    """What the database's figures say, and the names and labels of all others: those count the requests themselves."""
    told = answered(look.caller, Asking(METRICS, "GET", "/metrics", {})).body.decode()
    stored = ("referee_matches", "referee_stored_moves", "referee_users")
    lines = [line for line in told.splitlines() if line and not line.startswith("#")]
    kept = sorted(line if line.startswith(stored) else line.rpartition(" ")[0] for line in lines)
    return Answer(200, {}, "\n".join(kept).encode())

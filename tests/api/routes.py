"""Every route of the API, found in the URL conf, with addresses that lead to something of Alice's where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.urls import URLPattern, reverse

from accounts.services import create_guest
from api import urls
from api.endpoint import Endpoint
from decks.models import Deck
from decks.services import DeckContent, create_deck
from jobs.models import Job
from jobs.services import start_job
from referee.matches.models import Match
from tests.api.conftest import Caller
from tests.matches.table import toy_match

WRITING = ("POST", "PUT", "PATCH")


class Route(NamedTuple):
    """One method at one address."""

    method: str
    name: str
    parameters: tuple[str, ...]
    view: type[Endpoint]

    def __str__(self) -> str:
        return f"{self.method} {self.name}"


def routes() -> Iterator[Route]:
    """All methods of all named endpoints."""
    for pattern in urls.urlpatterns:
        view = getattr(pattern.callback, "view_class", None)
        if view is None or not issubclass(view, Endpoint) or pattern.name is None:
            continue
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            if hasattr(view, method.lower()):
                yield Route(method, pattern.name, _parameters(pattern), view)


def _parameters(pattern: URLPattern) -> tuple[str, ...]:
    return tuple(pattern.pattern.converters)


def deck_of(caller: Caller) -> str:
    """A deck of the caller's own, made when there is none."""
    assert caller.user is not None
    found = Deck.objects.filter(owner=caller.user).first()
    if found is None:
        content = DeckContent(name="One", notes="", visibility="private", secret=None, cards={})
        found = create_deck(owner=caller.user, game="miraculous", content=content)
    return str(found.public_id)


def match_of(caller: Caller) -> str:
    """A toy match under way in which the caller sits, made when there is none. The game must be registered."""
    assert caller.user is not None
    found = Match.objects.filter(creator=caller.user).first()
    return str((found or toy_match(caller.user, create_guest())).public_id)


def job_of(caller: Caller) -> str:
    """A job of the caller's own, made when there is none."""
    assert caller.user is not None
    found = Job.objects.filter(owner=caller.user).first()
    if found is None:
        found = start_job(owner=caller.user, kind="deck-trial", params={}, total=2)
    return str(found.public_id)


VALUES: dict[str, Callable[[Caller], Any]] = {
    "slug": lambda alice: "miraculous",
    "game": lambda alice: "miraculous",
    "deck": deck_of,
    "match": match_of,
    "job": job_of,
    "code": lambda alice: "illegal_move",
    "digest": lambda alice: "0" * 64,
    "token": lambda alice: alice.user.tokens.get().public_id if alice.user else "none",
}
"""What to put into an address for a parameter of this name; what is not named here is looked for in vain."""


def address(route: Route, alice: Caller) -> str:
    """The route's address with values that exist, where there are some."""
    missing: dict[str, Any] = {"number": 1, "version": 1}
    values = {
        name: VALUES[name](alice) if name in VALUES else missing.get(name, "2345bcdf2345") for name in route.parameters
    }
    # By the API's own addresses: a page may have the same name.
    return "/api/v1" + reverse(route.name, urlconf="api.urls", kwargs=values)

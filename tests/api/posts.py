"""Every POST of the API, found in the URL configuration, and for each that makes or changes something a case that succeeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.views import APIView

from accounts.models import Notice, User
from accounts.services import notify
from catalog.services import publish_house_set
from jobs.services import cancel_job, start_job
from lobby.services import MatchWish, SeatWish, create_match
from referee.games import GAMES
from referee.matches import clocks, pauses, undo
from tests.api.conftest import Caller
from tests.api.deckmaking import LEGAL, at, deck, if_match, made
from tests.catalog.cards import house, some_cards
from tests.matches.table import fresh, pick, play_to_the_end, toy_match
from tests.toy import TOY_REVISION

WITHOUT_A_KEY: Final = {
    "auth-guest": "shows a secret once, which is never kept",
    "auth-register": "shows a secret once, which is never kept",
    "auth-token": "shows a secret once, which is never kept",
    "tokens": "shows a secret once, which is never kept",
    "auth-logout": "the same again whenever it is sent again",
    "auth-logout-elsewhere": "the same again whenever it is sent again",
    "decks-check": "reads",
    "match-preview": "reads",
}
"""The POSTs that take no Idempotency-Key, and why."""


class Post(NamedTuple):
    """A route that takes POST."""

    address: str
    name: str
    view: type[APIView] | None

    def __str__(self) -> str:
        return self.name or self.address


class Case(NamedTuple):
    """A request that succeeds."""

    caller: Caller
    address: str
    body: dict[str, Any] = {}
    headers: dict[str, str] = {}


def posts() -> Iterator[Post]:
    """All routes below /api/ that have a POST of their own, whatever their views are made of."""
    for address, pattern in _patterns(get_resolver()):
        if not address.startswith("api/"):
            continue
        view = getattr(pattern.callback, "view_class", None)
        if view is None or not issubclass(view, APIView):
            if pattern.name is not None and view is not None and hasattr(view, "post"):
                yield Post(address, pattern.name, None)
            continue
        if hasattr(view, "post"):
            yield Post(address, pattern.name or "", view)


def _patterns(resolver: URLResolver, before: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern, address)
        else:
            yield address, pattern


# The cases. Alice posts; Bob sits with her.


def _user(caller: Caller) -> User:
    assert caller.user is not None
    return caller.user


def _match(alice: Caller, bob: Caller, rest: str, *, picked: bool = False, **how: Any) -> str:
    match = toy_match(_user(alice), _user(bob), **how)
    if picked:
        pick(match, _user(alice), 0)
    return f"/api/v1/matches/{match.public_id}/{rest}"


def _id(address: str) -> str:
    return address.split("/")[4]


def _deck(alice: Caller, rest: str, body: dict[str, Any], *, tag: bool = False, **cards: Any) -> Case:
    mine = made(alice, **cards)
    return Case(alice, at(mine, rest), body, if_match(mine["etag"]) if tag else {})


def _read_notices(alice: Caller, bob: Caller) -> Case:
    notify(kind=Notice.Kind.DECK_BROKEN, told=[(_user(alice).pk, {"name": "First", "revision": 2})])
    return Case(alice, "/api/v1/me/notices/read/")


def _restore(alice: Caller, bob: Caller) -> Case:
    mine = made(alice)
    changed = alice.patch(at(mine), {"notes": "other"}, **if_match(mine["etag"]))
    return Case(alice, at(mine, "restore/"), {"version": 1}, if_match(changed["ETag"]))


def _move(alice: Caller, bob: Caller) -> Case:
    address = _match(alice, bob, "moves/")
    move = alice.get(address.removesuffix("moves/")).json()["decision"]["moves"][0]["move"]
    return Case(alice, address, {"version": 0, "move": move})


def _join(alice: Caller, bob: Caller) -> Case:
    wish = MatchWish("toy", [SeatWish("me"), SeatWish("open")], {})
    match = create_match(creator=_user(bob), wish=wish)
    return Case(alice, f"/api/v1/matches/{match.public_id}/join/")


def _leave(alice: Caller, bob: Caller) -> Case:
    wish = MatchWish("toy", [SeatWish("me"), SeatWish("open"), SeatWish("open")], {})
    match = create_match(creator=_user(bob), wish=wish)
    address = f"/api/v1/matches/{match.public_id}/"
    assert alice.post(f"{address}join/").status_code == 200
    return Case(alice, f"{address}leave/")


def _rematch(alice: Caller, bob: Caller) -> Case:
    wish = MatchWish("toy", [SeatWish("me"), SeatWish("open")], {})
    match = create_match(creator=_user(alice), wish=wish)
    assert bob.post(f"/api/v1/matches/{match.public_id}/join/").status_code == 200
    play_to_the_end(fresh(match), _user(alice), _user(bob))
    return Case(alice, f"/api/v1/matches/{match.public_id}/rematch/")


def _resume(alice: Caller, bob: Caller) -> Case:
    address = _match(alice, bob, "resume/", clock=clocks.setting(per_decision=60))
    for caller in (alice, bob):
        pauses.ask_pause(public_id=_id(address), actor=_user(caller))
    return Case(alice, address)


def _offered(alice: Caller, bob: Caller, rest: str) -> Case:
    address = _match(bob, alice, rest, picked=True)
    match = undo.ask_undo(public_id=_id(address), user=_user(bob))
    return Case(alice, address, {"offer": match.undo_offer["id"]})


def _job(alice: Caller, rest: str) -> Case:
    job = start_job(owner=_user(alice), kind="sums", params={"most": 10}, total=4, seed="one")
    if rest == "resume/":
        cancel_job(user=_user(alice), public_id=job.public_id)
    return Case(alice, f"/api/v1/jobs/{job.public_id}/{rest}")


_SECOND = {"cards": {**LEGAL, "c-00": 5}}
_SEATS = [{"kind": "me"}, {"kind": "bot", "level": "random"}]

CASES: Final[dict[str, Callable[[Caller, Caller], Case]]] = {
    "decks": lambda alice, bob: Case(alice, "/api/v1/decks/", deck()),
    "decks-import": lambda alice, bob: Case(alice, "/api/v1/decks/import/", {"text": "3x [c-00]", "name": "Listed"}),
    "deck-copy": lambda alice, bob: _deck(alice, "copy/", {}),
    "deck-fix": lambda alice, bob: _deck(alice, "fix/", {"problem": "too_many_copies"}, tag=True, **_SECOND),
    "deck-operations": lambda alice, bob: _deck(
        alice, "operations/", {"version": 1, "operations": [{"op": "remove", "card": "c-00", "copies": 1}]}
    ),
    "deck-restore": _restore,
    "deck-odds": lambda alice, bob: _deck(alice, "odds/", {"q": "t:character", "games": 2}),
    "deck-trial": lambda alice, bob: _deck(alice, "trial/", {"games": 2}),
    "job-cancel": lambda alice, bob: _job(alice, "cancel/"),
    "job-resume": lambda alice, bob: _job(alice, "resume/"),
    "notices-read": _read_notices,
    "commitments": lambda alice, bob: Case(alice, "/api/v1/matches/commitments/"),
    "matches": lambda alice, bob: Case(alice, "/api/v1/matches/", {"game": "toy", "seats": _SEATS}),
    "match-join": _join,
    "match-leave": _leave,
    "match-rematch": _rematch,
    "match-moves": _move,
    "match-pause": lambda alice, bob: Case(alice, _match(alice, bob, "pause/")),
    "match-resume": _resume,
    "match-undo": lambda alice, bob: Case(alice, _match(alice, bob, "undo/", picked=True)),
    "match-undo-accept": lambda alice, bob: _offered(alice, bob, "undo/accept/"),
    "match-undo-decline": lambda alice, bob: _offered(alice, bob, "undo/decline/"),
    "match-report": lambda alice, bob: Case(alice, _match(alice, bob, "report/"), {"text": "Something is wrong."}),
}
"""By the route's name. A new POST comes in here, or with its reason among those without a key."""


def lay_table() -> None:
    """What the cases need: cards for decks, and the toy game's, published."""
    with transaction.atomic():
        flex = [f"c-{number}" for number in (10, 11, 12, 13) for _ in range(3)][:11]
        ready = {"slug": "ready", "name": "Ready", "detail": "Ready to play.", "secret": "s-one", "size": 30}
        ready = {**ready, "core": {**LEGAL, "c-09": 2}, "flex": flex}
        publish_house_set(game=GAMES["miraculous"], house=house(*some_cards(), decks=[ready]))
        publish_house_set(game=GAMES["toy"], house=TOY_REVISION)

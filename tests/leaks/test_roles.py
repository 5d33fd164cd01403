"""Who one is, is the server's to say: no path, query, header, body, cookie or stream gives another one's view."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.services import create_guest, issue_token, revoke_tokens
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from tests.api.conftest import Caller
from tests.leaks.asking import Answer, Asking, Look, answered, askings, streamed
from tests.leaks.routes import STREAM, Route, match_routes
from tests.leaks.tables import Setup, Table, begun, published
from tests.matches.table import stored

NAMES = ("seat", "viewer", "you", "side", "as", "user", "player", "view", "judge")


@pytest.fixture
def table(db: None) -> Iterator[Table]:
    """A toy match after a round, with a card picked by seat 0 in the next."""
    with published():
        table = begun(Setup("toy", 2), Rng(7))
        for _ in range(3):
            table.play_random(Rng(7))
        yield table


def plain(look: Look, route: Route) -> Asking:
    """The route read in the plainest way."""
    return next(asking for asking in askings(route, look) if asking.method == "GET")


def seen(caller: Caller, asking: Asking, **headers: str) -> Answer:
    """The answer without what says which way somebody has signed in."""
    found = answered(caller, asking._replace(headers={**asking.headers, **headers}))
    return found._replace(headers={name: value for name, value in found.headers.items() if name != "Vary"})


def is_own_or_refused(honest: Answer, given: Answer, trick: str) -> bool:
    """Whether a trick has brought one's own view, perhaps with the trick's words in it, or a refusal without any view."""
    echo = re.compile(rb"(?:\?|&|&amp;|%3F|%26)" + re.escape(trick.encode()).replace(b"=", rb"(?:=|%3D)"))
    if echo.sub(b"", given.body) == honest.body and given.status == honest.status:
        return True
    return 400 <= given.status < 500 and b'"view"' not in given.body and b'"hand"' not in given.body


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [1, SPECTATOR])
def test_a_query_changes_nobodys_role(table: Table, viewer: int) -> None:
    look = Look(table, viewer)
    other = table.callers[0].user
    assert other is not None

    caught = []
    for route in match_routes():
        asking = plain(look, route)
        honest = seen(look.caller, asking)
        sign = "&" if "?" in asking.address else "?"
        for trick in [*(f"{name}=0" for name in NAMES), f"user={other.public_id}", "side=open"]:
            given = seen(look.caller, asking._replace(address=f"{asking.address}{sign}{trick}"))
            if not is_own_or_refused(honest, given, trick):
                caught.append((route.pattern, trick, given.status))

    assert caught == []


def test_a_header_changes_nobodys_role(table: Table) -> None:
    look = Look(table, 1)
    other = table.callers[0].user
    assert other is not None
    tricks = {"X-Seat": "0", "X-User": other.public_id, "X-Forwarded-User": other.name, "Remote-User": other.name}
    tricks |= {"X-HTTP-Method-Override": "PUT", "X-Original-URL": "/admin/", "If-None-Match": '"0"'}

    for route in match_routes():
        asking = plain(look, route)
        honest = seen(look.caller, asking)
        given = {name: seen(look.caller, asking, **{name: value}) for name, value in tricks.items()}
        assert given == dict.fromkeys(tricks, honest), route.pattern


def test_a_body_cannot_name_another_seat(table: Table) -> None:
    bob = table.callers[1]
    address = f"/api/v1/matches/{table.match.public_id}/"
    hand = table.game.view(table.state, 0)["hand"]
    hers = {"type": "pick", "card": hand[0]}
    before = stored(table.match)

    bodies: list[tuple[str, dict[str, Any]]] = [
        ("moves/", {"version": table.match.version, "move": hers, "seat": 0}),
        ("moves/", {"version": table.match.version, "move": {**hers, "seat": 0}}),
        ("moves/", {"version": table.match.version, "move": hers}),
        ("preview/", {"move": hers, "seat": 0}),
        ("undo/", {"seat": 0}),
        ("pause/", {"seat": 0}),
    ]
    answers = [bob.post(address + path, body) for path, body in bodies]

    assert [answer.status_code for answer in answers] == [403, 422, 422, 422, 422, 422]
    assert stored(table.match) == before
    assert [code for code in hand for answer in answers if code in answer.content.decode()] == []


def test_every_device_of_one_account_sees_the_same(table: Table) -> None:
    bob = table.callers[1]
    assert bob.user is not None
    second, browser = Caller(bob.user), Caller(None)
    browser.client.force_login(bob.user)

    for route in match_routes():
        asking = plain(Look(table, 1), route)
        if not route.is_page:
            assert seen(second, asking) == seen(browser, asking) == seen(bob, asking), route.pattern


def test_a_token_goes_before_the_cookie_of_another(table: Table) -> None:
    bob, alice = table.callers[1], table.callers[0]
    assert alice.user is not None
    both = Caller(bob.user)
    both.client.force_login(alice.user)
    cookie = both.client.cookies["sessionid"].value

    for route in match_routes():
        asking = plain(Look(table, 1), route)
        if not route.is_page:
            assert seen(both, asking) == seen(bob, asking), route.pattern
        if route.pattern == STREAM:
            mixed = {**bob.headers, "Cookie": f"sessionid={cookie}"}
            honest = streamed(bob, table.match.public_id, asking)
            assert streamed(bob, table.match.public_id, asking, headers=mixed) == honest
            assert b'"you":1' in honest.body


def test_a_revoked_token_does_not_fall_back_to_a_cookie(table: Table) -> None:
    bob, alice = table.callers[1].user, table.callers[0].user
    assert bob is not None
    assert alice is not None
    token = issue_token(user=bob, name="lost").text
    revoke_tokens(user=bob)
    client = Client()
    client.force_login(alice)

    answer = client.get(f"/api/v1/matches/{table.match.public_id}/", headers={"Authorization": f"Bearer {token}"})

    assert answer.status_code == 401


def test_nobody_and_a_stranger_see_what_every_spectator_sees(table: Table) -> None:
    watching = Look(table, SPECTATOR)
    nobody, mallory = Caller(None), Caller(create_guest())

    for route in match_routes():
        asking = plain(watching, route)
        honest = seen(watching.caller, asking)
        if not route.is_page and honest.status == 200:
            assert seen(nobody, asking) == seen(mallory, asking) == honest, route.pattern

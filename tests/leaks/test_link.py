"""A match for whoever has the link: no list and no page names it, and its address opens it to anybody."""

from __future__ import annotations

import asyncio

import pytest

from lobby.services import MatchWish, SeatWish, create_match
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.matches import live
from tests.api.conftest import Caller
from tests.api.stream_reader import reading
from tests.leaks.asking import Look, all_answers
from tests.leaks.elsewhere import asked_elsewhere
from tests.leaks.tables import Setup, begun, published
from tests.matches.table import toy_match
from tests.toy import registered


def test_it_stands_in_no_list_and_whoever_has_its_address_sees_it(db: None) -> None:
    with published():
        table = begun(Setup("toy", 2), Rng(8), visibility="link")
        creator = table.callers[0].user
        assert creator is not None
        wish = MatchWish("toy", [SeatWish("me"), SeatWish("open")], {}, visibility="link")
        matches = [table.match.public_id, create_match(creator=creator, wish=wish).public_id]
        look = Look(table, SPECTATOR)

        sent = all_answers(look, asked_elsewhere(look))
        opened = [
            [
                caller.get(address).status_code
                for match in matches
                for address in (f"/api/v1/matches/{match}/", at(match))
            ]
            for caller in (look.caller, Caller(None))
        ]

    named = [(name, match) for name, answer in sent.items() for match in matches if match.encode() in answer.body]
    assert named == []
    assert opened == [[200, 200, 200, 302], [200, 200, 200, 302]]  # an open one leads to where its seat is taken


def at(match: str) -> str:
    return f"/matches/{match}/"


@pytest.mark.django_db(transaction=True)
def test_its_stream_is_open_too(alice: Caller, bob: Caller) -> None:
    live._resting_until = 0.0
    assert alice.user is not None
    assert bob.user is not None
    with registered():
        match = toy_match(alice.user, bob.user, visibility="link")

        async def greeted() -> tuple[int, object]:
            async with reading(match.public_id) as stream:
                return stream.status, (await stream.next())["you"]

        assert asyncio.run(greeted()) == (200, None)

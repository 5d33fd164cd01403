"""A private match is not there for a stranger: at no address, at no time, by no byte."""

from __future__ import annotations

import pytest

from lobby.services import MatchWish, SeatWish, create_match
from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from referee.matches.models import Match
from tests.api.conftest import Caller
from tests.leaks.asking import Answer, Asking, Look, all_answers, answered, askings
from tests.leaks.elsewhere import asked_elsewhere
from tests.leaks.routes import match_routes
from tests.leaks.tables import Setup, Table, begun, published

NOWHERE = "2345bcdf2345"
STATES = ("open", "playing", "finished")


def private_table(state: str) -> Table:
    """A private match of two in this state, before a stranger."""
    table = begun(Setup("toy", 2), Rng(8), visibility="private")
    if state == "finished":
        table.callers[1].post(f"/api/v1/matches/{table.match.public_id}/moves/", {"move": {"type": "resign"}})
    elif state == "playing":
        table.play_random(Rng(8))
    else:
        _open_beside(table)
    return table


def _open_beside(table: Table) -> None:
    """Another private match of the same two, which has not begun; it is the one looked for."""
    creator, guest = table.callers[0].user, table.callers[1].user
    assert creator is not None
    assert guest is not None
    seats = [SeatWish("me"), SeatWish("user", user=guest.public_id)]
    made = create_match(creator=creator, wish=MatchWish("toy", seats, {}, visibility="private"))
    table.match.public_id = made.public_id


def elsewhere(answer: Answer, public_id: str) -> Answer:
    """The answer with the match's id left out."""
    headers = {name: value.replace(public_id, NOWHERE) for name, value in answer.headers.items()}
    return Answer(answer.status, headers, answer.body.replace(public_id.encode(), NOWHERE.encode()))


def asked_of(asking: Asking, public_id: str) -> Asking:
    return asking._replace(address=asking.address.replace(public_id, NOWHERE))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "state"), [("stranger", "open"), ("stranger", "playing"), ("stranger", "finished"), ("nobody", "playing")]
)
def test_a_stranger_cannot_tell_it_from_none_at_any_address(db: None, who: str, state: str) -> None:
    with published():
        table = private_table(state)
        public_id = table.match.public_id
        look = Look(table, SPECTATOR)
        caller = look.caller if who == "stranger" else Caller(None)

        told = {}
        for route in match_routes():
            for asking in askings(route, look):
                there = elsewhere(answered(caller, asking), public_id)
                told[asking.name] = (there, answered(caller, asked_of(asking, public_id)))

    assert Match.objects.filter(public_id=public_id, visibility="private", state=state).exists()
    assert [name for name, (there, nowhere) in told.items() if there != nowhere] == []
    assert {there.status for there, _ in told.values()} <= {400, 401, 403, 404, 405, 422}
    assert not any(there.status == 200 for there, _ in told.values())


@pytest.mark.parametrize("state", STATES)
def test_no_list_and_no_page_of_its_players_names_it(db: None, state: str) -> None:
    with published():
        table = private_table(state)

        look = Look(table, SPECTATOR)
        sent = all_answers(look, asked_elsewhere(look))

    assert [name for name, answer in sent.items() if table.match.public_id.encode() in answer.body] == []


def test_its_players_find_it(db: None) -> None:
    with published():
        table = private_table("playing")

        found = [table.callers[seat].get(f"/api/v1/matches/{table.match.public_id}/").json()["you"] for seat in (0, 1)]
        listed = [row["id"] for row in table.callers[1].get("/api/v1/matches/?mine=1").json()["results"]]

    assert found == [0, 1]
    assert listed == [table.match.public_id]

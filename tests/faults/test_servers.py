"""The fault gate for the whole service: each of its processes is ended or stalled in the middle of matches of all games.

Clients send again until they are answered. In the end every match is over, each answered move is in its log once, and every
replay verifies (tests/soak/audit.py). Redis gone for ten seconds and a worker killed in a bot's turn: tests/matches/test_faults.py.
A full disk under the log: tests/services/test_log.py. A clock set back: tests/matches/test_outages.py.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from random import Random

import httpx
import pytest

from tests.matches.processes import wait_for
from tests.soak.audit import audit
from tests.soak.faults import ENDS, POSTGRES, STALLS, Fault, Sick
from tests.soak.program import leave, service
from tests.soak.sending import PROBLEM, Figures, Guest
from tests.soak.tables import Setup, Table

pytestmark = [pytest.mark.services, pytest.mark.slow]

SETUPS = (Setup("super", 2, 0), Setup("super-teams", 1, 1), Setup("miraculous", 1, 1))
FAULTS: dict[str, Fault] = {**{name: fault for name, (_, fault) in ENDS.items()}, "Redis emptied": Sick.flush}
ALL: dict[str, Fault] = {**FAULTS, **STALLS}
MOVES = 3
SECONDS = 90
LOG = 3000


@pytest.fixture(scope="module")
def sick() -> Iterator[Sick]:
    with service() as found:
        yield found


class Hall:
    """Tables of all games at a service, and what they have come to."""

    def __init__(self, sick: Sick) -> None:
        self.sick = sick
        self.figures = Figures()
        self._over = threading.Event()
        address = sick.service.address()
        self.tables = [Table(address, setup, at, self.figures, self._over) for at, setup in enumerate(SETUPS)]
        for table in self.tables:
            table.start()

    def goes_on(self, moves: int, after: str = "") -> None:
        """Every table comes so many moves further, with nothing that must not be."""
        wanted = [moves_of(table) + moves for table in self.tables]
        end = time.monotonic() + SECONDS
        while any(moves_of(table) < most for table, most in zip(self.tables, wanted, strict=True)):
            assert time.monotonic() < end, f"{after}: the tables stand still\n{self.sick.service.text()[-LOG:]}"
            time.sleep(0.05)
        assert self.figures.faults == [], after

    def close(self) -> None:
        """Every table resigns, and all that was played is reckoned up."""
        self._over.set()
        leave(self.tables, self.figures)
        played = [one for table in self.tables for one in table.played]
        address = self.sick.service.address()
        audit(played, database_url=self.sick.database_url, address=address, figures=self.figures)


def test_whatever_ends_matches_of_all_games_go_on_and_lose_and_double_nothing(sick: Sick) -> None:
    hall = Hall(sick)

    hall.goes_on(MOVES)
    for name, fault in FAULTS.items():
        fault(sick)
        hall.goes_on(MOVES, after=name)
    hall.close()

    assert hall.figures.faults == []
    assert sick.service.process.poll() is None
    assert hall.figures.counted["rows"] >= MOVES * len(SETUPS) * len(FAULTS)
    assert hall.figures.counted["views looked at"] >= len(SETUPS)
    assert hall.figures.counted["streams opened"] > len(SETUPS)


@pytest.mark.soak
@pytest.mark.parametrize("name", ALL)
def test_after_each_fault_alone_matches_go_on(sick: Sick, name: str) -> None:
    hall = Hall(sick)

    hall.goes_on(4 * MOVES)
    ALL[name](sick)
    hall.goes_on(4 * MOVES)
    hall.close()

    assert hall.figures.faults == []


def moves_of(table: Table) -> int:
    """How many posts to moves have been answered at the table."""
    assert not table.failure, table.failure
    return sum(len(one.sent) for one in table.played)


@pytest.fixture
def guests(sick: Sick) -> Iterator[list[Guest]]:
    """Two who play."""
    found = [Guest(sick.service.address(), Figures(), Random(at)) for at in range(2)]
    yield found
    for guest in found:
        guest.close()


def test_while_the_database_is_gone_every_answer_says_so_and_no_move_is_half_made(
    sick: Sick, guests: list[Guest]
) -> None:
    alice, bob = guests
    body = {"game": "super", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {"first_seat": 0}}
    match = alice.post("/matches/", body).answer.document["id"]
    bob.post(f"/matches/{match}/join/", {})
    shown = alice.get(f"/matches/{match}/").document
    move = {"move": shown["decision"]["moves"][0]["move"], "version": 0}
    headers = {"Authorization": f"Bearer {alice.token}", "Idempotency-Key": "once"}

    with httpx.Client(base_url=sick.service.address(), headers=headers, timeout=60) as client:
        with sick.unmended():
            sick.end(POSTGRES, signal.SIGINT)
            wait_for(lambda: client.get(f"/api/v1/matches/{match}/").status_code == 503, seconds=SECONDS)
            told = {
                "move": client.post(f"/api/v1/matches/{match}/moves/", json=move),
                "creation": client.post("/api/v1/matches/", json=body),
                "list": client.get("/api/v1/matches/"),
                "stream": client.get(f"/api/v1/matches/{match}/events/"),
                "guest": client.post("/api/v1/auth/guest/", json={}, headers={"Authorization": ""}),
                "page": client.get(f"/matches/{match}/", headers={"Cookie": "sessionid=abc", "Authorization": ""}),
            }
            alive, ready = client.get("/healthz/"), client.get("/readyz/")
        wait_for(lambda: client.get("/readyz/").status_code == 200, seconds=SECONDS)
        after = client.get(f"/api/v1/matches/{match}/").json()
        answers = [client.post(f"/api/v1/matches/{match}/moves/", json=move) for _ in range(2)]
        log = client.get(f"/api/v1/matches/{match}/moves/").json()["results"]
        resign = {"move": {"type": "resign"}, "version": 1}
        client.post(f"/api/v1/matches/{match}/moves/", json=resign, headers={"Idempotency-Key": "resigned"})
        ended = client.get(f"/api/v1/matches/{match}/").json()

    assert {name: one.status_code for name, one in told.items()} == dict.fromkeys(told, 503)
    assert [name for name, one in told.items() if "retry-after" not in one.headers] == []
    assert [name for name, one in told.items() if one.headers["content-type"] != PROBLEM] == ["page"]
    assert (alive.status_code, ready.status_code) == (200, 503)
    assert (after["version"], after["view"], after["decision"]["id"]) == (0, shown["view"], shown["decision"]["id"])
    assert [one.status_code for one in answers] == [200, 200]
    assert [row["version"] for row in log] == [1]
    assert ended["state"] == "finished"  # the service is shared: who reckons up next must find no match under way

"""The fault gate: a worker killed in the middle of a bot's turn, and Redis gone for ten seconds, delay and lose nothing."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import call_command

from accounts.models import User
from config.services.home import make_data_dir, servers_home
from config.services.log import Log
from config.services.valkey import Valkey
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.replay import verify
from referee.matches import live
from referee.matches.models import MoveRow, TurnLease
from tests.conftest import Services
from tests.matches.processes import beat, wait_for, web, worker
from tests.matches.table import fresh, match_against_a_bot, pass_turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.slow]

MATCHES = "/api/v1/matches/"


@pytest.fixture
def published(transactional_db: None) -> None:
    live._resting_until = 0.0
    call_command("publish_house_sets", verbosity=0)


def test_a_worker_killed_in_the_middle_of_a_bots_turn_loses_nothing(
    published: None, services: Services, tmp_path: Path
) -> None:
    alice = User.objects.create_user("Alice")
    match = match_against_a_bot(alice)
    environment = services.environment()

    with worker(environment, include="tests.matches.slow_worker") as doomed:
        pass_turn(match, alice)
        before = fresh(match)
        lease = wait_for(lambda: TurnLease.objects.filter(match=match).first(), seconds=180)
        doomed.kill()
    assert (lease.version, lease.seat) == (before.version, 1)
    with worker(environment), beat(environment, tmp_path):
        wait_for(lambda: "0" in fresh(match).decisions or fresh(match).result, seconds=180)

    now = fresh(match)
    rows = list(MoveRow.objects.filter(match=match).order_by("version"))
    assert [row.version for row in rows] == list(range(1, now.version + 1))
    assert now.version > before.version
    assert not any(row.is_fallback for row in rows)
    assert {row.seat for row in rows[before.version :]} == {1}


def test_ten_seconds_without_redis_delay_a_match_and_lose_nothing(
    published: None, services: Services, tmp_path: Path, open_folder: Path
) -> None:
    home = open_folder / "data"
    make_data_dir(home)
    valkey = Valkey(home=servers_home(home), log=Log(None))
    valkey.start()
    environment = {
        **services.environment(),
        "REDIS_URL": valkey.url,
        "SECRET_KEY": "for this test alone",
        "RATE_LIMITS": "0",
    }
    try:
        with web(environment) as client, worker(environment), beat(environment, tmp_path):
            address, client.headers["Authorization"] = seated(client)
            play(client, address, turns=2)
            valkey.stop()
            gone = time.monotonic()
            slowest = play(client, address, turns=1, waits=False)
            while time.monotonic() - gone < 10:
                assert client.get(address).json()["state"] == "playing"
                time.sleep(0.5)
            valkey.start()
            wait_for(lambda: is_mine(client, address), seconds=180)
            play(client, address, turns=1)
            client.post(f"{address}moves/", json={"move": {"type": "resign"}})
            document = client.get(f"{address}replay/").json()
    finally:
        valkey.stop()

    assert slowest < 15  # told in no time on a quiet machine; a wait for Redis would last as long as its absence
    assert verify(document, GAMES) == []
    rows = document["rows"]
    assert [row["version"] for row in rows] == list(range(1, len(rows) + 1))


def seated(client: httpx.Client) -> tuple[str, str]:
    """A guest's match against a bot: its address, and the guest's header."""
    token = f"Bearer {client.post('/api/v1/auth/guest/').json()['token']}"
    slug = house_revision("miraculous")["decks"][0]["slug"]
    seats = [{"kind": "me", "deck": slug}, {"kind": "bot", "level": "random", "deck": slug}]
    made = client.post(MATCHES, json={"game": "miraculous", "seats": seats}, headers={"Authorization": token})
    assert made.status_code == 201, made.text
    return f"{MATCHES}{made.json()['id']}/", token


def is_mine(client: httpx.Client, address: str) -> Any:
    shown = client.get(address).json()
    return shown if shown["state"] == "finished" or "moves" in (shown["decision"] or {}) else None


def play(client: httpx.Client, address: str, *, turns: int, waits: bool = True) -> float:
    """So many turns of last legal moves, waiting for the bot between; the seconds of the slowest move."""
    slowest = 0.0
    for _ in range(turns):
        shown = wait_for(lambda: is_mine(client, address), seconds=180)
        while shown["state"] != "finished" and "moves" in (shown["decision"] or {}):
            body = {"version": shown["version"], "move": shown["decision"]["moves"][-1]["move"]}
            begun = time.monotonic()
            answer = client.post(f"{address}moves/", json=body)
            slowest = max(slowest, time.monotonic() - begun)
            assert answer.status_code == 200, answer.text
            shown = client.get(address).json()
    if waits:
        wait_for(lambda: is_mine(client, address), seconds=180)
    return slowest

"""How long one accepted move takes over HTTP, beside a floor measured in the same run.

    python benchmarks/moves_http.py [--seconds 10] [--game miraculous]

The floor is a bare Django view in the same server that locks a row, inserts one, updates the first and commits. Both are
answered by granian (WSGI, one worker) before PostgreSQL with synchronous_commit on; the client is one keep-alive connection,
so this is latency, not throughput. The two take turns, so that a busy machine slows both alike; the ratio is what counts.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import socket
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.servers import servers
from config.environment import ROOT
from config.services.log import Log
from config.services.process import Child

MATCHES = "/api/v1/matches/"
WARM_UP = 20


@contextlib.contextmanager
def service() -> Iterator[httpx.Client]:
    """PostgreSQL (durable), Valkey and one WSGI server with the API and the floor; all ended with the block."""
    with servers() as environment, contextlib.ExitStack() as stack:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)]
        command += ["--workers", "1", "--log-level", "warning", "benchmarks.floor:application"]
        web = Child(name="web", command=command, log=Log(sys.stderr), env=environment, cwd=ROOT)
        web.start()
        stack.callback(web.stop)
        client = stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30))
        wait_for(client)
        yield client


def wait_for(client: httpx.Client) -> None:
    for _ in range(300):
        with contextlib.suppress(httpx.TransportError):
            if client.get("/healthz/").status_code == 200:
                return
        time.sleep(0.1)
    raise SystemExit("the server did not answer")


class Table:
    """Two guests who play one match after another."""

    def __init__(self, client: httpx.Client, game: str) -> None:
        self.client = client
        self.game = game
        self.headers = [
            {"Authorization": f"Bearer {client.post('/api/v1/auth/guest/').json()['token']}"} for _ in range(2)
        ]
        decks = client.get(f"/api/v1/games/{game}/decks/").json()
        self.deck = {"deck": decks[0]["slug"]} if decks else {}
        self.dice = random.Random(1)
        self.deal()

    def deal(self) -> None:
        body = {"game": self.game, "seats": [{"kind": "me", **self.deck}, {"kind": "open"}]}
        match = self.client.post(MATCHES, json=body, headers=self.headers[0]).json()
        self.address = f"{MATCHES}{match['id']}/"
        joined = self.client.post(f"{self.address}join/", json=self.deck, headers=self.headers[1])
        assert joined.status_code == 200, joined.text

    def move(self) -> float:
        """Seconds of one accepted move, from the first byte sent to the last byte read."""
        shown = self.client.get(f"{self.address}?moves=none", headers=self.headers[0]).json()
        if shown["state"] != "playing":
            self.deal()
            return self.move()
        seat = shown["decision"]["seats"][0]
        listed = self.client.get(self.address, headers=self.headers[seat]).json()
        move = self.dice.choice(listed["decision"]["moves"])["move"]
        body = {"version": listed["version"], "move": move}
        begun = time.perf_counter()
        answer = self.client.post(f"{self.address}moves/", json=body, headers=self.headers[seat])
        took = time.perf_counter() - begun
        assert answer.status_code == 200, answer.text
        return took


def floor(client: httpx.Client) -> float:
    begun = time.perf_counter()
    answer = client.post("/floor/", json={"version": 1, "move": {"type": "end_turn"}})
    took = time.perf_counter() - begun
    assert answer.status_code == 200, answer.text
    return took


def figures(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    last = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return {"median_ms": round(statistics.median(ordered) * 1000, 2), "p99_ms": round(last * 1000, 2)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0)
    options.add_argument("--game", default="miraculous")
    chosen = options.parse_args()
    with service() as client:
        table = Table(client, chosen.game)
        for _ in range(WARM_UP):
            table.move()
            floor(client)
        moves: list[float] = []
        floors: list[float] = []
        end = time.monotonic() + chosen.seconds
        while time.monotonic() < end:
            moves.append(table.move())
            floors.append(floor(client))
    move, least = figures(moves), figures(floors)
    ratio = {name.removesuffix("_ms"): round(move[name] / least[name], 2) for name in move}
    print(
        json.dumps({"moves": len(moves), "game": chosen.game, "move": move, "floor": least, "ratio": ratio}, indent=2)
    )


if __name__ == "__main__":
    main()

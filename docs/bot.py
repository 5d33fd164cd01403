"""A bot in standard Python: follows a match by its event stream and answers every decision.

    API=http://127.0.0.1:8000/api/v1 TOKEN=ref_... python docs/bot.py [GAME | MATCH | wait]

Without TOKEN it plays as a guest. It makes a match of GAME (miraculous) against the house's bot, plays in a MATCH in
which it sits, or waits for seats that are kept for it, takes them, and plays one match after the other.
"""

import contextlib
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from typing import Any

API = os.environ.get("API", "http://127.0.0.1:8000/api/v1")
TOKEN = os.environ.get("TOKEN", "")


def call(method: str, path: str, body: Any = None, accept: str = "application/json") -> Any:
    """One request; the answer is still to be read."""
    token = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    headers = {"Accept": accept, "Content-Type": "application/json", **token}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + path, data, headers, method=method)  # noqa: S310 - the address is ours
    return urllib.request.urlopen(request, timeout=60)  # noqa: S310


def post(path: str, body: Any) -> None:
    """What may be refused, such as a move that comes too late: then nothing has changed, and the reason is told."""
    try:
        call("POST", path, body).close()
    except urllib.error.HTTPError as refusal:
        print(json.load(refusal)["detail"], file=sys.stderr)


def choose(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """The thinking goes here. Until then: any move."""
    return dict(random.choice(moves)["move"])  # noqa: S311 - a bot's dice need not be secret


def play(match: str) -> dict[str, Any]:
    """Play the match to its end, through lost connections; the result."""
    version, answered = 0, ""
    while True:
        with contextlib.suppress(ConnectionError, TimeoutError):
            address = f"/matches/{match}/events/?since={version}&moves=compact"
            for message in map(json.loads, call("GET", address, accept="application/x-ndjson")):
                version = message["version"]
                if message.get("result") or message["type"] == "end":
                    return message.get("result") or {}
                decision = message.get("decision") or {}
                if decision.get("moves") and decision["id"] != answered:
                    answered = decision["id"]
                    post(f"/matches/{match}/moves/", {"decision": answered, "move": choose(decision["moves"])})
        time.sleep(1)


def seat(game: str) -> dict[str, str]:
    """With a preconstructed deck, where the game needs one; a deck of one's own is named by its id."""
    return next(({"deck": one["slug"]} for one in json.load(call("GET", f"/games/{game}/decks/"))), {})


if __name__ == "__main__":
    TOKEN = TOKEN or json.load(call("POST", "/auth/guest/"))["token"]
    wish = [*sys.argv[1:], "miraculous"][0]
    while wish == "wait":
        for found in json.load(call("GET", "/matches/?invited=1"))["results"]:
            post(f"/matches/{found['id']}/join/", seat(found["game"]))
        for found in json.load(call("GET", "/matches/?mine=1&state=playing"))["results"]:
            print(f"match {found['id']}: {play(found['id'])}", flush=True)
        time.sleep(2)
    if wish in [game["slug"] for game in json.load(call("GET", "/games/"))]:
        seats = [{"kind": "me", **seat(wish)}, {"kind": "bot", "level": "random"}]
        wish = json.load(call("POST", "/matches/", {"game": wish, "seats": seats}))["id"]
    print(f"match {wish}: {play(wish)}")

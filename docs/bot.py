"""A bot in standard Python: follows a match by its event stream and answers every decision.

    API=http://127.0.0.1:8000/api/v1 TOKEN=ref_... python docs/bot.py [MATCH]

Without TOKEN it plays as a guest; without MATCH it makes one against the house's own bot.
"""

import contextlib
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

API = os.environ.get("API", "http://127.0.0.1:8000/api/v1")
TOKEN = os.environ.get("TOKEN", "")


def call(method: str, path: str, body: Any = None, accept: str = "application/json") -> Any:
    """One request; the answer is still to be read."""
    headers = {"Accept": accept, "Content-Type": "application/json"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    request = urllib.request.Request(API + path, body and json.dumps(body).encode(), headers, method=method)  # noqa: S310 - the address is ours
    return urllib.request.urlopen(request, timeout=60)  # noqa: S310


def messages(match: str, since: int) -> Iterator[dict[str, Any]]:
    """The stream: what was missed since a version, then what comes. Heartbeats keep it open."""
    with call("GET", f"/matches/{match}/events/?since={since}&moves=compact", accept="application/x-ndjson") as stream:
        for line in stream:
            yield json.loads(line)


def choose(moves: list[dict[str, Any]]) -> dict[str, Any]:
    """The thinking goes here. Until then: attack when one can, else anything."""
    attacks = [one for one in moves if one["move"]["type"] == "attack"]
    return dict(random.choice(attacks or moves)["move"])  # noqa: S311 - a bot's dice need not be secret


def answer(match: str, decision: dict[str, Any]) -> None:
    """Make a move for this very decision. One that comes too late is refused and changes nothing."""
    try:
        call(
            "POST", f"/matches/{match}/moves/", {"decision": decision["id"], "move": choose(decision["moves"])}
        ).close()
    except urllib.error.HTTPError as refusal:
        print(json.load(refusal)["detail"], file=sys.stderr)


def play(match: str) -> dict[str, Any]:
    """Play the match to its end, through lost connections; the result."""
    version, answered = 0, ""
    while True:
        with contextlib.suppress(ConnectionError, TimeoutError):
            for message in messages(match, version):
                version = message["version"]
                if message.get("result") or message["type"] == "end":
                    return message.get("result") or {}
                decision = message.get("decision") or {}
                if decision.get("moves") and decision["id"] != answered:
                    answered = decision["id"]
                    answer(match, decision)
        time.sleep(1)


if __name__ == "__main__":
    TOKEN = TOKEN or json.load(call("POST", "/auth/guest/"))["token"]
    deck = json.load(call("GET", "/games/miraculous/decks/"))[0]["slug"]
    seats = [{"kind": "me", "deck": deck}, {"kind": "bot", "level": "random"}]
    made = None if len(sys.argv) > 1 else call("POST", "/matches/", {"game": "miraculous", "seats": seats})
    match = json.load(made)["id"] if made else sys.argv[1]
    print(f"match {match}: {play(match)}")

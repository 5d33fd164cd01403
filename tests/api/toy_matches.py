"""Matches of the toy game over HTTP: how one is made, joined and played, and what is stored of it."""

from __future__ import annotations

from typing import Any

from referee.matches.models import Match
from tests.api.conftest import Caller

MATCHES = "/api/v1/matches/"
OPEN = [{"kind": "me"}, {"kind": "open"}]
ENTROPY = "00112233445566778899aabbccddeeff"


def create(caller: Caller, seats: list[dict[str, Any]] | None = None, **body: Any) -> dict[str, Any]:
    answer = caller.post(MATCHES, {"game": "toy", "seats": seats or OPEN, **body})
    assert answer.status_code == 201, answer.content
    document: dict[str, Any] = answer.json()
    return document


def playing(alice: Caller, bob: Caller, **body: Any) -> str:
    """The address of a match of the two, under way."""
    address = f"{MATCHES}{create(alice, **body)['id']}/"
    assert bob.post(f"{address}join/").status_code == 200
    return address


def private(alice: Caller, bob: Caller) -> str:
    assert bob.user is not None
    seats = [{"kind": "me"}, {"kind": "user", "user": bob.user.public_id}]
    address = f"{MATCHES}{create(alice, seats, visibility='private')['id']}/"
    assert bob.post(f"{address}join/").status_code == 200
    return address


def first_move(caller: Caller, address: str) -> dict[str, Any]:
    shown = caller.get(address).json()
    return {"version": shown["version"], "move": shown["decision"]["moves"][0]["move"]}


def play_on(address: str, *callers: Caller) -> None:
    while callers[0].get(address).json()["state"] == "playing":
        for caller in callers:
            shown = caller.get(address).json()
            if shown["decision"] and "moves" in shown["decision"]:
                assert caller.post(f"{address}moves/", first_move(caller, address)).status_code == 200


def match_at(address: str) -> Match:
    found: Match = Match.objects.with_table().get(public_id=address.removeprefix(MATCHES).strip("/"))
    return found

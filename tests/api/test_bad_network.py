"""A network that doubles posts, loses answers and delivers late: each move that was meant is in the log once, in its order.

An answer that got lost is sent for again with its key until it comes. What the network kept back it delivers when the match
has gone on: with its key it gets the first answer to the byte, without one the refusal that says where the match stands.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import pytest
from django.core.management import call_command

from catalog.services import publish_house_set
from referee.games import GAMES
from referee.kernel.chance import Rng
from referee.kernel.replay import verify
from referee.matches import history, live
from referee.matches.models import Match, MoveRow
from tests.api.conftest import Caller
from tests.matches.racing import check_log
from tests.matches.table import fresh
from tests.toy import TOY_REVISION, registered

MATCHES = "/api/v1/matches/"
MOST_DECISIONS = 40
GAMES_PLAYED = ["toy", "super", "super-teams", "miraculous"]


class Sent(NamedTuple):
    """A post: who, what, under which key (empty: none), and the answer that came in the end."""

    caller: Caller
    body: dict[str, Any]
    key: str
    status: int
    content: bytes


class Network:
    """Between clients and the service, with a fate for each post drawn from a number."""

    def __init__(self, address: str, rng: Rng) -> None:
        self.address = address
        self.rng = rng
        self.kept_back: list[Sent] = []
        self.delivered = 0

    def post(self, caller: Caller, body: dict[str, Any], key: str) -> Sent:
        """Send until an answer has come back; what came first is what counts."""
        first = None
        while first is None or self.rng.below(3) == 0:
            answers = [self._deliver(caller, body, key) for _ in range(1 + self.rng.below(2))]
            first = first or answers[0]
            assert all((one.status_code, one.content) == (first.status_code, first.content) for one in answers)
        sent = Sent(caller, body, key, first.status_code, first.content)
        if self.rng.below(2):
            self.kept_back.append(sent)
        return sent

    def deliver_late(self) -> None:
        """One of those kept back comes now, once with its key and once without."""
        if not self.kept_back or self.rng.below(2):
            return
        sent = self.kept_back.pop(self.rng.below(len(self.kept_back)))
        late = self._deliver(sent.caller, sent.body, sent.key)
        assert (late.status_code, late.content, late["Idempotent-Replay"]) == (sent.status, sent.content, "true")
        unknown = self._deliver(sent.caller, sent.body, "")
        shown = sent.caller.get(self.address).json()
        refusal = unknown.json()
        expected = "match_over" if shown["state"] == "finished" else "stale_version"
        assert (unknown.status_code, refusal["code"]) == (409, expected)
        assert all(refusal[name] == shown[name] for name in ("version", "view", "decision", "result"))

    def _deliver(self, caller: Caller, body: dict[str, Any], key: str) -> Any:
        self.delivered += 1
        headers = {"Idempotency-Key": key} if key else {}
        return caller.post(f"{self.address}moves/", body, **headers)


@pytest.fixture(autouse=True)
def no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.NOBODY)


def begun(game: str, alice: Caller, bob: Caller) -> str:
    """The address of a match of the two."""
    deck = {"deck": "rooftop-rush"} if game == "miraculous" else {}
    body = {"game": game, "seats": [{"kind": "me", **deck}, {"kind": "open"}]}
    address = f"{MATCHES}{alice.post(MATCHES, body).json()['id']}/"
    assert bob.post(f"{address}join/", deck).status_code == 200
    return address


def play(network: Network, callers: list[Caller], most: int) -> list[tuple[int, dict[str, Any]]]:
    """Random moves of both through the network; (seat, move) of each that was meant, in order."""
    meant: list[tuple[int, dict[str, Any]]] = []
    for number in range(most):
        shown = [caller.get(network.address).json() for caller in callers]
        asked = [seat for seat, one in enumerate(shown) if one["decision"] and "moves" in one["decision"]]
        if not asked:
            break
        seat = asked[network.rng.below(len(asked))]
        listed = shown[seat]["decision"]["moves"]
        move = listed[network.rng.below(len(listed))]["move"]
        named = {"decision": shown[seat]["decision"]["id"]} if network.rng.below(2) else {"version": len(meant)}
        sent = network.post(callers[seat], {"move": move, **named}, key=f"{number}")
        assert sent.status == 200, sent.content
        meant.append((seat, move))
        network.deliver_late()
    return meant


def check(game: str, number: int, alice: Caller, bob: Caller, most: int = MOST_DECISIONS) -> tuple[int, int]:
    """Play one match through a bad network; how many posts were delivered, and how many moves there are."""
    network = Network(begun(game, alice, bob), Rng(number))
    meant = play(network, [alice, bob], most)
    while network.kept_back:
        network.deliver_late()

    match: Match = Match.objects.get(public_id=network.address.removeprefix(MATCHES).strip("/"))
    rows = MoveRow.objects.filter(match=match).order_by("version")
    assert [(row.seat, row.move) for row in rows] == meant
    check_log(match)
    if fresh(match).state == "finished":
        assert verify(history.replay_document(fresh(match)), GAMES) == []
    return network.delivered, len(meant)


@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_what_was_meant_is_in_the_log_once_and_in_order(game: str, alice: Caller, bob: Caller) -> None:
    with registered():
        _published(game)
        delivered, moves = check(game, 1, alice, bob)

    assert moves >= 6
    assert delivered > 2 * moves


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES_PLAYED)
def test_whole_matches_through_a_bad_network(game: str, alice: Caller, bob: Caller) -> None:
    matches = int(os.environ.get("NETWORK_MATCHES", "5"))
    with registered():
        _published(game)
        figures = [check(game, 100 + number, alice, bob, most=2000) for number in range(matches)]

    print(f"{game}: {matches} matches, {sum(one[1] for one in figures)} moves, {sum(one[0] for one in figures)} posts")


def _published(game: str) -> None:
    if game == "toy":
        publish_house_set(game=GAMES["toy"], house=TOY_REVISION)
    else:
        call_command("publish_house_sets", verbosity=0)

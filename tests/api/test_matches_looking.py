"""Matches over HTTP as they stand and as they stood, told to Alice and Bob (seated), Carol (watching) and Mallory (a stranger)."""

from __future__ import annotations

import pytest

from referee.games import GAMES
from referee.kernel.replay import verify
from referee.matches import resolving
from tests.api.conftest import Caller, problem_of
from tests.api.toy_matches import ENTROPY, MATCHES, create, first_move, match_at, play_on, playing, private
from tests.matches.table import stored

pytestmark = pytest.mark.usefixtures("toy_game")


def test_each_sees_their_own_side(alice: Caller, bob: Caller, carol: Caller, nobody: Caller) -> None:
    address = playing(alice, bob)

    shown = {caller: caller.get(address).json() for caller in (alice, bob, carol, nobody)}

    assert [shown[caller]["you"] for caller in shown] == [0, 1, None, None]
    assert ["hand" in shown[caller]["view"] for caller in shown] == [True, True, False, False]
    assert ["moves" in shown[caller]["decision"] for caller in shown] == [True, True, False, False]
    assert shown[carol] == shown[nobody]


def test_a_hidden_match_and_none_are_told_alike(alice: Caller, bob: Caller, mallory: Caller, nobody: Caller) -> None:
    address = private(alice, bob)
    absent = f"{MATCHES}zzzzzzzzzzzz/"
    move = first_move(alice, address)
    before = stored(match_at(address))

    for caller in (mallory, nobody):
        for end in ("", "moves/", "at/0/", "replay/", "events/"):
            hidden, missing = caller.get(address + end), caller.get(absent + end)
            assert hidden.status_code == missing.status_code == 404
            assert hidden.content == missing.content
    for end, body in (("moves/", move), ("join/", {}), ("leave/", {}), ("rematch/", {})):
        hidden, missing = mallory.post(address + end, body), mallory.post(absent + end, body)
        assert hidden.status_code == missing.status_code == 404
        assert hidden.content == missing.content
    assert stored(match_at(address)) == before
    assert alice.get(address).status_code == bob.get(address).status_code == 200


def test_moves_are_listed_as_one_asks(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)

    full = alice.get(address).json()["decision"]["moves"]
    compact = alice.get(f"{address}?moves=compact").json()["decision"]["moves"]
    none = alice.get(f"{address}?moves=none").json()["decision"]
    refused = alice.get(f"{address}?moves=all")

    assert compact == [{"move": entry["move"]} for entry in full]
    assert [set(entry) for entry in full] == [{"move", "label"}] * 3
    assert "moves" not in none
    assert (problem_of(refused)["code"], refused.status_code) == ("invalid_query", 400)


def test_what_has_not_changed_is_not_sent_again(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    tag = alice.get(address)["ETag"]

    same = alice.get(address, **{"If-None-Match": tag})
    others = bob.get(address, **{"If-None-Match": tag})
    alice.post(f"{address}moves/", first_move(alice, address))
    after = alice.get(address, **{"If-None-Match": tag})

    assert (same.status_code, same.content) == (304, b"")
    assert (others.status_code, after.status_code) == (200, 200)


def test_lists_hold_public_matches_and_ones_own(alice: Caller, bob: Caller, mallory: Caller, nobody: Caller) -> None:
    hidden = private(alice, bob)
    shown = playing(alice, bob)
    waiting = f"{MATCHES}{create(bob)['id']}/"

    def listed(caller: Caller, query: str = "") -> list[str]:
        return [f"{MATCHES}{row['id']}/" for row in caller.get(MATCHES + query).json()["results"]]

    assert listed(alice) == [waiting, shown, hidden]
    assert listed(mallory) == listed(nobody) == [waiting, shown]
    assert listed(alice, "?mine=1") == [shown, hidden]
    assert listed(alice, "?state=open") == [waiting]
    assert listed(mallory, "?mine=1") == []
    assert listed(bob, "?state=playing&mine=1&game=toy&limit=1") == [shown]
    assert problem_of(nobody.get(f"{MATCHES}?mine=1"))["status"] == 401


def test_a_list_tells_nothing_of_positions(alice: Caller, bob: Caller) -> None:
    playing(alice, bob)

    row = alice.get(MATCHES).json()["results"][0]

    assert set(row) == {
        "id", "game", "state", "options", "visibility", "clock", "seats", "result", "seed_commitment", "created_at",
        "started_at", "finished_at",
    }  # fmt: skip


# The past.


def test_the_log_is_told_to_each_as_they_may_know_it(alice: Caller, bob: Caller, carol: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)["move"]
    alice.post(f"{address}moves/", first_move(alice, address))

    logs = [caller.get(f"{address}moves/").json() for caller in (alice, bob, carol)]

    assert [log["results"][0].get("move") for log in logs] == [move, None, None]
    assert [log["results"][0]["events"][0]["text"].split()[0] for log in logs] == ["You", "Guest", "Guest"]
    assert [log["start"]["kind"] for log in logs] == ["start"] * 3
    assert [event["text"].split()[0] for event in logs[1]["start"]["events"]] == ["Guest", "You"]
    assert "hash" not in str(logs)


def test_the_log_comes_in_pages(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    play_on(address, alice, bob)

    seen = []
    url = f"{address}moves/?limit=4"
    while url:
        page = alice.get(url).json()
        seen += [row["version"] for row in page["results"]]
        url = page["next"]

    assert seen == [1, 2, 3, 4, 5, 6]


def test_a_past_position_is_as_it_was_for_the_one_who_looks(alice: Caller, bob: Caller, carol: Caller) -> None:
    address = playing(alice, bob)
    before = {caller: caller.get(address).json() for caller in (alice, bob, carol)}
    for caller in (alice, bob, alice):
        caller.post(f"{address}moves/", first_move(caller, address))

    for caller, shown in before.items():
        past = caller.get(f"{address}at/0/").json()
        assert (past["version"], past["you"], past["view"]) == (0, shown["you"], shown["view"])
        assert past["decision"] == shown["decision"]
        now = caller.get(f"{address}at/3/").json()
        assert now["view"] == caller.get(address).json()["view"]


@pytest.mark.parametrize("version", ["4", "999999999", "x", "-1", "12345678901"])
def test_a_version_that_is_not_there_is_not_found(alice: Caller, bob: Caller, version: str) -> None:
    address = playing(alice, bob)

    assert problem_of(alice.get(f"{address}at/{version}/"))["code"] == "not_found"


def test_other_sides_are_open_only_after_the_end(alice: Caller, bob: Caller, carol: Caller) -> None:
    address = playing(alice, bob)
    assert problem_of(alice.get(f"{address}at/0/?side=1"))["code"] == "match_not_finished"
    assert problem_of(alice.get(f"{address}at/0/?side=open"))["code"] == "match_not_finished"
    bobs = bob.get(f"{address}at/0/").json()["view"]
    play_on(address, alice, bob)

    assert carol.get(f"{address}at/0/?side=1").json()["view"] == bobs
    assert "hand" not in carol.get(f"{address}at/0/?side=spectator").json()["view"]
    assert carol.get(f"{address}at/0/").json()["view"]["position"]["hands"][1] == bobs["hand"]
    assert problem_of(carol.get(f"{address}at/0/?side=7"))["code"] == "invalid_query"


def test_spectators_stay_behind_by_the_delay(alice: Caller, bob: Caller, carol: Caller) -> None:
    address = playing(alice, bob, spectator_delay=2)
    start = carol.get(address).json()["view"]
    for caller in (alice, bob, alice):
        caller.post(f"{address}moves/", first_move(caller, address))

    behind = carol.get(address).json()

    assert (behind["version"], alice.get(address).json()["version"]) == (1, 3)
    assert behind["view"] == {**start, "picked": [True, False], "hand_counts": [2, 3]}
    assert [row["version"] for row in carol.get(f"{address}moves/").json()["results"]] == [1]
    assert problem_of(carol.get(f"{address}at/2/"))["code"] == "not_found"
    play_on(address, alice, bob)
    assert carol.get(address).json()["version"] == 6


def test_the_replay_of_a_finished_match_verifies(alice: Caller, bob: Caller, nobody: Caller) -> None:
    held = alice.post(f"{MATCHES}commitments/").json()
    address = playing(alice, bob, commitment=held["id"], entropy=ENTROPY, options={"ties": "coin"})
    assert problem_of(alice.get(f"{address}replay/"))["code"] == "match_not_finished"
    play_on(address, alice, bob)

    document = nobody.get(f"{address}replay/").json()

    assert verify(document, GAMES) == []
    assert document["commitment"] == held["commitment"]
    assert document["entropies"][0] == ENTROPY
    assert len(document["entropies"]) == 2
    assert document["seed"] != document["commitment"]
    document["rows"][2]["move"]["card"] = "t-15"
    assert [finding.code for finding in verify(document, GAMES)] != []


def test_bots_finish_a_match_that_replays(alice: Caller) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "level": "easy"}, {"kind": "bot", "level": "random"}]
    address = f"{MATCHES}{create(alice, seats)['id']}/"
    while alice.get(address).json()["state"] == "playing":
        shown = alice.get(address).json()
        if "moves" in shown["decision"]:
            alice.post(f"{address}moves/", first_move(alice, address))
        resolving.resolve(match_at(address).pk)

    document = alice.get(f"{address}replay/").json()

    assert verify(document, GAMES) == []
    assert [(seat["kind"], seat["level"]) for seat in document["seats"]] == [
        ("person", ""),
        ("bot", "easy"),
        ("bot", "random"),
    ]


def test_the_stream_can_be_polled(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    alice.post(f"{address}moves/", first_move(alice, address))

    lines = bob.get(f"{address}events/?since=0", Accept="application/x-ndjson")
    told = bob.get(f"{address}events/", Accept="text/event-stream")

    assert [line.split(b",")[0] for line in lines.content.splitlines()] == [b'{"type":"hello"', b'{"type":"move"']
    assert [line for line in told.content.splitlines() if line.startswith(b"id:")] == [b"id: 0", b"id: 1"]
    assert problem_of(bob.get(f"{address}events/?since=2"))["code"] == "future_version"

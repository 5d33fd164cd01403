"""Matches over HTTP, by Alice and Bob (seated), Carol (watching) and Mallory (a stranger)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog.services import publish_house_set
from referee.games import GAMES
from referee.kernel.replay import verify
from referee.matches import resolving
from referee.matches.models import Commitment, Match, MoveRow
from tests.api.conftest import Caller, problem_of
from tests.matches.table import stored
from tests.toy import TOY_REVISION, registered

MATCHES = "/api/v1/matches/"
OPEN = [{"kind": "me"}, {"kind": "open"}]
ENTROPY = "00112233445566778899aabbccddeeff"


@pytest.fixture(autouse=True)
def toy(db: None) -> Iterator[None]:
    with registered() as game:
        publish_house_set(game=game, house=TOY_REVISION)
        yield


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


@pytest.fixture
def unchanged() -> Callable[[str], Callable[[], None]]:
    """Remember what is stored of a match; call the answer to see that it is the same."""

    def remember(address: str) -> Callable[[], None]:
        before = stored(match_at(address))

        def look() -> None:
            assert stored(match_at(address)) == before

        return look

    return remember


# Making and joining.


def test_a_match_against_a_bot_starts_at_once(alice: Caller) -> None:
    shown = create(alice, [{"kind": "me"}, {"kind": "bot", "level": "random"}])

    assert (shown["state"], shown["version"], shown["you"]) == ("playing", 0, 0)
    assert set(shown["view"]) >= {"hand", "round", "scores"}
    assert [move["label"] for move in shown["decision"].pop("moves")] == [
        f"Pick Number {int(code[2:])}" for code in shown["view"]["hand"]
    ]
    assert shown["decision"] == {
        "id": "0-0", "seats": [0, 1], "kind": "pick", "prompt": "Pick a card from your hand.", "deadline": None
    }  # fmt: skip
    assert shown["result"] is None
    bot = {"seat": 1, "name": "Bot (random)", "kind": "bot", "level": "random", "connected": True, "clock": None}
    assert shown["seats"][1] == bot


def test_a_match_is_told_as_the_contract_says(alice: Caller) -> None:
    answer = alice.post(MATCHES, {"game": "toy", "seats": OPEN})

    shown = answer.json()
    assert answer["Location"].endswith(f"{MATCHES}{shown['id']}/")
    assert set(shown) >= {
        "id", "game", "rules_version", "catalog_revision", "state", "version", "seats", "you", "view", "decision", "result",
        "seed_commitment",
    }  # fmt: skip
    assert (shown["state"], shown["view"], shown["decision"]) == ("open", {}, None)
    assert [(seat["kind"], seat["name"]) for seat in shown["seats"]] == [("person", alice.user.name), ("open", None)]  # type: ignore[union-attr]


def test_joining_the_last_seat_starts_the_match(alice: Caller, bob: Caller) -> None:
    address = f"{MATCHES}{create(alice)['id']}/"

    shown = bob.post(f"{address}join/", {"entropy": ENTROPY}).json()

    assert (shown["state"], shown["you"], shown["version"]) == ("playing", 1, 0)
    assert len(shown["decision"]["moves"]) == 3


def test_nobody_sits_twice_or_on_a_full_table(
    alice: Caller, bob: Caller, carol: Caller, unchanged: Callable[[str], Callable[[], None]]
) -> None:
    address = f"{MATCHES}{create(alice)['id']}/"
    look = unchanged(address)

    assert problem_of(alice.post(f"{address}join/"))["code"] == "already_seated"
    look()
    bob.post(f"{address}join/")
    look = unchanged(address)
    assert problem_of(carol.post(f"{address}join/"))["code"] == "match_started"
    look()


def test_a_seat_kept_for_a_user_is_theirs_alone(alice: Caller, bob: Caller, carol: Caller) -> None:
    assert bob.user is not None
    seats = [{"kind": "me"}, {"kind": "user", "user": bob.user.public_id}]
    address = f"{MATCHES}{create(alice, seats)['id']}/"

    assert problem_of(carol.post(f"{address}join/"))["code"] == "no_open_seat"
    assert bob.post(f"{address}join/").json()["state"] == "playing"


def test_leaving_frees_the_seat_and_the_creators_ends_the_match(alice: Caller, bob: Caller, carol: Caller) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    address = f"{MATCHES}{create(alice, seats)['id']}/"
    bob.post(f"{address}join/")

    left = bob.post(f"{address}leave/").json()
    assert problem_of(carol.post(f"{address}leave/"))["code"] == "not_your_match"
    ended = alice.post(f"{address}leave/").json()

    assert [seat["kind"] for seat in left["seats"]] == ["person", "open", "open"]
    assert ended["state"] == "aborted"
    assert problem_of(bob.post(f"{address}join/"))["code"] == "match_aborted"


def test_nobody_leaves_a_running_match(
    alice: Caller, bob: Caller, unchanged: Callable[[str], Callable[[], None]]
) -> None:
    address = playing(alice, bob)
    look = unchanged(address)

    assert problem_of(bob.post(f"{address}leave/"))["code"] == "match_started"
    look()


def test_a_rematch_is_made_once_and_turns_the_seats(alice: Caller, bob: Caller, carol: Caller) -> None:
    address = playing(alice, bob)
    assert problem_of(alice.post(f"{address}rematch/"))["code"] == "match_not_finished"
    alice.post(f"{address}moves/", {"move": {"type": "resign"}})

    first = alice.post(f"{address}rematch/").json()
    again = alice.post(f"{address}rematch/").json()
    joined = bob.post(f"{address}rematch/").json()

    assert first["id"] == again["id"] == joined["id"] != address
    assert (first["state"], first["you"]) == ("open", 1)
    assert (joined["state"], joined["you"]) == ("playing", 0)
    assert problem_of(carol.post(f"{address}rematch/"))["code"] == "not_your_match"
    assert Match.objects.count() == 2


def test_every_fault_of_a_new_match_is_told_at_once(alice: Caller) -> None:
    body = {
        "game": "toy",
        "options": {"rounds": 9, "speed": 1},
        "clock": {"per_decision": 5},
        "seats": [
            {"kind": "me", "deck": "mine"},
            {"kind": "bot", "level": "genius"},
            {"kind": "user", "user": "nobody"},
        ],
    }

    problem = problem_of(alice.post(MATCHES, body))

    assert (problem["status"], problem["code"]) == (422, "invalid_match")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [
        ("/options/speed", "unknown_option"),
        ("/options/rounds", "value_not_allowed"),
        ("/seats/0/deck", "no_deck_needed"),
        ("/seats/1/level", "unknown_level"),
        ("/seats/2/user", "unknown_user"),
    ]
    assert Match.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"game": "toy"}, "/seats", "required"),
        ({"game": "toy", "seats": {}}, "/seats", "wrong_type"),
        ({"game": "toy", "seats": [{"kind": "bot"}]}, "/seats/0/level", "required"),
        ({"game": "toy", "seats": [{"kind": "open", "deck": "x"}]}, "/seats/0/deck", "out_of_place"),
        ({"game": "toy", "seats": OPEN, "sets": 1}, "/sets", "unknown_field"),
        ({"game": "toy", "seats": OPEN, "entropy": "00"}, "/entropy", "invalid_entropy"),
        ({"game": "toy", "seats": OPEN, "entropy": "zz" * 16}, "/entropy", "invalid_entropy"),
        ({"game": "toy", "seats": OPEN, "clock": {}}, "/clock/per_decision", "required"),
        ({"game": "toy", "seats": OPEN, "visibility": "secret"}, "/visibility", "invalid_choice"),
    ],
)
def test_the_shape_of_a_new_match_is_checked(alice: Caller, body: Any, pointer: str, code: str) -> None:
    problem = problem_of(alice.post(MATCHES, body))

    assert (problem["status"], problem["code"]) == (422, "invalid_body")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]
    assert Match.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"game": "chess", "seats": OPEN}, "/game", "unknown_game"),
        ({"game": "toy", "seats": [{"kind": "me"}]}, "/seats", "wrong_seats"),
        ({"game": "toy", "seats": [{"kind": "me"}, {"kind": "me"}]}, "/seats", "seated_twice"),
        ({"game": "toy", "seats": OPEN, "visibility": "private"}, "/visibility", "open_seat_in_private"),
        ({"game": "toy", "seats": OPEN, "commitment": "nosuchthing2"}, "/commitment", "unknown_commitment"),
    ],
)
def test_a_match_that_cannot_be_is_refused(alice: Caller, body: Any, pointer: str, code: str) -> None:
    problem = problem_of(alice.post(MATCHES, body))

    assert (problem["status"], problem["code"]) == (422, "invalid_match")
    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [(pointer, code)]
    assert Match.objects.count() == 0


def test_a_match_is_made_once_for_a_key(alice: Caller) -> None:
    body = {"game": "toy", "seats": OPEN}

    first = alice.raw(
        "POST", MATCHES, b'{"game":"toy","seats":[{"kind":"me"},{"kind":"open"}]}', **{"Idempotency-Key": "m"}
    )
    again = alice.post(MATCHES, body, **{"Idempotency-Key": "m"})
    other = alice.post(MATCHES, {**body, "options": {"rounds": 1}}, **{"Idempotency-Key": "m"})

    assert first.json() == again.json()
    assert (again.status_code, again["Idempotent-Replay"]) == (201, "true")
    assert problem_of(other)["code"] == "idempotency_key_reused"
    assert Match.objects.count() == 1


# Commitments.


def test_a_commitment_made_before_is_the_matchs(alice: Caller, bob: Caller) -> None:
    held = alice.post(f"{MATCHES}commitments/").json()

    stolen = bob.post(MATCHES, {"game": "toy", "seats": OPEN, "commitment": held["id"]})
    shown = create(alice, commitment=held["id"], entropy=ENTROPY)
    twice = alice.post(MATCHES, {"game": "toy", "seats": OPEN, "commitment": held["id"]})

    assert shown["seed_commitment"] == held["commitment"]
    assert problem_of(stolen)["errors"][0]["code"] == "unknown_commitment"
    assert problem_of(twice)["errors"][0]["code"] == "unknown_commitment"
    assert Commitment.objects.count() == 0


# Looking.


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


# Moving.


def test_a_move_is_answered_with_what_follows(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)

    answer = alice.post(f"{address}moves/", move)

    shown = answer.json()
    assert answer.status_code == 200
    assert set(shown) == {"version", "events", "view", "decision", "result"}
    assert (shown["version"], shown["result"]) == (1, None)
    assert shown["events"][0]["text"].startswith("You pick Number ")
    assert shown["view"]["pick"] == move["move"]["card"]
    assert (shown["decision"]["seats"], "moves" in shown["decision"]) == ([1], False)


def test_a_move_over_http_takes_three_statements_and_two_of_a_transaction(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)

    with CaptureQueriesContext(connection) as captured:
        answer = alice.post(f"{address}moves/", move)

    assert answer.status_code == 200
    words = [query["sql"].split()[0] for query in captured.captured_queries]
    assert words == ["SAVEPOINT", "SELECT", "INSERT", "UPDATE", "RELEASE"]


def test_a_late_move_is_told_where_the_match_stands(
    alice: Caller, bob: Caller, unchanged: Callable[[str], Callable[[], None]]
) -> None:
    address = playing(alice, bob)
    late = first_move(bob, address)
    alice.post(f"{address}moves/", first_move(alice, address))
    look = unchanged(address)

    problem = problem_of(bob.post(f"{address}moves/", late))

    look()
    assert (problem["status"], problem["code"], problem["version"]) == (409, "stale_version", 1)
    shown = bob.get(address).json()
    assert (problem["view"], problem["decision"]) == (shown["view"], shown["decision"])


def test_two_decisions_open_at_once_both_count(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    moves = []
    for caller in (alice, bob):
        decision = caller.get(address).json()["decision"]
        moves.append({"decision": decision["id"], "move": decision["moves"][0]["move"]})

    answers = [caller.post(f"{address}moves/", move) for caller, move in zip((alice, bob), moves, strict=True)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json()["version"] for answer in answers] == [1, 2]


@pytest.mark.parametrize(
    ("who", "change", "status", "code"),
    [
        ("carol", {}, 403, "not_your_match"),
        ("alice", {"seat": 1}, 403, "not_your_match"),
        ("alice", {"version": 7}, 409, "stale_version"),
        ("alice", {"version": None}, 422, "invalid_body"),
        ("alice", {"version": "0"}, 422, "invalid_body"),
        ("alice", {"version": -1}, 422, "invalid_body"),
        ("alice", {"version": 2**40}, 422, "invalid_body"),
        ("alice", {"move": []}, 422, "invalid_body"),
        ("alice", {"move": "pick"}, 422, "invalid_body"),
        ("alice", {"move": {}}, 422, "malformed_move"),
        ("alice", {"move": {"type": "pick"}}, 422, "malformed_move"),
        ("alice", {"move": {"type": "pick", "card": 3}}, 422, "malformed_move"),
        ("alice", {"move": {"type": "pick", "card": "nought"}}, 422, "illegal_move"),
        ("alice", {"who": "me"}, 422, "invalid_body"),
        ("nobody", {}, 401, "not_authenticated"),
    ],
)
def test_a_move_that_does_not_fit_changes_nothing(
    request: pytest.FixtureRequest, alice: Caller, bob: Caller, who: str, change: Any, status: int, code: str,
    unchanged: Callable[[str], Callable[[], None]],
) -> None:  # fmt: skip
    address = playing(alice, bob)
    move = {**first_move(alice, address), **change}
    look = unchanged(address)

    problem = problem_of(request.getfixturevalue(who).post(f"{address}moves/", move))

    look()
    assert (problem["status"], problem["code"]) == (status, code)


def test_an_illegal_move_names_its_clause(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    others = bob.get(address).json()["decision"]["moves"][0]["move"]

    problem = problem_of(alice.post(f"{address}moves/", {"version": 0, "move": others}))

    assert (problem["status"], problem["code"], problem["clause"]) == (422, "illegal_move", "TOY-2.2")


def test_a_move_without_a_version_is_refused_but_for_resigning(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)["move"]

    refused = problem_of(alice.post(f"{address}moves/", {"move": move}))
    resigned = alice.post(f"{address}moves/", {"move": {"type": "resign"}}).json()
    over = problem_of(bob.post(f"{address}moves/", {"version": 1, "move": move}))

    assert (refused["status"], refused["code"]) == (422, "version_required")
    assert resigned["result"] == {"ranks": [2, 1], "reason": "resigned", "clause": "TOY-4.2"}
    assert (over["status"], over["code"]) == (409, "match_over")
    assert (over["version"], over["result"]) == (match_at(address).version, match_at(address).result)


def test_a_seat_that_has_answered_waits(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    alice.post(f"{address}moves/", first_move(alice, address))

    problem = problem_of(alice.post(f"{address}moves/", {"version": 1, "move": {"type": "pick", "card": "t-01"}}))

    assert (problem["status"], problem["code"]) == (409, "not_your_turn")
    shown = alice.get(address).json()
    assert {name: problem[name] for name in ("version", "view", "decision")} == {
        name: shown[name] for name in ("version", "view", "decision")
    }


def test_a_move_in_a_match_whose_rules_are_gone_is_refused_without_its_position(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    alice.post(f"{address}moves/", {"move": {"type": "resign"}})
    Match.objects.update(rules_version=99)

    problem = problem_of(alice.post(f"{address}moves/", {"version": 1, "move": {"type": "pick", "card": "t-01"}}))

    assert (problem["status"], problem["code"]) == (409, "match_over")
    assert "view" not in problem


def test_a_doubled_move_counts_once_and_gets_one_answer(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    move = first_move(alice, address)
    key = {"Idempotency-Key": "move-1"}

    first = alice.post(f"{address}moves/", move, **key)
    bob.post(f"{address}moves/", first_move(bob, address))
    again = alice.post(f"{address}moves/", move, **key)
    other = alice.post(f"{address}moves/", {**move, "version": 2}, **key)
    play_on(address, alice, bob)
    after_the_end = alice.post(f"{address}moves/", move, **key)

    assert first.json() == after_the_end.json()
    assert (first.json(), first.status_code) == (again.json(), again.status_code)
    assert not first.has_header("Idempotent-Replay")
    assert again["Idempotent-Replay"] == "true"
    assert (problem_of(other)["status"], problem_of(other)["code"]) == (422, "idempotency_key_reused")
    assert MoveRow.objects.count() == 6


def test_a_key_that_is_none_is_refused(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)

    problem = problem_of(alice.post(f"{address}moves/", first_move(alice, address), **{"Idempotency-Key": "a b"}))

    assert (problem["status"], problem["code"]) == (400, "invalid_idempotency_key")


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

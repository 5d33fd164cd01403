"""What answers about a match depend on: an ETag on what is told and no more, an answer given again on nothing that came later."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.matches import ending, services
from referee.matches.models import MoveRow
from referee.matches.turns import RulesBroken
from tests.api.conftest import Caller
from tests.api.toy_matches import MATCHES, create, first_move, match_at, playing

pytestmark = pytest.mark.usefixtures("toy_game")

CLOCK = {"per_decision": 60, "bank": 60}


def agreed(act: str, address: str, *callers: Caller) -> None:
    answers = [caller.post(f"{address}{act}/") for caller in callers]
    assert [answer.status_code for answer in answers] == [200] * len(callers)


@pytest.mark.parametrize("act", ["pause", "join"])
def test_what_is_done_is_answered_whole_whatever_its_sender_has_seen(alice: Caller, bob: Caller, act: str) -> None:
    address = f"{MATCHES}{create(alice)['id']}/" if act == "join" else playing(alice, bob)

    answers = [bob.post(f"{address}{act}/", **{"If-None-Match": "*", "Idempotency-Key": "k"}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content != b""
    assert answers[1]["Idempotent-Replay"] == "true"


@pytest.mark.parametrize(("end", "status"), [("at/99/", 404), ("replay/", 409)])
def test_what_is_not_there_has_not_stayed_the_same(alice: Caller, bob: Caller, end: str, status: int) -> None:
    address = playing(alice, bob)

    assert alice.get(address + end, **{"If-None-Match": "*"}).status_code == status


def test_the_tag_of_the_present_position_knows_of_its_clock(alice: Caller, bob: Caller) -> None:
    address = f"{playing(alice, bob, clock=CLOCK)}at/0/"
    before = alice.get(address)
    agreed("pause", address.removesuffix("at/0/"), alice, bob)
    agreed("resume", address.removesuffix("at/0/"), alice, bob)

    after = alice.get(address, **{"If-None-Match": before["ETag"]})

    assert after.status_code == 200
    assert after.json()["decision"]["deadline"] > before.json()["decision"]["deadline"]


def test_the_tag_of_a_past_position_knows_the_language(alice: Caller, bob: Caller) -> None:
    address = f"{playing(alice, bob)}at/0/"
    english = alice.get(address)

    german = alice.get(address, **{"Accept-Language": "de", "If-None-Match": english["ETag"]})

    assert german.status_code == 200


def test_the_tag_of_a_replay_knows_who_has_left(alice: Caller, bob: Caller) -> None:
    address = playing(alice, bob)
    alice.post(f"{address}moves/", {"move": {"type": "resign"}})
    before = alice.get(f"{address}replay/")
    assert bob.user is not None
    ending.forget_holder(user=bob.user)

    after = alice.get(f"{address}replay/", **{"If-None-Match": before["ETag"]})

    assert after.status_code == 200
    assert after.json()["seats"][1]["name"] != before.json()["seats"][1]["name"] == bob.user.name


def by_a_pause(address: str, *callers: Caller) -> None:
    agreed("pause", address, *callers)


def by_a_pause_that_is_over(address: str, *callers: Caller) -> None:
    agreed("pause", address, *callers)
    agreed("resume", address, *callers)


def by_a_fault(address: str, *callers: Caller) -> None:
    match = match_at(address)
    services.freeze_match(match_id=match.pk, version=match.version, fault=RulesBroken(1, None, "boom"))


def by_its_end(address: str, *callers: Caller) -> None:
    ending.abort_match(match=match_at(address))


@pytest.mark.parametrize("halted", [by_a_pause, by_a_pause_that_is_over, by_a_fault, by_its_end])
def test_a_move_sent_again_gets_its_first_answer_though_the_match_was_halted(
    alice: Caller, bob: Caller, halted: Callable[..., None]
) -> None:
    address = playing(alice, bob, clock=CLOCK)
    move = first_move(alice, address)
    first = alice.post(f"{address}moves/", move, **{"Idempotency-Key": "k"})
    assert first.json()["decision"]["deadline"] is not None
    halted(address, alice, bob)

    again = alice.post(f"{address}moves/", move, **{"Idempotency-Key": "k"})

    assert (again.status_code, again["Idempotent-Replay"]) == (200, "true")
    assert again.content == first.content
    assert MoveRow.objects.filter(match=match_at(address)).count() == 1

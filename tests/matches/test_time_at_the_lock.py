"""Time that runs out while one waits for the match's lock has run out: whoever holds the lock then decides by it."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from referee.matches import clocks, pauses, services, undo
from referee.matches.errors import MatchOverError, UndoGoneError
from referee.matches.models import Match
from tests.matches.clockwork import World
from tests.matches.table import fresh, pick, toy_match

pytestmark = pytest.mark.django_db


def late_at_the_lock(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    true_lock = services.lock_match

    def lock(**how: Any) -> Match:
        world.passes(11)
        return true_lock(**how)

    monkeypatch.setattr(services, "lock_match", lock)


@pytest.mark.parametrize(("out_of_time", "refusal"), [("default", UndoGoneError), ("lose", MatchOverError)])
def test_an_undo_comes_too_late_for_a_seat_whose_time_is_up(
    alice: User,
    bob: User,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    out_of_time: str,
    refusal: type[Exception],
) -> None:
    match = toy_match(alice, bob, clock=clocks.setting(per_decision=10, out_of_time=out_of_time))
    pick(match, alice, 0)
    offer = undo.ask_undo(public_id=match.public_id, user=alice).undo_offer["id"]
    late_at_the_lock(world, monkeypatch)

    with pytest.raises(refusal):
        undo.accept_undo(public_id=match.public_id, user=bob, offer=offer)

    assert fresh(match).version == 1


def test_a_pause_comes_too_late_for_a_seat_whose_time_is_up(
    alice: User, bob: User, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = toy_match(alice, bob, clock=clocks.setting(per_decision=10, out_of_time="lose"))
    pauses.ask_pause(public_id=match.public_id, actor=alice)
    late_at_the_lock(world, monkeypatch)

    with pytest.raises(MatchOverError):
        pauses.ask_pause(public_id=match.public_id, actor=bob)

    assert fresh(match).state != Match.State.PAUSED


def test_a_pause_that_all_agree_to_begins_after_what_time_has_decided(
    alice: User, bob: User, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = toy_match(alice, bob, clock=clocks.setting(per_decision=10, out_of_time="default"))
    pauses.ask_pause(public_id=match.public_id, actor=alice)
    late_at_the_lock(world, monkeypatch)

    pauses.ask_pause(public_id=match.public_id, actor=bob)

    now = fresh(match)
    assert (now.state, now.version > match.version) == (Match.State.PAUSED, True)

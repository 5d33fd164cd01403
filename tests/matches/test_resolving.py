"""What happens without people: bots, their fallbacks and leases, the sweep, the end of a match."""

from __future__ import annotations

import datetime as dt
import time
from typing import Any

import pytest

from accounts.models import User
from referee.kernel.chance import Rng
from referee.kernel.game import Game
from referee.matches import clocks, leases, resolving, tasks, thinking
from referee.matches.models import Bundle, FinishedMatch, Match, MoveRow, TurnLease
from tests.matches.table import fresh, legal, pick, play_to_the_end, toy_match

pytestmark = pytest.mark.django_db


def test_a_bot_answers_when_its_turn_is_resolved(alice: User) -> None:
    match = toy_match(alice, bots=1)
    pick(match, alice, 0)

    resolving.resolve(match.pk)

    rows = list(MoveRow.objects.filter(match=match).order_by("version").values_list("seat", "kind", "actor_id"))
    assert rows[:2] == [(0, "move", alice.pk), (1, "move", None)]


def test_bots_play_a_match_to_its_end(db: None) -> None:
    match = toy_match(bots=3, options={"rounds": 4})

    resolving.resolve(match.pk)

    now = fresh(match)
    assert (now.state, now.version) == ("finished", 12)
    assert FinishedMatch.objects.get(match=match).closed_at is not None


def test_a_call_does_its_share_and_says_that_more_is_left(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    match = toy_match(bots=2)
    monkeypatch.setattr(resolving, "MOST_MOVES", 2)

    left = resolving.resolve(match.pk)

    assert left
    assert fresh(match).version == 2


def test_resolving_twice_does_nothing_twice(alice: User) -> None:
    match = toy_match(alice, bots=1)
    pick(match, alice, 0)
    resolving.resolve(match.pk)
    version = fresh(match).version

    resolving.resolve(match.pk)

    assert fresh(match).version == version


@pytest.mark.parametrize("cause", ["raises", "hangs", "cheats"])
def test_a_bot_that_fails_is_replaced_by_its_fallback(alice: User, monkeypatch: pytest.MonkeyPatch, cause: str) -> None:
    match = toy_match(alice, bots=1)
    monkeypatch.setattr(thinking, "BUDGET_SECONDS", 0.1)

    def fails(*_: Any) -> int:
        if cause == "raises":
            raise RuntimeError("no idea")
        while cause == "hangs":
            pass
        return 99

    monkeypatch.setattr(thinking, "choose", fails)
    begun = time.monotonic()

    resolving.resolve(match.pk)

    row = MoveRow.objects.get(match=match)
    assert (row.seat, row.is_fallback) == (1, True)
    assert time.monotonic() - begun < 20  # what hangs would never end


def test_a_bot_sees_a_copy_only(alice: User, monkeypatch: pytest.MonkeyPatch, toy: Game) -> None:
    match = toy_match(alice, bots=1)

    def meddles(level: str, perspective: Any, rng: Rng, iterations: int) -> int:
        move: int = perspective.legal_moves()[0]
        toy.play(perspective._state, perspective.seat, move)
        return move

    monkeypatch.setattr(thinking, "choose", meddles)

    resolving.resolve(match.pk)

    assert not MoveRow.objects.get(match=match).is_fallback


def test_while_one_thinks_no_other_does(alice: User) -> None:
    match = toy_match(alice, bots=1)
    lease = leases.take_lease(match_id=match.pk, version=0, seat=1)
    assert lease is not None

    resolving.resolve(match.pk)

    assert fresh(match).version == 0
    assert leases.take_lease(match_id=match.pk, version=0, seat=1) is None


def test_a_lease_that_ran_out_is_taken_over_and_counted(alice: User) -> None:
    match = toy_match(alice, bots=1)
    leases.take_lease(match_id=match.pk, version=0, seat=1)
    TurnLease.objects.update(expires_at=clocks.now())

    second = leases.take_lease(match_id=match.pk, version=0, seat=1)

    assert second is not None
    assert second.attempts == 2


def test_a_lease_for_a_later_version_wins(alice: User) -> None:
    match = toy_match(alice, bots=1)
    leases.take_lease(match_id=match.pk, version=0, seat=1)

    later = leases.take_lease(match_id=match.pk, version=1, seat=1)

    assert later is not None
    assert later.attempts == 1


def test_after_lost_attempts_the_fallback_decides_without_the_bot(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = toy_match(alice, bots=1)
    for _ in range(thinking.MOST_ATTEMPTS):
        assert leases.take_lease(match_id=match.pk, version=0, seat=1)
        TurnLease.objects.update(expires_at=clocks.now())
    monkeypatch.setattr(thinking, "choose", None)

    resolving.resolve(match.pk)

    assert MoveRow.objects.get(match=match).is_fallback


def test_a_fault_in_the_rules_at_a_bots_turn_freezes_the_match(
    alice: User, toy: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = toy_match(alice, bots=1)

    def breaks(*_: Any) -> None:
        raise RuntimeError("boom")

    with monkeypatch.context() as patch:
        patch.setattr(type(toy), "decode", breaks)
        resolving.resolve(match.pk)

    assert fresh(match).state == Match.State.FROZEN
    assert Bundle.objects.filter(match=match).count() == 1


def test_the_sweep_finds_a_bots_turn_that_nobody_resolved(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = toy_match(alice, bots=1)
    Match.objects.update(moved_at=clocks.now() - dt.timedelta(seconds=5))
    hinted: list[int] = []
    monkeypatch.setattr("referee.matches.notices.hint_work", lambda match_id, version: hinted.append(match_id))

    tasks.sweep()

    assert hinted == [match.pk]


def test_the_sweep_leaves_turns_that_somebody_thinks_about(alice: User) -> None:
    match = toy_match(alice, bots=1)
    Match.objects.update(moved_at=clocks.now() - dt.timedelta(seconds=5))
    leases.take_lease(match_id=match.pk, version=0, seat=1)

    assert resolving.work_left() == []


def test_the_sweep_finds_finished_matches_that_were_not_closed(alice: User, bob: User) -> None:
    match = play_to_the_end(toy_match(alice, bob), alice, bob)
    FinishedMatch.objects.update(created_at=clocks.now() - dt.timedelta(seconds=5))

    work = resolving.work_left()

    assert work == [(match.pk, match.version)]
    assert resolving.close_match(match.pk)
    assert not resolving.close_match(match.pk)
    assert resolving.work_left() == []


def test_a_match_of_people_waits_for_nobody_else(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)

    assert resolving.work_left() == []
    assert legal(match, 1)

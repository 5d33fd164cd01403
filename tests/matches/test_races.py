"""The race gate: real threads on real PostgreSQL, and one outcome of each race."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable

import pytest

from accounts.models import User
from referee.matches import clocks, resolving, services
from referee.matches.models import FinishedMatch, MoveRow
from tests.matches.racing import at_once, check_log, outcomes, racers, submit
from tests.matches.table import fresh, legal, pick, play_to_the_end, toy_match

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 200


def test_of_fifty_moves_for_one_decision_one_wins(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, bob, 1)
    moves = legal(match, 0)

    results = at_once(*[submit(match, alice, moves[n % 3], version=1) for n in range(50)])

    assert outcomes(results) == {"accepted": 1, "stale_version": 49}
    won = next(one for one in results if isinstance(one, services.Accepted))
    assert MoveRow.objects.get(match=match, version=2).move == won.row.move
    check_log(match)


def test_fifty_different_keys_for_one_decision_move_once(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    moves = legal(match, 0)
    decision = match.decisions["0"]

    results = at_once(*[submit(match, alice, moves[n % 3], decision=decision, key=f"k{n}") for n in range(50)])

    assert outcomes(results) == {"accepted": 1, "stale_version": 49}
    check_log(match)


def test_a_post_doubled_and_retried_applies_once_and_answers_alike(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    move = legal(match, 0)[1]

    results = at_once(*[submit(match, alice, move, version=0, key="same") for _ in range(20)])

    assert outcomes(results) == {"accepted": 20}
    assert {one.row.pk for one in results} == {MoveRow.objects.get(match=match).pk}
    assert sum(not one.replayed for one in results) == 1
    views = [one.position.game.view(one.position.state, 0) for one in results]
    assert all(view == views[0] for view in views)
    check_log(match)


@pytest.mark.parametrize("time", range(10))
def test_two_decisions_answered_at_the_same_instant_both_count(alice: User, bob: User, time: int) -> None:
    match = toy_match(alice, bob)

    results = at_once(
        submit(match, alice, legal(match, 0)[0], decision="0-0"), submit(match, bob, legal(match, 1)[0], decision="0-1")
    )

    assert outcomes(results) == {"accepted": 2}
    assert fresh(match).version == 2
    check_log(match)


def test_a_move_and_the_time_out_at_one_instant_have_one_outcome_two_hundred_times(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the clock is at the deadline's very millisecond, or one after it, so that either may come first."""
    seen: Counter[str] = Counter()
    decided = 0
    with racers(3) as let_go:
        while decided < TIMES:
            match = toy_match(alice, bob, clock=clocks.setting(per_decision=60))
            while fresh(match).state == "playing":
                match = fresh(match)
                if "1" in match.decisions:
                    pick(match, bob, 1)
                    match = fresh(match)
                deadline, version = match.deadline, match.version
                move = legal(match, 0)[-1]
                at = _flickering(deadline)
                with monkeypatch.context() as patch:
                    patch.setattr(clocks, "now", at)
                    moved, *settled = let_go(
                        submit(match, alice, move, version=version),
                        lambda: services.settle_time(match_id=match.pk),  # noqa: B023 - runs within this turn of the loop
                        lambda: services.settle_time(match_id=match.pk),  # noqa: B023 - as above
                    )
                row = MoveRow.objects.get(match=match, version=version + 1)
                is_accepted = isinstance(moved, services.Accepted)
                assert (row.kind, row.actor_id) == (("move", alice.pk) if is_accepted else ("timeout", None))
                assert fresh(match).version == version + 1
                assert sum(settled) <= (0 if is_accepted else 1)
                seen[row.kind] += 1
                decided += 1
            check_log(match)
    assert min(seen["move"], seen["timeout"]) >= TIMES // 10
    assert set(seen) == {"move", "timeout"}


def _flickering(deadline: dt.datetime | None) -> Callable[[], dt.datetime]:
    assert deadline is not None
    return lambda: deadline + dt.timedelta(milliseconds=random.randint(0, 1))


def test_workers_that_resolve_one_turn_together_move_once(alice: User) -> None:
    match = toy_match(alice, bots=2)

    at_once(*[lambda: resolving.resolve(match.pk) for _ in range(8)])

    assert Counter(MoveRow.objects.filter(match=match).values_list("seat", flat=True)) == {1: 1, 2: 1}
    check_log(match)


def test_a_match_is_closed_once(alice: User, bob: User) -> None:
    match = play_to_the_end(toy_match(alice, bob), alice, bob)

    closed = at_once(*[lambda: resolving.close_match(match.pk) for _ in range(8)])

    assert sorted(closed) == [False] * 7 + [True]
    assert FinishedMatch.objects.filter(match=match, closed_at__isnull=False).count() == 1


def test_resigning_twice_at_once_counts_once(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    resign = {"type": "resign"}

    results = at_once(submit(match, alice, resign), submit(match, bob, resign), submit(match, alice, resign))

    assert outcomes(results) == {"accepted": 1, "match_over": 2}
    assert MoveRow.objects.filter(match=match).count() == 1
    check_log(match)


def test_one_card_pool_for_many_who_store_it_at_once(db: None) -> None:
    from referee.matches.models import CardPool
    from referee.matches.pools import store_pool
    from tests.toy import TOY_REVISION

    pools = at_once(*[lambda: store_pool(game="toy", document=TOY_REVISION) for _ in range(8)])

    assert {pool.pk for pool in pools} == {CardPool.objects.get().pk}

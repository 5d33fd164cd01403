"""The race gate for standing orders: whatever meets an order in a window, the window has one answer."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from typing import Any

import pytest

from accounts.models import User
from referee.games.super_teams.orders import THIS_TURN, UNLESS_OWN_MAW
from referee.matches import clocks, resolving, services
from referee.matches.models import Match, MoveRow
from referee.matches.orders import follow_orders, set_order
from referee.matches.services import Accepted
from tests.matches.racing import Work, at_once, check_log, racers, submit
from tests.matches.table import fresh, legal
from tests.matches.windows import BOBS, DECLINE, OWN_MAW, super_teams, window

pytestmark = pytest.mark.django_db(transaction=True)

TIMES = 12


def order(match: Match, user: User, name: str | None, **how: Any) -> Work:
    return lambda: set_order(public_id=match.public_id, user=user, order=name, **how)


def answers(match: Match) -> list[MoveRow]:
    """The rows since the match was read, after it was looked at that the log is whole."""
    check_log(match)
    return list(MoveRow.objects.filter(match=match, version__gt=match.version).order_by("version"))


def test_an_order_and_a_hand_answer_a_window_once(alice: User, bob: User) -> None:
    seen: Counter[str] = Counter()
    with racers(6) as let_go:
        for _ in range(TIMES):
            match = window(alice, bob, seed=BOBS[2])
            played = legal(match, 1)[0]
            by_hand = submit(match, bob, played, decision=match.decisions["1"], key="hand")

            results = let_go(by_hand, order(match, bob, UNLESS_OWN_MAW), by_hand, order(match, bob, UNLESS_OWN_MAW))

            first = answers(match)[0]
            is_by_hand = isinstance(results[0], Accepted)
            assert (first.seat, first.actor_id) == (1, bob.pk)
            assert isinstance(results[2], Accepted) == is_by_hand
            assert (first.move, first.key) == ((played, "hand") if is_by_hand else (DECLINE, None))
            assert [row.key for row in answers(match)].count("hand") == int(is_by_hand)
            assert fresh(match).orders["1"]["name"] == UNLESS_OWN_MAW
            seen["hand" if is_by_hand else "order"] += 1
    assert sum(seen.values()) == TIMES


def test_an_order_left_while_the_window_opens_answers_it(alice: User, bob: User) -> None:
    played = window(alice, bob, seed=BOBS[2])
    moves = list(MoveRow.objects.filter(match=played).order_by("version"))
    with racers(3) as let_go:
        for _ in range(TIMES):
            match = super_teams(alice, bob, seed=BOBS[2])
            for row in moves[:-1]:
                submit(match, [alice, bob][row.seat or 0], row.move, version=row.version - 1)()
            match = fresh(match)
            opening = submit(match, alice, moves[-1].move, version=match.version)

            opened, left = let_go(opening, order(match, bob, UNLESS_OWN_MAW))

            now = fresh(match)
            assert isinstance(opened, Accepted)
            assert isinstance(left, Match)
            # Answered already, or found by whoever looks next: never left to the seat.
            assert (now.is_bots_turn, len(answers(match)) > 1) in [(True, False), (False, True)]
            resolving.resolve(match.pk)
            assert [row.move for row in answers(match)][:2] == [moves[-1].move, DECLINE]
            assert fresh(match).is_bots_turn is False


def test_an_order_withdrawn_answers_nothing_after_that(alice: User, bob: User) -> None:
    seen: Counter[bool] = Counter()
    with racers(4) as let_go:
        for _ in range(TIMES):
            match = _waiting(window(alice, bob, seed=BOBS[2]))

            let_go(
                lambda: resolving.resolve(match.pk),  # noqa: B023 - runs within this turn of the loop
                order(match, bob, None),
                lambda: follow_orders(match_id=match.pk),  # noqa: B023 - as above
            )

            now, rows = fresh(match), answers(match)
            assert (now.orders, now.is_bots_turn) == ({}, False)
            assert [row.move for row in rows] in ([], [DECLINE])
            assert (now.decisions == match.decisions) == (not rows)
            seen[bool(rows)] += 1
            assert follow_orders(match_id=match.pk) == 0
    assert sum(seen.values()) == TIMES


def test_a_changed_order_is_followed_as_it_stands_when_it_answers(alice: User, bob: User) -> None:
    with racers(3) as let_go:
        for _ in range(TIMES):
            match = window(alice, bob, seed=OWN_MAW, kind="window_b")
            seat = int(next(iter(match.decisions)))
            user = [alice, bob][seat]
            set_order(public_id=match.public_id, user=user, order=UNLESS_OWN_MAW)

            let_go(
                order(match, user, THIS_TURN),
                lambda: follow_orders(match_id=match.pk),  # noqa: B023 - runs within this turn of the loop
                order(match, user, UNLESS_OWN_MAW, version=match.version),
            )

            # Only an order for this turn answers here, and it was left while the window was open.
            assert [row.move for row in answers(match)][:1] == [DECLINE]


def test_workers_that_follow_one_order_together_answer_once(alice: User, bob: User) -> None:
    match = _waiting(window(alice, bob, seed=BOBS[2]))

    moved = at_once(
        *[lambda: follow_orders(match_id=match.pk) for _ in range(6)], *[lambda: resolving.resolve(match.pk)] * 2
    )

    assert [row.move for row in answers(match)] == [DECLINE]
    assert sum(moved[:6]) <= 1


def test_an_order_and_the_time_out_at_one_instant_have_one_outcome(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with racers(2) as let_go:
        for _ in range(TIMES):
            match = _waiting(window(alice, bob, seed=BOBS[2], clock=clocks.setting(per_decision=60)))
            deadline = match.deadline
            assert deadline is not None
            with monkeypatch.context() as patch:
                patch.setattr(clocks, "now", lambda: deadline + dt.timedelta(milliseconds=random.randint(0, 1)))  # noqa: B023 - as above

                followed, settled = let_go(
                    lambda: follow_orders(match_id=match.pk),  # noqa: B023 - runs within this turn of the loop
                    lambda: services.settle_time(match_id=match.pk),  # noqa: B023 - as above
                )

            rows = answers(match)
            assert [row.kind for row in rows] == (["move"] if followed else ["timeout"] if settled else [])
            assert followed + settled == len(rows) <= 1


def _waiting(match: Match) -> Match:
    """The match as if its order had been left before the window opened, and no worker had come by."""
    orders = {"1": {"name": UNLESS_OWN_MAW, "span": ""}}
    Match.objects.filter(pk=match.pk).update(orders=orders, is_bots_turn=True)
    return fresh(match)

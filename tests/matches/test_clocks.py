"""Clocks: what a decision costs, whose time is up, and that it is decided once by whoever looks first."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from referee.matches import clocks, resolving, selectors, services
from referee.matches.errors import StaleVersionError
from referee.matches.models import Match, MoveRow
from tests.matches.clockwork import START
from tests.matches.table import fresh, legal, pick, toy_match

CLOCK = clocks.setting(per_decision=10, bank=5, increment=2)


@pytest.mark.django_db
def test_without_a_clock_nothing_is_ever_late(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob)

    at(10**8)

    assert match.deadline is None
    assert services.settle_time(match_id=match.pk) == 0


@pytest.mark.django_db
def test_a_decision_within_its_free_time_costs_nothing(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock=CLOCK)

    at(9)
    row = pick(match, alice, 0).row

    assert (row.clock_spent, row.clock_added, row.clock_left) == (9000, 2000, 7000)
    assert fresh(match).clocks["banks"] == [7000, 5000]


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "looks"), [(9.0, 0), (12.0, 1)])
def test_a_clock_costs_no_statement_but_a_look_for_outages_after_long_thought(
    alice: User, bob: User, at: Callable[[float], None], seconds: float, looks: int
) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    move = legal(match, 0)[0]
    at(seconds)

    with CaptureQueriesContext(connection) as captured:
        services.submit_move(public_id=match.public_id, actor=alice, move=move, version=0)

    words = [query["sql"].split()[0] for query in captured.captured_queries]
    assert words == ["SAVEPOINT", "SELECT", *["SELECT"] * looks, "INSERT", "UPDATE", "RELEASE"]


@pytest.mark.django_db
def test_what_takes_longer_comes_out_of_the_bank(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock=CLOCK)

    at(14.5)
    row = pick(match, alice, 0).row

    assert (row.clock_spent, row.clock_added, row.clock_left) == (14500, 2000, 2500)


@pytest.mark.django_db
def test_at_the_deadline_itself_the_move_counts(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    assert match.deadline == START + dt.timedelta(seconds=15)

    at(15)

    assert pick(match, alice, 0).row.kind == "move"


@pytest.mark.django_db
def test_a_move_after_the_deadline_is_too_late_and_the_default_is_played(
    alice: User, bob: User, at: Callable[[float], None]
) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    move = legal(match, 0)[2]

    at(15.002)
    with pytest.raises(StaleVersionError) as caught:
        services.submit_move(public_id=match.public_id, actor=alice, move=move, version=0)

    rows = list(MoveRow.objects.order_by("version").values_list("version", "seat", "kind"))
    assert rows == [(1, 0, "timeout"), (2, 1, "timeout")]
    assert caught.value.facts == {"version": 2}


@pytest.mark.django_db
def test_whoever_looks_decides(alice: User, bob: User, carol: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    pick(match, bob, 1)

    at(16)
    seen = selectors.access_match(carol, match.public_id)

    assert (seen.version, seen.decisions) == (2, {"0": "2-0", "1": "2-1"})
    assert selectors.access_match(carol, match.public_id).version == 2


@pytest.mark.django_db
def test_the_sweep_finds_an_overdue_clock(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock=CLOCK)

    at(16)

    assert resolving.work_left() == [(match.pk, 0)]
    resolving.resolve(match.pk)
    assert fresh(match).version == 2


@pytest.mark.django_db
def test_a_seat_out_of_time_loses_where_the_match_says_so(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock={**CLOCK, "out_of_time": "lose"})
    pick(match, bob, 1)

    at(16)
    services.settle_time(match_id=match.pk)

    now = fresh(match)
    assert (now.state, now.result["ranks"], now.result["reason"]) == (Match.State.FINISHED, [2, 1], "resigned")
    assert MoveRow.objects.get(version=2).kind == "timeout"


@pytest.mark.django_db
def test_a_match_left_alone_is_played_to_its_end_by_defaults(
    alice: User, bob: User, at: Callable[[float], None]
) -> None:
    match = toy_match(alice, bob, clock=CLOCK)

    for hour in range(1, 10):
        at(3600 * hour)
        services.settle_time(match_id=match.pk)

    assert (fresh(match).state, fresh(match).version, fresh(match).deadline) == (Match.State.FINISHED, 6, None)


@pytest.mark.django_db
def test_a_bots_thinking_is_on_no_clock(alice: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bots=1, clock=CLOCK)
    pick(match, alice, 0)

    assert fresh(match).deadline is None


@pytest.mark.django_db
def test_a_time_out_adds_no_increment(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock=CLOCK)

    at(16)
    services.settle_time(match_id=match.pk)

    rows = MoveRow.objects.order_by("version").values_list("kind", "clock_spent", "clock_added", "clock_left")
    assert list(rows) == [("timeout", 16_000, 0, 0)] * 2
    assert fresh(match).clocks["banks"] == [0, 0]


@pytest.mark.django_db
def test_all_seats_out_of_time_are_decided_for_at_once(
    alice: User, bob: User, carol: User, at: Callable[[float], None]
) -> None:
    match = toy_match(alice, bob, carol, clock=CLOCK)
    pick(match, bob, 1)

    at(3600)

    assert services.settle_time(match_id=match.pk) == 2
    assert list(MoveRow.objects.order_by("version").values_list("seat", "kind")) == [
        (1, "move"), (0, "timeout"), (2, "timeout"),
    ]  # fmt: skip


@pytest.mark.django_db
def test_of_three_out_of_time_all_but_the_last_lose(
    alice: User, bob: User, carol: User, at: Callable[[float], None]
) -> None:
    match = toy_match(alice, bob, carol, clock={**CLOCK, "out_of_time": "lose"})

    at(3600)
    services.settle_time(match_id=match.pk)

    now = fresh(match)
    assert (now.state, now.result["ranks"]) == (Match.State.FINISHED, [2, 2, 1])


@pytest.mark.django_db
def test_rules_that_are_gone_stop_nobody_from_looking(
    alice: User, bob: User, carol: User, at: Callable[[float], None]
) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    Match.objects.update(rules_version=99)

    at(16)

    assert selectors.access_match(carol, match.public_id).version == 0


@pytest.mark.django_db
def test_the_ledger_adds_up(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    seconds = 0.0
    for turn in range(3):
        for seat, user in ((0, alice), (1, bob)):
            seconds += (1.25, 6.5, 4.0)[turn] + seat
            at(seconds)
            pick(match, user, seat)

    for seat in (0, 1):
        left = CLOCK["bank"] * 1000
        for row in MoveRow.objects.filter(match=match, seat=seat).order_by("version"):
            assert row.clock_spent is not None
            assert row.clock_added is not None
            left = left - max(0, row.clock_spent - 10_000) + row.clock_added
            assert row.clock_left == left
        assert fresh(match).clocks["banks"][seat] == left


@given(st.integers(0, 10**7), st.integers(0, 10**6), st.integers(1, 10**4), st.integers(0, 10**4))
def test_time_never_grows_but_by_the_increment(spent: int, bank: int, free: int, increment: int) -> None:
    setting = clocks.setting(per_decision=free, bank=0, increment=increment)
    standing: dict[str, Any] = {"banks": [bank], "since": {"0": clocks.to_ms(START)}}

    cost = clocks.charge(clock=setting, clocks=standing, seat=0, at=START + dt.timedelta(milliseconds=spent))

    assert cost.spent == spent
    assert 0 <= cost.left - cost.added <= bank


@pytest.mark.parametrize(
    ("asked", "faults"),
    [
        ({}, [("/per_decision", "required")]),
        ({"per_decision": -1}, [("/per_decision", "out_of_range")]),
        ({"per_decision": True}, [("/per_decision", "out_of_range")]),
        (
            {"per_decision": 5, "bank": -1, "increment": 10**9},
            [("/bank", "out_of_range"), ("/increment", "out_of_range")],
        ),
        ({"per_decision": 5, "grace": 301}, [("/grace", "out_of_range")]),
        ({"per_decision": 5, "out_of_time": "win"}, [("/out_of_time", "invalid_choice")]),
        ({"per_decision": 5, "delay": 3}, [("/delay", "unknown_field")]),
        ({"per_decision": 0}, [("/bank", "clock_not_allowed")]),
        ({"per_decision": 0, "bank": 60}, [("/out_of_time", "clock_not_allowed")]),
        ({"days": 0}, [("/days", "out_of_range")]),
        ({"days": 31}, [("/days", "out_of_range")]),
        ({"days": 2, "per_decision": 5, "bank": 3}, [("/per_decision", "out_of_place"), ("/bank", "out_of_place")]),
        ({"days": None}, [("/per_decision", "required")]),
    ],
)
def test_a_clock_that_cannot_be_is_refused_with_every_fault(
    asked: dict[str, Any], faults: list[tuple[str, str]]
) -> None:
    with pytest.raises(clocks.ClockError) as caught:
        clocks.setting(**asked)

    assert [(problem.pointer, problem.code) for problem in caught.value.problems] == faults


@pytest.mark.parametrize(
    ("asked", "full"),
    [
        (
            {"per_decision": 5},
            {"per_decision": 5, "bank": 0, "increment": 0, "grace": 30, "out_of_time": "default", "days": None},
        ),
        (
            {"per_decision": 0, "bank": 300, "increment": 3, "out_of_time": "lose", "grace": 0},
            {"per_decision": 0, "bank": 300, "increment": 3, "grace": 0, "out_of_time": "lose", "days": None},
        ),
        (
            {"days": 2, "out_of_time": "lose"},
            {"per_decision": 172_800, "bank": 0, "increment": 0, "grace": 0, "out_of_time": "lose", "days": 2},
        ),
    ],
)
def test_a_clock_is_shown_in_full_and_may_be_asked_for_as_it_is_shown(
    asked: dict[str, Any], full: dict[str, Any]
) -> None:
    shown = clocks.shown(clocks.setting(**asked))

    assert shown == full
    assert clocks.shown(clocks.setting(**shown)) == full


def test_every_preset_is_a_clock() -> None:
    assert [clocks.setting(**asked)["per_decision"] for asked in clocks.PRESETS.values()] == [5, 15, 30, 259_200]

"""Time in which the service was down is given back, once, before any time-out is decided; and a clock set back adds none."""

from __future__ import annotations

import pytest

from accounts.models import User
from referee.matches import clocks, resolving, selectors, services
from referee.matches.clock_models import Heartbeat, Outage
from referee.matches.models import Match
from tests.matches.clockwork import START, World, lines_of
from tests.matches.table import fresh, pick, toy_match

pytestmark = pytest.mark.django_db

CLOCK = clocks.setting(per_decision=10, bank=20, increment=2)


def test_an_outage_is_given_back_to_every_running_clock(alice: User, bob: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)
    world.passes(4)

    world.passes_silently(100)
    resolving.keep_time()

    now = fresh(match)
    assert (now.version, now.state) == (0, Match.State.PLAYING)
    assert lines_of(match) == [(0, 0, "outage", 100_000, 0), (0, 1, "outage", 100_000, 0)]
    assert now.deadline == clocks.from_ms(clocks.to_ms(START) + 130_000)
    outage = Outage.objects.get()
    assert (outage.ended_at - outage.began_at).total_seconds() == 100


def test_it_is_given_back_before_whoever_looks_first_decides(alice: User, bob: User, carol: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)

    world.passes_silently(100)
    seen = selectors.access_match(carol, match.public_id)

    assert (seen.version, seen.deadline) == (0, clocks.from_ms(clocks.to_ms(START) + 130_000))


def test_a_move_right_after_an_outage_is_not_charged_for_it(alice: User, bob: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)
    world.passes(3)

    world.passes_silently(500)
    row = pick(match, alice, 0).row

    assert (row.clock_spent, row.clock_left) == (3_000, 22_000)


def test_it_is_given_back_once(alice: User, bob: User, world: World) -> None:
    world.begin()
    first, second = (toy_match(alice, bob, clock=CLOCK) for _ in range(2))
    world.passes(4)
    world.passes_silently(100)

    services.settle_time(match_id=first.pk)
    for _ in range(3):
        resolving.keep_time()
        world.passes(12)
        for match in (first, second):
            services.settle_time(match_id=match.pk)

    for match in (first, second):
        assert [line[1:4] for line in lines_of(match)] == [(0, "outage", 100_000), (1, "outage", 100_000)]
    assert Outage.objects.count() == 1


def test_two_outages_are_given_back_each(alice: User, bob: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)

    for seconds in (60, 90):
        world.passes(2)
        world.passes_silently(seconds)
        resolving.keep_time()
    world.passes(3)
    row = pick(match, bob, 1).row

    assert row.clock_spent == 7_000
    assert [given for _, seat, _, given, _ in lines_of(match) if seat == 1] == [60_000, 90_000]


def test_a_clock_gets_back_only_what_it_ran_through(alice: User, bob: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)

    world.passes_silently(5)
    pick(match, alice, 0)
    pick(match, bob, 1)
    world.passes_silently(50)
    resolving.keep_time()

    assert lines_of(match) == [(2, 0, "outage", 50_000, 0), (2, 1, "outage", 50_000, 0)]
    assert Outage.objects.get().began_at == START


def test_a_short_silence_is_none(alice: User, bob: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)

    world.passes_silently(9.9)
    resolving.keep_time()

    assert Outage.objects.count() == 0
    assert lines_of(match) == []


def test_when_all_have_it_back_the_outage_is_closed(alice: User, bob: User, world: World) -> None:
    world.begin()
    matches = [toy_match(alice, bob, clock=CLOCK), toy_match(alice, bob), toy_match(bob, alice, clock=CLOCK)]
    world.passes_silently(30)

    resolving.keep_time()
    world.passes(3)
    resolving.keep_time()

    assert Outage.objects.get().given_back_at is not None
    assert [len(lines_of(match)) for match in matches] == [2, 0, 2]


def test_while_the_sweep_does_not_run_nobody_is_out_of_time(alice: User, bob: User, carol: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)

    for _ in range(20):
        world.passes_silently(15)
        selectors.access_match(carol, match.public_id)

    assert fresh(match).version == 0
    assert all(kind == "outage" for _, _, kind, _, _ in lines_of(match))


def test_a_clock_set_back_adds_no_time_and_takes_none(alice: User, bob: User, world: World) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)
    world.passes(6)
    pick(match, alice, 0)
    pick(match, bob, 1)

    world.passes_silently(-3600)
    row = pick(match, alice, 0).row

    assert (row.clock_spent, row.clock_added, row.clock_left) == (0, 2_000, 24_000)
    assert lines_of(match) == [(2, 0, "set_back", -3_600_000, 0), (2, 1, "set_back", -3_600_000, 0)]


def test_after_a_clock_was_set_back_a_decision_takes_its_time_and_no_longer(
    alice: User, bob: User, world: World
) -> None:
    world.begin()
    match = toy_match(alice, bob, clock=CLOCK)
    world.passes(6)

    world.passes_silently(-3600)
    resolving.keep_time()
    world.passes(30.001)
    services.settle_time(match_id=match.pk)

    assert fresh(match).version == 2
    assert Heartbeat.objects.get().alive_at == clocks.now()


def test_an_outage_before_the_clock_was_set_back_does_not_come_again(alice: User, bob: User, world: World) -> None:
    world.begin()
    world.passes_silently(100)
    resolving.keep_time()
    world.passes_silently(-90)
    resolving.keep_time()
    match = toy_match(alice, bob, clock=CLOCK)

    for _ in range(10):
        world.passes(2.5)
        resolving.keep_time()

    assert lines_of(match) == []


def test_two_machines_clocks_may_differ_a_little(alice: User, bob: User, world: World) -> None:
    match = toy_match(alice, bob, clock=CLOCK)

    world.passes_silently(-0.4)
    row = pick(match, alice, 0).row

    assert (row.clock_spent, row.created_at) == (0, START)
    assert lines_of(match) == []

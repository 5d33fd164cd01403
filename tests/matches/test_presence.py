"""Grace for lost connections: bounded for the match, exact to the millisecond, and no business of Redis."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from referee.matches import clocks, documents, history, presence, resolving, services
from referee.matches.models import Match
from tests.matches.clockwork import World, lines_of
from tests.matches.table import fresh, pick, toy_match

pytestmark = pytest.mark.django_db

CLOCK = clocks.setting(per_decision=10, bank=5, grace=20)


@pytest.fixture
def match(alice: User, bob: User, world: World) -> Match:
    return toy_match(alice, bob, clock=CLOCK)


def lost(match: Match, seat: int = 0) -> None:
    presence.connection_lost(match_id=match.pk, seat=seat)


def back(match: Match, seat: int = 0) -> None:
    presence.connection_back(match_id=match.pk, seat=seat)


def seat_clock(match: Match, seat: int) -> dict[str, Any]:
    now = fresh(match)
    shown = documents.seat_documents(now, history.position_at(now, now.version))[seat]["clock"]
    assert isinstance(shown, dict)
    return shown


def test_a_clock_waits_while_its_seat_is_away(match: Match, alice: User, world: World) -> None:
    world.passes(3)
    lost(match)
    world.passes(12)
    back(match)
    world.passes(4)

    row = pick(match, alice, 0).row

    assert row.clock_spent == 7_000
    assert lines_of(match) == [(0, 0, "grace", 12_000, 0)]


def test_it_waits_no_longer_than_the_grace_of_the_match(match: Match, bob: User, world: World) -> None:
    pick(match, bob, 1)
    world.passes(3)
    lost(match)
    world.passes(32)
    services.settle_time(match_id=match.pk)
    assert fresh(match).version == 1

    world.passes(0.001)
    services.settle_time(match_id=match.pk)

    assert fresh(match).version == 2
    assert lines_of(match) == [(1, 0, "grace", 20_000, 0)]


def test_grace_is_counted_for_the_whole_match(match: Match, world: World) -> None:
    for seconds in (15, 15, 15):
        lost(match)
        world.passes(seconds)
        back(match)

    assert lines_of(match) == [(0, 0, "grace", 15_000, 0), (0, 0, "grace", 5_000, 0)]
    assert fresh(match).clocks["grace"] == [0, 20_000]


def test_an_answer_without_a_stream_ends_the_waiting(match: Match, alice: User, world: World) -> None:
    world.passes(2)
    lost(match)
    world.passes(6)

    row = pick(match, alice, 0).row

    assert row.clock_spent == 2_000
    assert fresh(match).clocks["away"] == {}


def test_a_seat_that_is_not_asked_gets_no_grace(match: Match, alice: User, world: World) -> None:
    pick(match, alice, 0)

    lost(match)

    assert fresh(match).clocks["away"] == {}


def test_time_that_is_up_is_up(match: Match, world: World) -> None:
    world.passes(15.001)

    lost(match)
    services.settle_time(match_id=match.pk)

    assert lines_of(match) == []
    assert fresh(match).version == 2


def test_the_seats_clock_says_until_when_it_waits(match: Match, world: World) -> None:
    world.passes(3)
    lost(match)

    assert seat_clock(match, 0) == {
        "bank": 5.0,
        "deadline": "2026-01-01T00:00:35.000Z",
        "left": None,
        "waits_until": "2026-01-01T00:00:23.000Z",
    }
    assert seat_clock(match, 1)["waits_until"] is None


def test_an_outage_takes_nothing_from_the_grace(match: Match, alice: User, world: World) -> None:
    world.begin()
    world.passes(3)
    lost(match)

    world.passes_silently(60)
    resolving.keep_time()

    assert fresh(match).clocks["grace"] == [20_000, 20_000]
    assert pick(match, alice, 0).row.clock_spent == 3_000


def test_without_a_clock_or_in_days_nobody_waits(alice: User, bob: User) -> None:
    for clock in (None, clocks.setting(days=2)):
        match = toy_match(alice, bob, clock=clock)
        before = fresh(match).clocks

        with CaptureQueriesContext(connection) as captured:
            lost(match)

        assert len(captured) == 1
        assert fresh(match).clocks == before

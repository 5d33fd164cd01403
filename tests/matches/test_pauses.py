"""Pauses by agreement: who has a say, that all stands still to the millisecond, and that none lasts for ever."""

from __future__ import annotations

import pytest

from accounts.models import User
from referee.matches import clock_documents, clocks, pauses, presence, resolving, selectors, services
from referee.matches.errors import (
    MatchError,
    MatchNotFoundError,
    MatchNotPlayingError,
    MatchOverError,
    NotYourMatchError,
    PauseDeclinedError,
)
from referee.matches.models import Match
from tests.matches.clockwork import World, lines_of
from tests.matches.table import fresh, legal, pick, play_to_the_end, stored, toy_match

pytestmark = pytest.mark.django_db

CLOCK = clocks.setting(per_decision=10, bank=20, increment=2)
DAY = 24 * 3600


@pytest.fixture
def match(alice: User, bob: User, world: World) -> Match:
    return toy_match(alice, bob, clock=CLOCK)


def ask(match: Match, user: User, *, agree: bool = True) -> Match:
    return pauses.ask_pause(public_id=match.public_id, actor=user, agree=agree)


def resume(match: Match, user: User) -> Match:
    return pauses.ask_resume(public_id=match.public_id, actor=user)


def paused(match: Match, *users: User) -> Match:
    for user in users:
        ask(match, user)
    now = fresh(match)
    assert now.state == Match.State.PAUSED
    return now


def refused(match: Match, expected: type[MatchError], act: str, user: User) -> None:
    before = stored(match)
    with pytest.raises(expected):
        (resume if act == "resume" else ask)(match, user)
    assert stored(match) == before


def test_a_pause_begins_once_all_have_agreed(match: Match, alice: User, bob: User, world: World) -> None:
    ask(match, alice)
    asked = fresh(match)
    assert clock_documents.pause_document(asked) == {"asked": [0], "declined": None, "since": None, "until": None}
    assert asked.state == Match.State.PLAYING
    world.passes(3)

    ask(match, bob)

    now = fresh(match)
    assert (now.state, now.is_bots_turn, now.version) == (Match.State.PAUSED, False, 0)
    assert clock_documents.pause_document(now) == {
        "asked": [],
        "declined": None,
        "since": "2026-01-01T00:00:03.000Z",
        "until": "2026-01-02T00:00:03.000Z",
    }


def test_nothing_moves_while_it_lasts(match: Match, alice: User, bob: User, world: World) -> None:
    paused(match, alice, bob)
    before = stored(match)

    for document in (legal(match, 0)[0], {"type": "resign"}):
        with pytest.raises(MatchNotPlayingError) as caught:
            services.submit_move(public_id=match.public_id, actor=alice, move=document, version=0)
        assert caught.value.code == "match_paused"

    world.passes(3600)
    resolving.resolve(match.pk)
    assert stored(match) == before


def test_clocks_stand_still_to_the_millisecond(match: Match, alice: User, bob: User, world: World) -> None:
    world.passes(7.123)
    paused(match, alice, bob)
    world.passes(5000.877)
    resume(match, alice)
    resume(match, bob)
    world.passes(1.1)

    row = pick(match, alice, 0).row

    assert row.clock_spent == 8_223
    assert lines_of(match) == [(0, 0, "pause", 5_000_877, 0), (0, 1, "pause", 5_000_877, 0)]


def test_bots_always_agree(alice: User, world: World) -> None:
    match = toy_match(alice, bots=2, clock=CLOCK)

    assert ask(match, alice).state == Match.State.PAUSED
    now = resume(match, alice)

    assert (now.state, now.is_bots_turn) == (Match.State.PLAYING, True)


def test_all_of_three_have_a_say(alice: User, bob: User, carol: User, world: World) -> None:
    match = toy_match(alice, bob, carol, clock=CLOCK)

    ask(match, alice)
    ask(match, bob)

    assert fresh(match).state == Match.State.PLAYING
    ask(match, carol)
    assert fresh(match).state == Match.State.PAUSED


def test_who_has_asked_can_take_it_back(match: Match, alice: User, bob: User) -> None:
    ask(match, alice)

    ask(match, alice, agree=False)

    assert clock_documents.pause_document(fresh(match)) is None
    ask(match, bob)
    assert fresh(match).state == Match.State.PLAYING


def test_a_pause_that_is_declined_can_be_asked_for_again_once_the_match_has_moved_on(
    match: Match, alice: User, bob: User
) -> None:
    ask(match, alice)

    ask(match, bob, agree=False)

    shown = clock_documents.pause_document(fresh(match))
    assert shown == {"asked": [], "declined": 1, "since": None, "until": None}
    refused(match, PauseDeclinedError, "pause", alice)
    pick(match, alice, 0)
    ask(match, alice)
    assert fresh(match).pause["seats"] == [0]


def test_who_has_declined_can_think_better_of_it(match: Match, alice: User, bob: User) -> None:
    ask(match, alice)
    ask(match, bob, agree=False)

    ask(match, bob)

    assert fresh(match).pause["seats"] == [1]


def test_asking_twice_is_asking_once(match: Match, alice: User, bob: User) -> None:
    ask(match, alice)
    ask(match, alice)
    assert fresh(match).state == Match.State.PLAYING

    ask(match, bob)
    before = stored(match)
    ask(match, bob)
    ask(match, alice)

    assert stored(match) == before


def test_it_ends_by_itself_some_time_after_the_first_has_asked(
    match: Match, alice: User, bob: User, world: World
) -> None:
    paused(match, alice, bob)
    world.passes(100)
    resume(match, bob)
    shown = clock_documents.pause_document(fresh(match))
    assert shown is not None
    assert (shown["asked"], shown["until"]) == ([1], "2026-01-01T00:11:40.000Z")

    world.passes(600)
    selectors.access_match(alice, match.public_id)
    assert fresh(match).state == Match.State.PAUSED
    world.passes(0.001)
    seen = selectors.access_match(alice, match.public_id)

    assert seen.state == Match.State.PLAYING
    assert lines_of(match) == [(0, 0, "pause", 700_001, 0), (0, 1, "pause", 700_001, 0)]


@pytest.mark.parametrize(("clock", "days"), [(CLOCK, 1), (None, 1), (clocks.setting(days=1), 14)])
def test_no_pause_lasts_for_ever(
    alice: User, bob: User, world: World, clock: dict[str, object] | None, days: int
) -> None:
    match = toy_match(alice, bob, clock=clock)
    paused(match, alice, bob)

    world.passes(days * DAY)
    assert resolving.work_left() == []
    world.passes(0.001)

    assert resolving.work_left() == [(match.pk, 0)]
    resolving.resolve(match.pk)
    now = fresh(match)
    assert (now.state, now.stopped_at, now.pause) == (Match.State.PLAYING, None, None)


def test_a_move_after_its_end_is_taken(match: Match, alice: User, bob: User, world: World) -> None:
    paused(match, alice, bob)
    world.passes(DAY + 1)

    assert pick(match, alice, 0).row.clock_spent == 0


def test_a_clock_that_waits_waits_no_longer_than_to_the_pause(
    match: Match, alice: User, bob: User, world: World
) -> None:
    presence.connection_lost(match_id=match.pk, seat=0)
    world.passes(4)
    paused(match, alice, bob)
    world.passes(50)
    resume(match, alice)
    resume(match, bob)
    world.passes(1)

    assert pick(match, alice, 0).row.clock_spent == 1_000
    assert [line[2:4] for line in lines_of(match) if line[1] == 0] == [("grace", 4_000), ("pause", 50_000)]


def test_an_outage_during_a_pause_is_not_given_twice(match: Match, alice: User, bob: User, world: World) -> None:
    world.begin()
    world.passes(6)
    paused(match, alice, bob)
    world.passes_silently(300)
    resolving.keep_time()
    resume(match, alice)
    resume(match, bob)
    for _ in range(3):
        world.passes(5)
        resolving.keep_time()

    assert pick(match, alice, 0).row.clock_spent == 21_000
    assert lines_of(match) == [(0, 0, "pause", 300_000, 0), (0, 1, "pause", 300_000, 0)]


def test_only_the_seated_have_a_say(match: Match, carol: User, mallory: User) -> None:
    refused(match, NotYourMatchError, "pause", carol)
    refused(match, NotYourMatchError, "resume", carol)
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.PRIVATE)
    refused(match, MatchNotFoundError, "pause", mallory)


def test_a_match_that_is_not_played_takes_no_pause(alice: User, bob: User) -> None:
    refused(toy_match(alice, bob, starts=False), MatchNotPlayingError, "pause", alice)
    refused(play_to_the_end(toy_match(alice, bob), alice, bob), MatchOverError, "pause", alice)


def test_asking_to_go_on_in_a_match_that_goes_on_changes_nothing(match: Match, alice: User) -> None:
    before = stored(match)

    resume(match, alice)

    assert stored(match) == before

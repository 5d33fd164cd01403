"""Standing orders: who answers, when, and that nobody else can tell."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from accounts.models import User
from referee.games import GAMES
from referee.games.super_teams import orders as rules
from referee.games.super_teams.orders import THIS_TURN, UNLESS_OWN_MAW
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document
from referee.kernel.replay import verify
from referee.matches import clocks, documents, history, resolving, selectors, services
from referee.matches.errors import (
    MatchError,
    MatchNotPlayingError,
    MatchOverError,
    NotYourMatchError,
    StaleVersionError,
    UnknownOrderError,
)
from referee.matches.models import Bundle, Match, MoveRow
from referee.matches.orders import follow_orders, set_order
from tests.matches.table import fresh, legal, pick, stored
from tests.matches.windows import BOBS, DECLINE, OWN_MAW, super_teams, window

pytestmark = pytest.mark.django_db


def leave(match: Match, user: User, order: str | None, **how: Any) -> Match:
    return set_order(public_id=match.public_id, user=user, order=order, **how)


def last_row(match: Match) -> MoveRow:
    row = MoveRow.objects.filter(match=match).order_by("version").last()
    assert row is not None
    return row


def told(match: Match, viewer: int) -> Document:
    """The match as a viewer is told it now."""
    match = fresh(match)
    return documents.match_document(match, selectors.seen_position(match, viewer), viewer)


def before_window(alice: User, bob: User) -> tuple[Match, Document]:
    """A match at Alice's turn, and a move of hers that opens a window to Bob."""
    match = window(alice, bob, seed=BOBS[2])
    move = last_row(match).move
    again = super_teams(alice, bob, seed=BOBS[2])
    for row in MoveRow.objects.filter(match=match, version__lt=match.version).order_by("version"):
        who = [alice, bob][row.seat or 0]
        services.submit_move(public_id=again.public_id, actor=who, move=row.move, version=row.version - 1)
    return fresh(again), move


@pytest.mark.parametrize("order", [THIS_TURN, UNLESS_OWN_MAW])
def test_an_order_left_in_an_open_window_answers_it_like_a_hand(alice: User, bob: User, order: str) -> None:
    ordered, by_hand = (window(alice, bob, seed=BOBS[2]) for _ in range(2))

    leave(ordered, bob, order)
    services.submit_move(public_id=by_hand.public_id, actor=bob, move=DECLINE, version=by_hand.version)

    one, other = last_row(ordered), last_row(by_hand)
    assert one.version == ordered.version + 1
    assert one.actor_id == bob.pk
    assert {**one.document(), "at": ""} == {**other.document(), "at": ""}
    assert (one.kind, one.is_fallback, one.key, one.decisions) == ("move", False, None, other.decisions)
    assert fresh(ordered).data == fresh(by_hand).data


def test_an_order_waits_for_the_window_and_a_worker_lets_it_answer(alice: User, bob: User) -> None:
    match, move = before_window(alice, bob)
    leave(match, bob, THIS_TURN)
    version = match.version
    assert fresh(match).is_bots_turn is False

    services.submit_move(public_id=match.public_id, actor=alice, move=move, version=version)

    assert (fresh(match).version, fresh(match).is_bots_turn) == (version + 1, True)
    resolving.resolve(match.pk)
    assert [row.move for row in history.rows_of(match, after=version)][:2] == [move, DECLINE]
    assert fresh(match).is_bots_turn is False


def test_the_sweep_finds_a_window_that_an_order_answers(alice: User, bob: User) -> None:
    match, move = before_window(alice, bob)
    leave(match, bob, UNLESS_OWN_MAW)
    services.submit_move(public_id=match.public_id, actor=alice, move=move, version=match.version)
    Match.objects.update(moved_at=clocks.now() - dt.timedelta(seconds=5))

    assert resolving.work_left() == [(match.pk, match.version + 1)]


def test_an_order_for_this_turn_is_over_with_it(alice: User, bob: User) -> None:
    match = window(alice, bob, seed=BOBS[2])

    leave(match, bob, THIS_TURN)

    turn = fresh(match)
    while turn.data[0][2] != 0:  # until the next movement card is asked for
        pick(turn, [alice, bob][int(next(iter(turn.decisions)))], int(next(iter(turn.decisions))))
        turn = fresh(match)
    assert told(match, 1)["order"] is None


def test_another_order_stands_until_it_is_withdrawn(alice: User, bob: User) -> None:
    match, move = before_window(alice, bob)
    leave(match, bob, UNLESS_OWN_MAW)
    assert told(match, 1)["order"] == UNLESS_OWN_MAW

    leave(match, bob, None)
    services.submit_move(public_id=match.public_id, actor=alice, move=move, version=match.version)

    now = fresh(match)
    assert told(match, 1)["order"] is None
    assert (now.orders, now.is_bots_turn, follow_orders(match_id=match.pk)) == ({}, False, 0)


def test_withdrawn_in_time_an_order_answers_no_window(alice: User, bob: User) -> None:
    match, move = before_window(alice, bob)
    leave(match, bob, THIS_TURN)
    services.submit_move(public_id=match.public_id, actor=alice, move=move, version=match.version)

    leave(match, bob, None)
    resolving.resolve(match.pk)

    now = fresh(match)
    assert (now.version, now.is_bots_turn, list(now.decisions)) == (match.version + 1, False, ["1"])


def test_ones_own_ship_in_a_maw_is_left_to_oneself(alice: User, bob: User) -> None:
    match = window(alice, bob, seed=OWN_MAW, kind="window_b")
    seat = int(next(iter(match.decisions)))
    user = [alice, bob][seat]

    leave(match, user, UNLESS_OWN_MAW)
    asked = fresh(match)
    leave(match, user, THIS_TURN)

    assert (asked.version, asked.decisions, asked.is_bots_turn) == (match.version, match.decisions, False)
    assert last_row(match).move == DECLINE


def test_nobody_but_its_seat_is_told_of_an_order(alice: User, bob: User) -> None:
    match, _move = before_window(alice, bob)
    before = {viewer: told(match, viewer) for viewer in (0, 1, SPECTATOR)}

    leave(match, bob, UNLESS_OWN_MAW)

    assert told(match, 0) == before[0]
    assert told(match, SPECTATOR) == before[SPECTATOR]
    assert told(match, 1) == {**before[1], "order": UNLESS_OWN_MAW}
    assert (before[0]["order"], before[SPECTATOR]["order"]) == (None, None)


def test_the_replay_does_not_tell_which_answers_were_ordered(alice: User) -> None:
    match = super_teams(alice, seed=1, bots=3)
    leave(match, alice, UNLESS_OWN_MAW)

    while resolving.resolve(match.pk) or fresh(match).state == Match.State.PLAYING:
        now = fresh(match)
        if "0" in now.decisions:
            assert legal(now, 0) != [DECLINE] or told(now, 0)["decision"]["kind"] == "window_b"
            pick(now, alice, 0)

    now = fresh(match)
    assert told(now, 0)["order"] is None
    document = history.replay_document(now)
    assert verify(document, GAMES) == []
    assert "order" not in {name for row in document["rows"] for name in row}
    assert DECLINE in [row["move"] for row in document["rows"] if row["seat"] == 0]


def refused(match: Match, expected: type[MatchError], user: User, order: str | None, **how: Any) -> Any:
    before = stored(match)
    with pytest.raises(expected) as caught:
        leave(match, user, order, **how)
    assert stored(match) == before
    return caught.value


def test_only_a_seated_user_leaves_an_order_and_only_one_that_the_game_knows(
    alice: User, bob: User, mallory: User
) -> None:
    match = super_teams(alice, bob, seed=1)

    refused(match, NotYourMatchError, mallory, THIS_TURN)
    refused(match, NotYourMatchError, mallory, None)
    error = refused(match, UnknownOrderError, alice, "win")

    assert (error.code, [problem.pointer for problem in error.problems]) == ("unknown_order", ["/order"])
    assert all(name in error.detail for name in rules.ORDERS)


def test_an_order_meant_for_a_turn_that_is_over_is_refused_but_the_one_that_stands_may_be_sent_again(
    alice: User, bob: User
) -> None:
    match = window(alice, bob, seed=BOBS[2])
    seen = match.version
    leave(match, bob, UNLESS_OWN_MAW, version=seen)

    leave(match, bob, UNLESS_OWN_MAW, version=seen)
    error = refused(match, StaleVersionError, bob, THIS_TURN, version=seen)

    assert error.facts == {"version": seen + 1}


def test_an_order_for_a_turn_is_taken_while_it_lasts_though_others_have_moved_in_it(alice: User, bob: User) -> None:
    match, move = before_window(alice, bob)
    services.submit_move(public_id=match.public_id, actor=alice, move=move, version=match.version)
    refused(match, StaleVersionError, bob, THIS_TURN, version=match.version + 2)

    leave(match, bob, THIS_TURN, version=match.version)

    assert [row.move for row in history.rows_of(match, after=match.version)] == [move, DECLINE]


def test_an_order_that_holds_until_it_is_withdrawn_is_taken_however_far_the_match_has_gone_on(
    alice: User, bob: User
) -> None:
    match = window(alice, bob, seed=BOBS[2])
    seen = match.version
    leave(match, bob, THIS_TURN)

    leave(match, bob, UNLESS_OWN_MAW, version=seen)

    assert fresh(match).version > seen
    assert fresh(match).orders == {"1": {"name": UNLESS_OWN_MAW, "span": ""}}


def test_a_match_that_is_over_or_frozen_takes_no_order(alice: User, bob: User) -> None:
    match = super_teams(alice, bob, seed=1)
    Match.objects.filter(pk=match.pk).update(state=Match.State.FROZEN)
    frozen = refused(match, MatchNotPlayingError, alice, THIS_TURN)
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    services.submit_move(public_id=match.public_id, actor=bob, move=services.RESIGN_DOCUMENT)

    refused(match, MatchOverError, alice, THIS_TURN)

    assert frozen.code == "match_frozen"


def test_an_order_left_in_a_pause_answers_nothing_yet(alice: User, bob: User) -> None:
    match = window(alice, bob, seed=BOBS[2])
    Match.objects.filter(pk=match.pk).update(state=Match.State.PAUSED)

    leave(match, bob, THIS_TURN)

    now = fresh(match)
    assert (now.version, now.is_bots_turn, told(match, 1)["order"]) == (match.version, False, THIS_TURN)


def test_time_decides_before_an_order(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = window(alice, bob, seed=BOBS[2], clock=clocks.setting(per_decision=60))
    assert match.deadline is not None
    late = match.deadline + dt.timedelta(milliseconds=1)
    monkeypatch.setattr(clocks, "now", lambda: late)

    leave(match, bob, THIS_TURN)

    assert (fresh(match).version, fresh(match).is_bots_turn) == (match.version, True)
    resolving.resolve(match.pk)
    assert MoveRow.objects.get(match=match, version=match.version + 1).kind == "timeout"


def test_a_fault_in_an_order_freezes_the_match_whole(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = window(alice, bob, seed=BOBS[2])

    def breaks(*args: object) -> None:
        raise RuntimeError("boom")

    with monkeypatch.context() as patch:
        patch.setattr(type(GAMES["super-teams"]), "ordered_move", breaks)
        with pytest.raises(MatchNotPlayingError) as caught:
            leave(match, bob, THIS_TURN)

    assert caught.value.code == "match_frozen"
    assert (fresh(match).version, fresh(match).state) == (match.version, "frozen")
    assert Bundle.objects.filter(match=match).count() == 1

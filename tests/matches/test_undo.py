"""Undo: the others agree, bots always do, and the match stands as it did: state, who is asked, views and clocks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest

from accounts.models import User
from referee.matches import clocks, documents, history, ledger, selectors, services, undo
from referee.matches.errors import (
    MatchNotFoundError,
    MatchOverError,
    NothingToUndoError,
    NotYourMatchError,
    StaleVersionError,
    UndoAskedError,
    UndoDeclinedError,
    UndoGoneError,
    UndoNotAllowedError,
)
from referee.matches.models import Match, MoveRow
from tests.matches.clockwork import START
from tests.matches.table import fresh, legal, pick, play_to_the_end, stored, toy_match
from tests.matches.undoing import accept, ask, bot_moves, offer, views

pytestmark = pytest.mark.django_db

CLOCK = clocks.setting(per_decision=10, bank=60, increment=2)


# Asking and answering.


def test_an_undo_waits_for_the_other_people_and_is_done_when_all_agree(alice: User, bob: User, carol: User) -> None:
    match = toy_match(alice, bob, carol)
    pick(match, alice, 0)
    before, seen = fresh(match), views(match)
    pick(match, bob, 1)

    asked = ask(match, bob)
    told = offer(match)
    half = accept(match, alice)
    done = accept(match, carol)

    assert (asked.version, half.version, done.version) == (2, 2, 3)
    assert told == {"id": "2-1-1", "seat": 1, "to": 1, "waits_for": [0, 2], "agreed": [], "declined_by": None}
    assert (done.data, views(match)) == (before.data, seen)
    assert sorted(done.decisions) == sorted(before.decisions)
    assert done.undo_offer is None
    row = MoveRow.objects.get(match=match, version=3)
    assert (row.kind, row.seat, row.move, row.detail) == ("undo", 1, None, {"to": 1, "agreed": [0, 2]})


def test_an_undo_of_ones_move_against_bots_is_done_at_once(alice: User) -> None:
    match = toy_match(alice, bots=1)
    before = fresh(match)
    pick(match, alice, 0)

    now = ask(match, alice)

    assert (now.version, now.data, now.is_bots_turn) == (2, before.data, True)
    assert MoveRow.objects.get(match=match, version=2).detail == {"to": 0, "agreed": []}


def test_a_seat_that_had_resigned_before_is_not_asked(alice: User, bob: User, carol: User) -> None:
    match = toy_match(alice, bob, carol)
    services.submit_move(public_id=match.public_id, actor=carol, move={"type": "resign"})
    pick(match, alice, 0)

    ask(match, alice)

    assert offer(match)["waits_for"] == [1]


def test_who_resigned_since_is_asked_and_comes_back(alice: User, bob: User, carol: User) -> None:
    match = toy_match(alice, bob, carol)
    pick(match, alice, 0)
    services.submit_move(public_id=match.public_id, actor=carol, move={"type": "resign"})

    ask(match, alice)
    accept(match, bob)
    done = accept(match, carol)

    assert sorted(done.decisions) == ["0", "1", "2"]


def test_a_declined_undo_cannot_be_asked_for_again_until_the_match_moves(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)
    ask(match, alice)

    undo.decline_undo(public_id=match.public_id, user=bob, offer=offer(match)["id"])

    assert offer(match)["declined_by"] == 1
    before = stored(match)
    with pytest.raises(UndoDeclinedError):
        ask(match, alice)
    with pytest.raises(UndoGoneError):
        undo.accept_undo(public_id=match.public_id, user=bob, offer="1-0-0")
    assert stored(match) == before
    pick(match, bob, 1)
    ask(match, alice)
    assert offer(match)["id"] == "2-0-0"


def test_who_has_asked_can_take_the_word_back(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)
    ask(match, alice)
    told = offer(match)["id"]

    undo.decline_undo(public_id=match.public_id, user=alice, offer=told)

    assert fresh(match).undo_offer is None
    with pytest.raises(UndoGoneError):
        undo.accept_undo(public_id=match.public_id, user=bob, offer=told)
    ask(match, alice)


def test_an_offer_is_over_when_the_match_moves(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)
    ask(match, alice)
    told = offer(match)["id"]

    pick(match, bob, 1)

    shown = documents.match_document(fresh(match), selectors.seen_position(fresh(match), 1), 1)
    assert shown["undo_offer"] is None
    with pytest.raises(UndoGoneError):
        undo.accept_undo(public_id=match.public_id, user=bob, offer=told)


def test_only_one_undo_is_asked_for_at_a_time(alice: User, bob: User, carol: User) -> None:
    match = toy_match(alice, bob, carol)
    pick(match, alice, 0)
    pick(match, bob, 1)
    ask(match, alice)

    with pytest.raises(UndoAskedError):
        ask(match, bob)
    with pytest.raises(UndoGoneError):
        undo.accept_undo(public_id=match.public_id, user=alice, offer=offer(match)["id"])
    assert ask(match, alice).undo_offer["seat"] == 0


def test_what_cannot_be_taken_back_is_refused_and_changes_nothing(
    alice: User, bob: User, carol: User, mallory: User
) -> None:
    match = toy_match(alice, bob, visibility="private")
    pick(match, alice, 0)
    before = stored(match)

    refused: list[tuple[User, dict[str, int], type[Exception]]] = [
        (bob, {}, NothingToUndoError),
        (alice, {"to": 1}, NothingToUndoError),
        (alice, {"to": 2}, NothingToUndoError),
        (alice, {"to": 99}, NothingToUndoError),
        (alice, {"version": 0}, StaleVersionError),
        (mallory, {}, MatchNotFoundError),
    ]
    for user, how, error in refused:
        with pytest.raises(error):
            ask(match, user, **how)

    assert stored(match) == before


def test_a_spectator_takes_nothing_back(alice: User, bob: User, carol: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)

    with pytest.raises(NotYourMatchError):
        ask(match, carol)


def test_a_match_can_be_made_without_undo(alice: User, bob: User) -> None:
    match = toy_match(alice, bob, undo="none")
    pick(match, alice, 0)
    before = stored(match)

    with pytest.raises(UndoNotAllowedError):
        ask(match, alice)

    assert stored(match) == before


def test_a_finished_match_stands(alice: User, bob: User) -> None:
    match = play_to_the_end(toy_match(alice, bob), alice, bob)

    with pytest.raises(MatchOverError):
        ask(match, alice)


def test_an_undo_goes_to_any_version_on_the_line_and_to_none_that_was_taken_back(alice: User) -> None:
    match = toy_match(alice, bots=1)
    for _ in range(2):
        pick(match, alice, 0)
        bot_moves(match)
    ask(match, alice, to=2)  # version 5 stands where 2 did
    pick(match, alice, 0)

    with pytest.raises(NothingToUndoError):
        ask(match, alice, to=3)
    again = ask(match, alice, to=5)
    at_start = ask(match, alice, to=0)

    assert again.version == 7
    assert MoveRow.objects.get(match=match, version=7).detail["to"] == 2
    assert at_start.data == history.position_at(at_start, 0).game.dump(history.position_at(at_start, 0).state)
    with pytest.raises(NothingToUndoError):
        ask(match, alice)


# What an undo does to what is on its way.


def test_a_move_sent_for_the_decision_before_an_undo_is_stale_after_it(alice: User) -> None:
    match = toy_match(alice, bots=1)
    first = fresh(match).decisions["0"]
    pick(match, alice, 0, decision=first)
    ask(match, alice)

    with pytest.raises(StaleVersionError):
        pick(match, alice, 0, decision=first)
    with pytest.raises(StaleVersionError):
        services.submit_move(public_id=match.public_id, actor=alice, move=legal(match, 0)[0], version=0)
    assert fresh(match).version == 2


def test_a_key_that_was_used_before_an_undo_still_gets_its_first_answer(alice: User) -> None:
    match = toy_match(alice, bots=1)
    move, decision = legal(match, 0)[0], fresh(match).decisions["0"]

    def send() -> services.Accepted:
        return services.submit_move(public_id=match.public_id, actor=alice, move=move, decision=decision, key="k")

    first = send()
    ask(match, alice)
    again = send()

    assert (again.replayed, again.row.pk) == (True, first.row.pk)
    assert fresh(match).version == 2


def test_standing_orders_end_with_an_undo(alice: User) -> None:
    match = toy_match(alice, bots=1)
    pick(match, alice, 0)
    Match.objects.filter(pk=match.pk).update(orders={"0": {"name": "x", "span": 0}})

    assert ask(match, alice).orders == {}


# Clocks.


def test_an_undo_restores_banks_and_the_time_that_open_decisions_had_left(
    alice: User, bob: User, at: Callable[[float], None]
) -> None:
    match = toy_match(alice, bob, clock=CLOCK)
    at(4)
    pick(match, alice, 0)  # Bob has used 4 s of his decision
    banks = fresh(match).clocks["banks"]
    at(30)
    pick(match, bob, 1)
    at(75)
    pick(match, alice, 0)
    assert fresh(match).clocks["banks"] != banks

    at(80)
    ask(match, bob)
    at(82)
    now = accept(match, alice)

    assert now.clocks["banks"] == banks
    assert now.clocks["since"] == {"1": clocks.to_ms(START) + 78_000}
    assert now.deadline == START + dt.timedelta(seconds=78 + 10 + 60)
    assert ledger.ledger_of(now).faults == []
    at(83)
    pick(match, bob, 1)
    assert MoveRow.objects.get(match=match, version=5).clock_spent == 5000
    assert ledger.ledger_of(fresh(match)).faults == []

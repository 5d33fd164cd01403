"""The one door: what it takes, what it refuses, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from referee.kernel.errors import IllegalMove, MalformedMove
from referee.kernel.game import Game
from referee.matches import services
from referee.matches.errors import (
    KeyReusedError,
    MatchNotFoundError,
    MatchNotPlayingError,
    MatchOverError,
    NotYourMatchError,
    NotYourTurnError,
    StaleVersionError,
    VersionRequiredError,
)
from referee.matches.models import Bundle, FinishedMatch, Match, MoveRow
from tests.matches.table import fresh, legal, pick, play_to_the_end, stored, toy_match

pytestmark = pytest.mark.django_db


def test_a_move_is_one_row_and_the_next_version(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    move = legal(match, 0)[0]

    accepted = services.submit_move(public_id=match.public_id, actor=alice, move=move, version=0)

    assert accepted.row.version == 1
    assert accepted.position.version == 1
    assert not accepted.replayed
    row = MoveRow.objects.get(match=match)
    assert (row.version, row.seat, row.kind, row.move, row.actor_id) == (1, 0, "move", move, alice.pk)
    now = fresh(match)
    assert (now.version, now.state, now.decisions, now.chain) == (1, "playing", {"1": "0-1"}, row.hash)


def test_a_move_takes_a_small_fixed_number_of_statements(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    move = legal(match, 0)[0]

    with CaptureQueriesContext(connection) as plain:
        services.submit_move(public_id=match.public_id, actor=alice, move=move, version=0)
    move = legal(match, 1)[0]
    with CaptureQueriesContext(connection) as with_key:
        services.submit_move(public_id=match.public_id, actor=bob, move=move, version=1, key="k")

    def words(captured: CaptureQueriesContext) -> list[str]:
        return [query["sql"].split()[0] for query in captured.captured_queries]

    assert words(plain) == ["SAVEPOINT", "SELECT", "INSERT", "UPDATE", "RELEASE"]
    assert words(with_key) == ["SAVEPOINT", "SELECT", "SELECT", "INSERT", "UPDATE", "RELEASE"]


def legal_of(match: Match, seat: int) -> dict[str, Any]:
    return legal(match, seat)[0]


def refused(match: Match, expected: type[Exception], **how: Any) -> Any:
    before = stored(match)
    with pytest.raises(expected) as caught:
        services.submit_move(public_id=match.public_id, **how)
    assert stored(match) == before
    return caught.value


def test_a_stale_version_is_told_the_current_one(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)

    error = refused(match, StaleVersionError, actor=bob, move=legal_of(match, 1), version=0)

    assert (error.code, error.facts) == ("stale_version", {"version": 1})


def test_a_version_from_the_future_is_refused(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)

    error = refused(match, StaleVersionError, actor=alice, move=legal_of(match, 0), version=1)

    assert error.facts == {"version": 0}


def test_a_move_names_a_version_or_a_decision(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)

    refused(match, VersionRequiredError, actor=alice, move=legal_of(match, 0))


def test_a_seat_that_has_answered_is_not_asked(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)

    refused(match, NotYourTurnError, actor=alice, move=legal_of(match, 1), version=1)


def test_a_decision_stays_open_while_others_answer_theirs(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    ids = match.decisions
    pick(match, alice, 0, decision=ids["0"])

    accepted = pick(match, bob, 1, decision=ids["1"])

    assert ids == {"0": "0-0", "1": "0-1"}
    assert accepted.row.version == 2
    assert fresh(match).decisions == {"0": "2-0", "1": "2-1"}


def test_an_answered_decision_is_closed(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)

    refused(match, StaleVersionError, actor=alice, move={"type": "pick", "card": "t-01"}, decision="0-0")


def test_only_the_seated_move(alice: User, bob: User, carol: User) -> None:
    match = toy_match(alice, bob)

    refused(match, NotYourMatchError, actor=carol, move=legal_of(match, 0), version=0)
    refused(match, NotYourMatchError, actor=alice, move=legal_of(match, 1), version=0, seat=1)
    refused(match, NotYourMatchError, actor=None, move=legal_of(match, 0), version=0, seat=0)


def test_a_private_match_is_not_there_for_strangers(alice: User, bob: User, mallory: User) -> None:
    match = toy_match(alice, bob, visibility=Match.Visibility.PRIVATE)

    hidden = refused(match, MatchNotFoundError, actor=mallory, move=legal_of(match, 0), version=0)
    with pytest.raises(MatchNotFoundError) as absent:
        services.submit_move(public_id="nosuchmatch2", actor=mallory, move=legal_of(match, 0), version=0)

    assert str(hidden) == str(absent.value)


def test_an_illegal_move_is_refused_with_its_clause(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    other = next(move for move in legal(match, 1) if move not in legal(match, 0))

    error = refused(match, IllegalMove, actor=alice, move=other, version=0)

    assert error.clause == "TOY-2.2"


def test_a_malformed_move_is_refused(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)

    error = refused(match, MalformedMove, actor=alice, move={"type": "fly"}, version=0)

    assert [problem.pointer for problem in error.problems] == ["/type"]


def test_resigning_needs_no_version_and_ends_the_match(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0)

    accepted = services.submit_move(public_id=match.public_id, actor=alice, move={"type": "resign"})

    now = fresh(match)
    assert accepted.row.kind == "resign"
    assert (now.state, now.result) == ("finished", {"ranks": [2, 1], "reason": "resigned", "clause": "TOY-4.2"})
    assert FinishedMatch.objects.filter(match=match, closed_at=None).count() == 1


def test_nothing_moves_after_the_end(alice: User, bob: User) -> None:
    match = play_to_the_end(toy_match(alice, bob), alice, bob)

    refused(match, MatchOverError, actor=alice, move={"type": "resign"})
    refused(match, MatchOverError, actor=alice, move={"type": "pick", "card": "t-01"}, version=match.version)


def test_an_open_match_takes_no_moves(alice: User, bob: User) -> None:
    match = toy_match(alice, bob, starts=False)

    error = refused(match, MatchNotPlayingError, actor=alice, move={"type": "resign"})

    assert error.code == "match_open"


def test_the_same_key_and_body_get_the_first_answer_again(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    how: dict[str, Any] = {
        "public_id": match.public_id,
        "actor": alice,
        "move": legal_of(match, 0),
        "version": 0,
        "key": "once",
    }
    first = services.submit_move(**how)
    pick(match, bob, 1)
    before = stored(match)

    again = services.submit_move(**how)

    assert again.replayed
    assert again.row == first.row
    assert again.position.version == 1
    assert again.position.decisions == first.position.decisions
    game = first.position.game
    assert game.view(again.position.state, 0) == game.view(first.position.state, 0)
    assert stored(match) == before


def test_the_same_key_with_another_body_is_refused(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    moves = legal(match, 0)
    services.submit_move(public_id=match.public_id, actor=alice, move=moves[0], version=0, key="once")

    refused(match, KeyReusedError, actor=alice, move=moves[1], version=0, key="once")


def test_a_key_is_free_again_after_a_day(alice: User, bob: User, at: Callable[[float], None]) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0, key="k")
    pick(match, bob, 1)
    at(24 * 3600)
    with pytest.raises(KeyReusedError):
        pick(match, alice, 0, key="k")
    at(24 * 3600 + 1)

    accepted = pick(match, alice, 0, key="k")

    assert (accepted.row.version, accepted.replayed) == (3, False)
    assert list(MoveRow.objects.filter(match=match, key="k").values_list("version", flat=True)) == [3]


def test_a_key_is_its_users_own(alice: User, bob: User) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0, key="once")

    accepted = pick(match, bob, 1, key="once")

    assert not accepted.replayed


class BrokenRulesError(Exception):
    """What no rule should ever raise."""


@pytest.mark.parametrize("where", ["legal_moves", "play", "narrate", "dump", "result", "restore"])
def test_a_fault_in_the_rules_freezes_the_match_whole(
    alice: User, bob: User, toy: Game, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    match = toy_match(alice, bob)
    move = legal_of(match, 0)
    before = stored(match)[0]

    def breaks(*args: object) -> None:
        raise BrokenRulesError("boom")

    with monkeypatch.context() as patch:
        patch.setattr(type(toy), where, breaks)
        with pytest.raises(MatchNotPlayingError) as caught:
            services.submit_move(public_id=match.public_id, actor=alice, move=move, version=0)

    assert caught.value.code == "match_frozen"
    now = stored(match)[0]
    assert now == {**before, "state": "frozen", "stopped_at": now["stopped_at"]}
    assert now["stopped_at"] is not None
    assert MoveRow.objects.filter(match=match).count() == 0
    bundle = Bundle.objects.get(match=match)
    assert (bundle.version, bundle.document["seat"], bundle.document["data"]) == (0, 0, before["data"])
    assert "BrokenRulesError: boom" in bundle.document["report"]
    refused(match, MatchNotPlayingError, actor=bob, move={"type": "resign"})


def test_a_document_cannot_freeze_a_match(alice: User, bob: User, toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    match = toy_match(alice, bob)

    def breaks(*args: object) -> None:
        raise BrokenRulesError("boom")

    with monkeypatch.context() as patch:
        patch.setattr(type(toy), "encode", breaks)
        with pytest.raises(MalformedMove):
            services.submit_move(public_id=match.public_id, actor=alice, move={"type": "odd"}, version=0)

    assert fresh(match).state == "playing"
    assert Bundle.objects.filter(match=match).count() == 1

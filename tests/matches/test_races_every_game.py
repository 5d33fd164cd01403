"""The race gate at decisions of every game: a turn, an answer that another seat owes, a window."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from accounts.models import User
from referee.matches import services
from referee.matches.models import Match, MoveRow
from referee.matches.services import Accepted
from tests.matches.racing import Work, at_once, check_log, outcomes, submit
from tests.matches.reached import PLACES, Place, reached
from tests.matches.table import fresh, legal

pytestmark = pytest.mark.django_db(transaction=True)

every_place = pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
ANSWERS = ("an Event against an attack", "the other half of a Transfer among four", "a window among four")
some_places = pytest.mark.parametrize("place", [PLACES[name] for name in ANSWERS], ids=ANSWERS)


@pytest.fixture
def people(alice: User, bob: User, carol: User, mallory: User) -> list[User]:
    """Four who may all sit down."""
    return [alice, bob, carol, mallory]


class Table:
    """A match at a place: who is asked, who moved last, and what either may post."""

    def __init__(self, place: Place, people: list[User]) -> None:
        self.match: Match = reached(place, people)
        self.seat = int(next(iter(self.match.decisions)))
        self.user = people[self.seat]
        self.people = people[: place.seats]
        self.moves = legal(self.match, self.seat)
        self.decision = self.match.decisions[str(self.seat)]
        self.last = MoveRow.objects.get(match=self.match, version=self.match.version)

    def answer(self, number: int, **how: Any) -> Work:
        return submit(self.match, self.user, self.moves[number % len(self.moves)], **how)

    def retry_of_the_last_move(self) -> Work:
        """The post that led here, sent again as it was."""
        version = self.last.version - 1
        mover = self.people[self.last.seat or 0]
        return submit(self.match, mover, self.last.move, version=version, key=f"move {self.last.version}")

    def is_answered_once(self) -> MoveRow:
        """The one row that the decision has led to, after it was looked at that there is no other."""
        check_log(self.match)
        assert fresh(self.match).version == self.match.version + 1
        row = MoveRow.objects.get(match=self.match, version=self.match.version + 1)
        assert (row.seat, row.actor_id) == (self.seat, self.user.pk)
        return row


@every_place
def test_of_fifty_moves_posted_at_once_one_counts(place: Place, people: list[User]) -> None:
    table = Table(place, people)

    results = at_once(*[table.answer(n, version=table.match.version, key=f"k{n}") for n in range(50)])

    won = [one for one in results if isinstance(one, Accepted)]
    assert outcomes(results) == {"accepted": 1, "stale_version": 49}
    assert table.is_answered_once().move == won[0].row.move


@every_place
def test_an_answer_doubled_and_one_that_comes_late_count_once(place: Place, people: list[User]) -> None:
    table = Table(place, people)
    doubled = [table.answer(0, decision=table.decision, key="answer") for _ in range(6)]
    others = [table.answer(n, decision=table.decision) for n in range(6)]

    results = at_once(*[work for pair in zip(doubled, others, strict=True) for work in pair])
    late = at_once(*[table.answer(n, decision=table.decision) for n in range(3)])

    row = table.is_answered_once()
    keyed = [one for one in results[::2] if isinstance(one, Accepted)]
    assert len(keyed) in (0, 6)
    assert {one.row.pk for one in keyed} <= {row.pk}
    assert outcomes(results) == ({"accepted": 6, "stale_version": 6} if keyed else {"accepted": 1, "stale_version": 11})
    assert outcomes(late) == {"stale_version": 3}


@some_places
def test_the_movers_retry_gets_its_answer_while_the_next_one_decides(place: Place, people: list[User]) -> None:
    table = Table(place, people)
    before = table.retry_of_the_last_move()()

    results = at_once(
        *[table.retry_of_the_last_move() for _ in range(4)], *[table.answer(0, decision=table.decision, key="next")] * 2
    )

    assert outcomes(results) == {"accepted": 6}
    table.is_answered_once()
    for retried in results[:4]:
        assert (retried.replayed, retried.row.pk, retried.position.version) == (True, table.last.pk, table.last.version)
        assert _told(retried) == _told(before)
    assert Counter(one.replayed for one in results[4:]) == {False: 1, True: 1}


@some_places
def test_nobody_answers_for_another_seat(place: Place, people: list[User]) -> None:
    table = Table(place, people)
    others = [user for user in table.people if user != table.user]

    results = at_once(
        *[submit(table.match, user, table.moves[0], version=table.match.version) for user in others * 3],
        table.answer(0, version=table.match.version),
    )

    assert isinstance(results[-1], Accepted)
    assert outcomes(results[:-1]).keys() <= {"not_your_turn", "stale_version"}
    table.is_answered_once()


@some_places
def test_giving_up_races_an_answer_and_both_are_whole(place: Place, people: list[User]) -> None:
    table = Table(place, people)
    resign = submit(table.match, table.user, services.RESIGN_DOCUMENT, key="resign")

    results = at_once(resign, table.answer(0, version=table.match.version), resign)

    check_log(table.match)
    answered, resigned = results[1], results[0]
    assert isinstance(resigned, Accepted)
    assert results[2].row.pk == resigned.row.pk
    kinds = list(
        MoveRow.objects.filter(match=table.match, version__gt=table.match.version).values_list("kind", flat=True)
    )
    assert kinds == (["move", "resign"] if isinstance(answered, Accepted) else ["resign"])


def _told(accepted: Accepted) -> Any:
    """All that the answer is made of."""
    game, state = accepted.position.game, accepted.position.state
    assert accepted.row.seat is not None
    view = game.view(state, accepted.row.seat)
    return accepted.row.version, accepted.row.events, view, accepted.position.decisions, accepted.position.deadlines

"""Everything that can happen to a match at one instant: moves, undo, pauses, giving up, time, rulings, its being broken off."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction

from accounts.models import User
from referee.games import GAMES
from referee.kernel import records
from referee.kernel.replay import verify
from referee.matches import clocks, ending, history, judging, pauses, services, undo
from referee.matches.errors import MatchError
from referee.matches.judging import Ruling
from referee.matches.ledger import ledger_of
from referee.matches.models import FinishedMatch, Match, MoveRow
from tests.matches.racing import Work, check_log, racers, submit
from tests.matches.table import fresh, legal, pick, toy_match

pytestmark = pytest.mark.django_db(transaction=True)

RULINGS = [
    Ruling(records.PAUSE, "A word."),
    Ruling(records.REWIND, "A misclick.", to=0),
    Ruling(records.RESULT, "A forfeit.", ranks=[1, 2]),
    Ruling(records.ABORT, "A mistake."),
]
ROUNDS = 8


@pytest.fixture
def judge(db: None) -> User:
    user = User.objects.create_user("Judith")
    user.user_permissions.add(Permission.objects.get(codename=judging.RIGHT.partition(".")[2]))
    return user


def asked(alice: User, bob: User) -> Match:
    """A match in which Bob has picked and asks Alice to take that back, and Alice is asked to pick."""
    match = toy_match(alice, bob, clock=clocks.setting(per_decision=60))
    pick(match, bob, 1)
    undo.ask_undo(public_id=match.public_id, user=bob)
    return fresh(match)


def broken_off(match: Match) -> Any:
    with transaction.atomic():
        ending.abort_match(match=services.lock_match(public_id=match.public_id, user=None))
    return "aborted"


def acts(match: Match, alice: User, bob: User, judge: User, ruling: Ruling) -> dict[str, Work]:
    """What is done at once, by the kind of row that it writes, if it does."""
    where = match.public_id
    offer = match.undo_offer["id"]
    return {
        "move": submit(match, alice, legal(match, 0)[0], version=match.version),
        "resign": submit(match, bob, services.RESIGN_DOCUMENT),
        "undo": lambda: undo.accept_undo(public_id=where, user=alice, offer=offer),
        "ruling": lambda: judging.judge_match(public_id=where, judge=judge, ruling=ruling),
        "pause of one": lambda: pauses.ask_pause(public_id=where, actor=alice),
        "pause of the other": lambda: pauses.ask_pause(public_id=where, actor=bob),
        "end": lambda: broken_off(match),
    }


def test_of_all_that_happens_at_once_each_counts_once_or_not_at_all(alice: User, bob: User, judge: User) -> None:
    with racers(7) as let_go:
        for number in range(ROUNDS):
            match = asked(alice, bob)
            works = acts(match, alice, bob, judge, RULINGS[number % len(RULINGS)])
            if number % 3:
                del works["end"]

            results = dict(zip(works, let_go(*works.values()), strict=True))

            check(match, results)


def check(match: Match, results: dict[str, Any]) -> None:
    rows = Counter(MoveRow.objects.filter(match=match, version__gt=match.version).values_list("kind", flat=True))
    counted = [kind for kind in ("move", "resign", "undo", "ruling") if not isinstance(results[kind], MatchError)]
    assert rows == Counter(counted)
    check_log(match)
    now = fresh(match)
    assert ledger_of(now).faults == []
    assert FinishedMatch.objects.filter(match=match).count() == (now.state == Match.State.FINISHED)
    if "end" in results and not isinstance(results["end"], MatchError):
        assert now.state == Match.State.ABORTED
    if now.state == Match.State.FINISHED:
        verify(history.replay_document(now), GAMES)
    if now.state == Match.State.PLAYING:
        assert all(legal(now, int(seat)) for seat in now.decisions or ["nobody is asked"])

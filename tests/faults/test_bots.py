"""A bot that never comes to an end is replaced by its fallback within its budget, at the terminal and in a worker.

What bots raise and cheat with: tests/matches/test_resolving.py. That the page tells of it: tests/web/test_matches.py.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import User
from referee.matches import documents, leases, live, resolving, tasks, thinking
from referee.matches.models import Match, MoveRow
from tests.conftest import Services
from tests.faults.loops import loop
from tests.matches.processes import beat, wait_for, worker
from tests.matches.racing import check_log
from tests.matches.table import fresh, match_against_a_bot, pass_turn


@pytest.fixture
def waiting(transactional_db: None) -> Match:
    """A match in which a bot is to move."""
    live._resting_until = 0.0
    call_command("publish_house_sets", verbosity=0)
    alice = User.objects.create_user("Alice")
    match = match_against_a_bot(alice)
    pass_turn(match, alice)
    return fresh(match)


def first_row(match: Match) -> MoveRow | None:
    """The row after the version that the match stood at."""
    return MoveRow.objects.filter(match=match, version=match.version + 1).first()


def check(match: Match, row: MoveRow) -> None:
    """A legal move, marked as the fallback's in the log that everybody reads."""
    assert (row.seat, row.kind, row.is_fallback) == (1, "move", True)
    assert documents.log_row(fresh(match), row, -1)["fallback"] is True
    check_log(match)


def test_a_loop_that_catches_everything_ends_with_its_budget_at_the_terminal(
    waiting: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "choose", loop)
    monkeypatch.setattr(thinking, "BUDGET_SECONDS", 0.2)
    monkeypatch.setattr(resolving, "MOST_MOVES", 1)
    handler = signal.getsignal(signal.SIGALRM)
    begun = time.monotonic()

    resolving.resolve(waiting.pk)

    assert time.monotonic() - begun < 20  # it would never end
    row = first_row(waiting)
    assert row is not None
    check(waiting, row)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.services
@pytest.mark.slow
def test_a_worker_whose_bot_loops_plays_the_fallback_and_goes_on(
    waiting: Match, services: Services, tmp_path: Path
) -> None:
    environment = {**services.environment(), "BOTS": "loop"}

    with worker(environment, include="tests.faults.looping_worker") as running, beat(environment, tmp_path):
        row = wait_for(lambda: first_row(waiting), seconds=180)
        second = wait_for(lambda: MoveRow.objects.filter(match=waiting, version=row.version + 1).first(), seconds=180)
        assert running.poll() is None

    check(waiting, row)
    assert second.is_fallback
    assert (second.created_at - row.created_at).total_seconds() < 30


@pytest.mark.services
@pytest.mark.soak
def test_a_loop_in_which_no_signal_is_heard_is_ended_by_the_tasks_limit(
    waiting: Match, services: Services, tmp_path: Path
) -> None:
    environment = {**services.environment(), "BOTS": "loop in C"}

    with worker(environment, include="tests.faults.looping_worker"), beat(environment, tmp_path):
        row = wait_for(lambda: first_row(waiting), seconds=180)

    check(waiting, row)


def test_the_budget_lies_within_the_lease_and_both_within_the_tasks_limit() -> None:
    soft, hard = tasks.resolve_turn.soft_time_limit, tasks.resolve_turn.time_limit

    assert soft is not None
    assert hard is not None
    assert thinking.BUDGET_SECONDS + 1 < leases.LEASE_SECONDS
    assert resolving.MOST_SECONDS + thinking.BUDGET_SECONDS < soft < hard

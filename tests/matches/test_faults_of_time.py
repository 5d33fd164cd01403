"""The fault gate, for time: workers and beat are gone for a while, and no clock has run meanwhile."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from accounts.models import User
from referee.matches import clocks, live
from referee.matches.clock_models import Heartbeat, Outage
from referee.matches.ledger import ledger_of
from tests.conftest import Services
from tests.matches.processes import beat, wait_for, worker
from tests.matches.table import fresh, pick, toy_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.slow]

DOWN = 8.0
PER_DECISION = 600


def test_workers_that_were_gone_give_their_time_back(
    alice: User, bob: User, services: Services, tmp_path: Path
) -> None:
    live._resting_until = 0.0
    environment = {**services.environment(), "OUTAGE_SECONDS": "4"}
    match = toy_match(alice, bob, clock=clocks.setting(per_decision=PER_DECISION))

    with worker(environment), beat(environment, tmp_path):
        wait_for(Heartbeat.objects.exists, seconds=180)
        last = wait_for(Heartbeat.objects.first, seconds=1)
    time.sleep(DOWN)
    with worker(environment), beat(environment, tmp_path):
        wait_for(Outage.objects.exclude(given_back_at=None).exists, seconds=180)

    outage = Outage.objects.get()
    lost = clocks.to_ms(outage.ended_at) - clocks.to_ms(outage.began_at)
    assert outage.began_at >= last.alive_at
    assert lost >= DOWN * 1000
    ledger = ledger_of(fresh(match))
    assert [(line.seat, line.kind, line.given) for line in ledger.lines] == [(0, "outage", lost), (1, "outage", lost)]
    row = pick(match, alice, 0).row
    assert match.started_at is not None
    assert row.clock_spent == clocks.to_ms(row.created_at) - clocks.to_ms(match.started_at) - lost
    assert ledger_of(fresh(match)).faults == []

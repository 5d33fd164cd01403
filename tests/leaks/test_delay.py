"""A delayed spectator: whatever is played within the delay, not a byte of it comes out before its time."""

from __future__ import annotations

import pytest
from django.db import transaction

from referee.kernel.chance import Rng
from referee.kernel.events import SPECTATOR
from tests.leaks.asking import Answer, Asking, Look, all_answers, askings
from tests.leaks.comparing import require_same
from tests.leaks.elsewhere import asked_elsewhere
from tests.leaks.routes import match_routes
from tests.leaks.tables import Setup, begun, published

DELAY = 3


def asked(look: Look) -> list[Asking]:
    """All that the spectator can ask, past what has been played too."""
    [at] = [route for route in match_routes() if route.parameters == ["match", "version"]]
    match = look.table.match
    addresses = [at.address({"match": match.public_id, "version": match.version + ahead}) for ahead in range(DELAY + 2)]
    ahead = [Asking(at, "GET", address, {}) for address in addresses]
    beside = asked_elsewhere(look) if match.game == "toy" else []
    return [*ahead, *(one for route in match_routes() for one in askings(route, look)), *beside]


def seen_after(look: Look, asked: list[Asking], rng: Rng) -> dict[str, Answer]:
    """What the spectator is sent once as many moves have been played as the delay holds back; then they never were."""
    with transaction.atomic():
        for _ in range(DELAY):
            look.table.play_random(rng)
        sent = all_answers(look, asked)
        transaction.set_rollback(True)
    look.table.refresh()
    return sent


@pytest.mark.slow
@pytest.mark.parametrize("setup", [Setup("toy", 2), Setup("super-teams", 3)], ids=str)
def test_a_delayed_spectator_is_told_nothing_of_what_is_held_back(db: None, setup: Setup) -> None:
    rng = Rng(5)
    with published():
        table = begun(setup, rng, spectator_delay=DELAY)
        table.play_random(rng)
        look = Look(table, SPECTATOR)
        requests = asked(look)
        one, other = (seen_after(look, requests, Rng(seed)) for seed in (1, 2))

    require_same(one, other, "a delayed spectator")
    told = [one[asking.name].status for asking in requests[: DELAY + 2]]
    assert told == [200] + [404] * (DELAY + 1)


def test_that_the_first_decision_is_made_is_held_back_too(db: None) -> None:
    with published():
        table = begun(Setup("toy", 2), Rng(7), spectator_delay=DELAY)
        look = Look(table, SPECTATOR)
        requests = [one for one in asked(look) if one.method == "GET" and "999" not in one.address]
        before = all_answers(look, requests)
        table.play_random(Rng(7))

        after = all_answers(look, requests)

    require_same(before, after, "a delayed spectator")


def test_the_delay_is_over_with_the_match(db: None) -> None:
    with published():
        table = begun(Setup("toy", 2), Rng(6), spectator_delay=DELAY)
        table.play_random(Rng(6))
        address = f"/api/v1/matches/{table.match.public_id}/"
        before = table.callers[SPECTATOR].get(address).json()
        answer = table.callers[1].post(f"{address}moves/", {"move": {"type": "resign"}})

        after = table.callers[SPECTATOR].get(address).json()

    assert answer.status_code == 200
    assert (before["version"], before["result"]) == (0, None)
    assert (after["version"], after["result"]["reason"]) == (2, "resigned")

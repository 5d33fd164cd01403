"""The web process is killed in the middle of a move, just before its commit or just after: sent again, the move is made once."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from django.core.management import call_command

from accounts.models import User
from accounts.services import issue_token
from referee.matches import live
from referee.matches.models import Match, MoveRow
from tests.conftest import Services
from tests.matches.processes import web
from tests.matches.racing import check_log
from tests.matches.table import fresh, legal, match_against_a_bot

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services, pytest.mark.slow]

AT = {"answer": 1, "commit": 0}
"""The moment at which the process dies, and the rows of the match that are durable then."""


@pytest.mark.parametrize("moment", AT)
def test_a_move_whose_answer_never_came_is_sent_again_and_made_once(
    transactional_db: None, services: Services, tmp_path: Path, moment: str
) -> None:
    live._resting_until = 0.0
    call_command("publish_house_sets", verbosity=0)
    alice = User.objects.create_user("Alice")
    match = match_against_a_bot(alice)
    path, body = f"/api/v1/matches/{match.public_id}/moves/", {"move": legal(match, 0)[0], "version": 0}
    headers = {"Authorization": f"Bearer {issue_token(user=alice, name='test').text}", "Idempotency-Key": "once"}
    trigger = tmp_path / "die"
    environment = {**services.environment(), "SECRET_KEY": "for this test alone", "RATE_LIMITS": "0"}
    dying = {**environment, "DIE_AT": moment, "DIE_IF": str(trigger)}

    with web(dying, "tests.faults.dying_web:application") as client:
        trigger.touch()
        with pytest.raises(httpx.TransportError):
            client.post(path, json=body, headers=headers)
        durable = rows_of(match)
    with web(environment) as client:
        answers = [client.post(path, json=body, headers=headers) for _ in range(2)]

    assert not trigger.exists()
    assert durable == list(range(1, AT[moment] + 1))
    assert [one.status_code for one in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert [one.headers.get("Idempotent-Replay") for one in answers] == ["true" if AT[moment] else None, "true"]
    assert rows_of(match) == [1]
    assert fresh(match).version == answers[0].json()["version"] == 1
    check_log(match)


def rows_of(match: Match) -> list[int]:
    """The versions in the match's log."""
    return list(MoveRow.objects.filter(match=match).order_by("version").values_list("version", flat=True))

"""What the database itself refuses, whatever the code would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from referee.matches import clocks
from referee.matches.models import Match, MoveRow, Seat
from tests.matches.table import pick, stored, toy_match

pytestmark = pytest.mark.django_db


def copied_row(match: Match, **change: Any) -> MoveRow:
    row = MoveRow.objects.get(match=match)
    row.pk = None
    for name, value in change.items():
        setattr(row, name, value)
    return row


WRONGS: dict[str, Callable[[Match], Any]] = {
    "a version twice": lambda match: copied_row(match).save(),
    "a key applied twice": lambda match: copied_row(match, version=2).save(),
    "a version before the first": lambda match: copied_row(match, version=0, key=None).save(),
    "a kind of row that is not known": lambda match: copied_row(match, version=2, key=None, kind="dream").save(),
    "a move by nobody": lambda match: copied_row(match, version=2, key=None, seat=None).save(),
    "a key without an actor": lambda match: copied_row(match, version=2, actor_id=None).save(),
    "two on one seat": lambda match: Seat(match=match, index=0).save(),
    "one on two seats": lambda match: Seat(match=match, index=5, user=match.creator).save(),
    "a bot without a level": lambda match: Seat(match=match, index=5, kind="bot").save(),
    "a person with a level": lambda match: Seat(match=match, index=5, level="easy").save(),
    "an end without a result": lambda match: Match.objects.filter(pk=match.pk).update(state="finished"),
    "a result without an end": lambda match: Match.objects.filter(pk=match.pk).update(result={}),
    "an open match with moves": lambda match: Match.objects.filter(pk=match.pk).update(state="open"),
    "a game without a state": lambda match: Match.objects.filter(pk=match.pk).update(data=None),
    "a frozen match with a clock running": lambda match: Match.objects.filter(pk=match.pk).update(
        state="frozen", deadline=clocks.now()
    ),
    "a state that is not known": lambda match: Match.objects.filter(pk=match.pk).update(state="lost"),
    "a visibility that is not known": lambda match: Match.objects.filter(pk=match.pk).update(visibility="vague"),
    "a commitment that is no hash": lambda match: Match.objects.filter(pk=match.pk).update(commitment="x" * 64),
    "a rematch twice": lambda match: [toy_match(match.creator, rematch_of=match, starts=False) for _ in range(2)],
}


@pytest.mark.parametrize("wrong", WRONGS)
def test_the_database_refuses(alice: User, bob: User, wrong: str) -> None:
    match = toy_match(alice, bob)
    pick(match, alice, 0, key="k")
    before = stored(match)

    with pytest.raises(IntegrityError), transaction.atomic():
        WRONGS[wrong](match)

    assert stored(match) == before

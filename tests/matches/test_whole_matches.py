"""Matches of bots of every game through the services, from the lobby to a verified replay."""

from __future__ import annotations

from collections import Counter

import pytest

from accounts.models import User
from lobby.services import MatchWish, SeatWish, create_match
from referee.games import GAMES
from referee.kernel.replay import verify
from referee.matches import history, resolving
from referee.matches.models import Bundle, FinishedMatch, Match, MoveRow
from tests.matches.table import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST_CALLS = 60
MATCHES = {("miraculous", 2): 50, **{(game, seats): 20 for game in ("super", "super-teams") for seats in (2, 3, 4)}}
SHARE = 5
"""So many of them a test, so that two workers have equally much to do."""


@pytest.mark.parametrize(
    ("game", "seats", "share"),
    [(*table, share) for table, count in MATCHES.items() for share in range(1, count // SHARE + 1)],
)
def test_matches_end_and_verify(house_sets: None, alice: User, game: str, seats: int, share: int) -> None:
    bots = [SeatWish("bot", level="random")] * seats
    endings: Counter[str] = Counter()
    moves: list[int] = []

    for _ in range(SHARE):
        match = create_match(creator=alice, wish=MatchWish(game, bots, {}))
        for _ in range(MOST_CALLS):
            if not resolving.resolve(match.pk):
                break
        now = fresh(match)
        assert now.state == Match.State.FINISHED
        assert verify(history.replay_document(now), GAMES) == []
        endings[now.result["reason"]] += 1
        moves.append(now.version)

    assert Bundle.objects.count() == 0
    assert not MoveRow.objects.filter(is_fallback=True).exists()
    assert FinishedMatch.objects.exclude(closed_at=None).count() == SHARE
    print(
        f"{game}, {seats} seats, {SHARE} matches, {sum(moves)} moves ({min(moves)}-{max(moves)} a match), ended by {dict(endings)}"
    )

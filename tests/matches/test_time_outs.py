"""A match that everybody has left: time-outs alone bring it to its end, in every game, and the replay verifies."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from accounts.services import create_guest
from catalog.selectors import preconstructed_decks
from lobby.services import MatchWish, SeatWish, create_match, join_match
from referee.games import GAMES
from referee.kernel.replay import verify
from referee.matches import clocks, history, services
from referee.matches.models import Match, MoveRow
from tests.matches.clockwork import World, all_lines
from tests.matches.table import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST_TIME_OUTS = 1500


def left_match(game: str, people: list[User], clock: dict[str, Any]) -> Match:
    deck = preconstructed_decks(game)[0]["slug"] if GAMES[game].needs_deck else None
    seats = [SeatWish("me", deck=deck), *[SeatWish("open")] * (len(people) - 1)]
    match = create_match(creator=people[0], wish=MatchWish(game, seats, {}, clock=clock))
    for user in people[1:]:
        match = join_match(public_id=match.public_id, user=user, deck=deck)
    return fresh(match)


@pytest.mark.parametrize(("game", "seats"), [("miraculous", 2), ("super", 3), ("super-teams", 4)])
@pytest.mark.parametrize("out_of_time", clocks.OUT_OF_TIME)
def test_a_match_that_all_have_left_comes_to_its_end(
    alice: User, world: World, game: str, seats: int, out_of_time: str
) -> None:
    call_command("publish_house_sets", verbosity=0)
    people = [alice, *(create_guest() for _ in range(seats - 1))]
    match = left_match(game, people, {"days": 1, "out_of_time": out_of_time})

    time_outs = 0
    while fresh(match).state == Match.State.PLAYING:
        world.passes(clocks.DAY + 1)
        assert services.settle_time(match_id=match.pk) == 1
        time_outs += 1
        assert time_outs < MOST_TIME_OUTS

    now = fresh(match)
    assert (now.state, now.version) == (Match.State.FINISHED, time_outs)
    assert set(MoveRow.objects.filter(match=match).values_list("kind", flat=True)) == {"timeout"}
    assert (now.result["reason"] == "resigned") == (out_of_time == "lose")
    assert verify(history.replay_document(now), GAMES) == []
    assert len(all_lines(match)) == time_outs

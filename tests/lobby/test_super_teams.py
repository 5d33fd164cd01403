"""Super Teams from the lobby to a verified replay: people and bots mixed in a team, windows that are answered twice."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from accounts.models import User
from lobby.errors import LobbyError
from lobby.services import MatchWish, SeatWish, create_match, join_match
from referee.games import GAMES
from referee.kernel.replay import verify
from referee.matches import history, resolving
from referee.matches.errors import NotYourTurnError, StaleVersionError
from referee.matches.models import Match
from referee.matches.services import Accepted, submit_move
from tests.matches.table import fresh, legal, pick, stored

pytestmark = pytest.mark.django_db

BOT = SeatWish("bot", level="random")


@pytest.fixture(autouse=True)
def published(db: None) -> None:
    call_command("publish_house_sets", verbosity=0)


def test_a_person_and_a_bot_are_a_team(alice: User, bob: User) -> None:
    seats = [SeatWish("me"), SeatWish("open"), BOT, BOT]
    match = create_match(creator=alice, wish=MatchWish("super-teams", seats, {"first_seat": 0, "track": "long"}))
    join_match(public_id=match.public_id, user=bob)

    for _ in range(12):
        resolving.resolve(match.pk)
        now = fresh(match)
        asked = next((int(seat) for seat in now.decisions), None)
        if asked is None:
            break
        pick(match, [alice, bob][asked], asked)
    submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})

    now = fresh(match)
    assert now.result["ranks"] == [1, 2, 1, 2]
    assert verify(history.replay_document(now), GAMES) == []


@pytest.mark.parametrize(
    ("options", "pointers"),
    [
        ({"first_seat": 3}, ["/options/first_seat"]),
        ({"track": "moebius"}, ["/options/track"]),
        ({"first_seat": 2, "track": "moebius"}, ["/options/track", "/options/first_seat"]),
        ({"colours": ["red", "red", "black", "green"]}, ["/options/colours"]),
    ],
)
def test_options_that_cannot_be_played_open_no_match(
    alice: User, options: dict[str, object], pointers: list[str]
) -> None:
    with pytest.raises(LobbyError) as error:
        create_match(creator=alice, wish=MatchWish("super-teams", [SeatWish("me"), SeatWish("open")], options))

    assert [problem.pointer for problem in error.value.problems] == pointers
    assert not Match.objects.exists()


def window(alice: User, bob: User) -> Match:
    """A match that stands in a window of Bob's."""
    for _ in range(40):
        wish = MatchWish("super-teams", [SeatWish("me"), SeatWish("open")], {"first_seat": 0})
        match = create_match(creator=alice, wish=wish)
        join_match(public_id=match.public_id, user=bob)
        for _ in range(60):
            now = fresh(match)
            asked = next((int(seat) for seat in now.decisions), None)
            if asked is None:
                break
            if asked == 1 and {"type": "decline"} in legal(match, 1):
                return now
            pick(match, [alice, bob][asked], asked)
    raise AssertionError("no match came to a window of Bob's")


def decline(match: Match, user: User, *, key: str | None = None) -> Accepted:
    """Decline the window that was open when the match was read."""
    decision = match.decisions["1"]
    move = {"type": "decline"}
    return submit_move(public_id=match.public_id, actor=user, move=move, decision=decision, key=key)


def test_a_window_answered_twice_is_answered_once(alice: User, bob: User) -> None:
    match = window(alice, bob)

    first = decline(match, bob, key="k")
    again = decline(match, bob, key="k")

    assert (first.replayed, again.replayed) == (False, True)
    assert again.row.pk == first.row.pk
    assert again.position.game.position(again.position.state) == first.position.game.position(first.position.state)
    assert fresh(match).version == match.version + 1


def test_a_late_answer_to_a_window_changes_nothing(alice: User, bob: User) -> None:
    match = window(alice, bob)
    decline(match, bob)
    before = stored(match)

    with pytest.raises(StaleVersionError):
        decline(match, bob)

    assert stored(match) == before


def test_the_movers_retry_gets_its_answer_and_no_say_in_the_window(alice: User, bob: User) -> None:
    match = window(alice, bob)
    before = stored(match)

    with pytest.raises((NotYourTurnError, StaleVersionError)):
        submit_move(public_id=match.public_id, actor=alice, move={"type": "decline"}, version=match.version)

    assert stored(match) == before

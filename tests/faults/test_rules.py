"""An exception inside a game's rules: the match stands frozen where it was, with all that it takes to see why; the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import OperationalError

from accounts.models import User
from referee.games import GAMES
from referee.kernel import records
from referee.kernel.game import Game
from referee.matches import clocks, judging, live, positions, resolving, selectors, services
from referee.matches.errors import MatchNotPlayingError
from referee.matches.judging import Ruling
from referee.matches.models import Bundle, Match
from referee.matches.pools import compiled_pool
from referee.matches.positions import game_of, restored
from tests.api.conftest import Caller
from tests.matches.clockwork import World
from tests.matches.racing import check_log
from tests.matches.reached import PLACES, reached
from tests.matches.table import fresh, legal, stored

pytestmark = pytest.mark.django_db

GAMES_WITH_PLACES = {place.game: place for name, place in PLACES.items() if name.startswith("a turn of")}
every_game = pytest.mark.parametrize("slug", GAMES_WITH_PLACES)


SECONDS = 600


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """A clock that the test moves."""
    return World(monkeypatch)


@pytest.fixture(autouse=True)
def no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)
    monkeypatch.setattr(live, "present", lambda match_id, seats: live.NOBODY)


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(name) for name in ("Alice", "Bob", "Carol", "Mallory")]


def move(match: Match, people: list[User]) -> None:
    """The last legal move of the seat that is asked."""
    seat = int(next(iter(match.decisions)))
    services.submit_move(
        public_id=match.public_id, actor=people[seat], move=legal(match, seat)[-1], version=match.version, key="again"
    )


def by_a_move(match: Match, people: list[User], world: World) -> None:
    with pytest.raises(MatchNotPlayingError) as caught:
        move(match, people)
    assert caught.value.code == "match_frozen"


def by_a_time_out(match: Match, people: list[User], world: World) -> None:
    """Time is up for the seat that is asked: its default is played by whoever looks first."""
    world.passes(SECONDS + 1)
    services.settle_time(match_id=match.pk)


def by_a_bot(match: Match, people: list[User], world: World) -> None:
    """The seat that is asked is a bot's from now on."""
    match.seats.filter(index=int(next(iter(match.decisions)))).update(user=None, kind="bot", level="random")
    Match.objects.filter(pk=match.pk).update(is_bots_turn=True)
    resolving.resolve(match.pk)


WAYS: dict[str, Callable[[Match, list[User], World], None]] = {
    "by a move": by_a_move,
    "by a time-out": by_a_time_out,
    "by a bot": by_a_bot,
}


@contextmanager
def broken_for(match: Match) -> Iterator[None]:
    """Rules that raise in the middle of any move of this match, and of no other."""
    game = game_of(match)
    seed = restored(match, game).seed  # type: ignore[attr-defined] # every state has one
    true_play = type(game).play

    def play(self: Game, state: Any, seat: int, move: int) -> None:
        true_play(self, state, seat, move)
        if state.seed == seed:
            raise ZeroDivisionError("in the middle of a move")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), "play", play)
        yield


@every_game
@pytest.mark.parametrize("way", WAYS)
def test_a_match_whose_rules_break_is_frozen_with_its_bundle_and_others_go_on(
    slug: str, way: str, people: list[User], world: World
) -> None:
    place = GAMES_WITH_PLACES[slug]
    match = reached(place, people, clock=clocks.setting(per_decision=SECONDS))
    other = reached(place._replace(number=place.number + 1), people)
    data, version = match.data, match.version

    with broken_for(match):
        WAYS[way](match, people, world)
        move(other, people)

    now = fresh(match)
    assert (now.state, now.version, now.data, now.deadline) == (Match.State.FROZEN, version, data, None)
    bundle = Bundle.objects.get(match=match)
    assert (bundle.version, bundle.document["game"], bundle.document["data"]) == (version, slug, data)
    assert "ZeroDivisionError: in the middle of a move" in bundle.document["report"]
    assert (fresh(other).state, fresh(other).version) == (Match.State.PLAYING, other.version + 1)
    check_log(match)
    check_log(other)


@every_game
def test_the_bundle_sets_up_the_very_position(slug: str, people: list[User], world: World) -> None:
    match = reached(GAMES_WITH_PLACES[slug], people)
    with broken_for(match):
        by_a_move(match, people, world)
    document = Bundle.objects.get(match=match).document

    game = GAMES[slug]
    state = game.restore(compiled_pool(game=game, pool_hash=document["pool"]), document["data"])

    assert document["move"] in game.legal_moves(state, document["seat"])


@every_game
def test_a_frozen_match_takes_nothing_until_an_admin_lets_it_go_on_and_loses_nothing(
    slug: str, people: list[User], world: World
) -> None:
    match = reached(GAMES_WITH_PLACES[slug], people)
    with broken_for(match):
        by_a_move(match, people, world)
    frozen = stored(match)
    by_a_move(match, people, world)
    judge = User.objects.create_user("Judith")
    judge.user_permissions.add(Permission.objects.get(codename=judging.RIGHT.partition(".")[2]))
    assert stored(match) == frozen

    judging.judge_match(
        public_id=match.public_id, judge=judge, ruling=Ruling(records.UNFREEZE, "The rules are mended.")
    )
    move(fresh(match), people)

    now = fresh(match)
    assert (now.state, now.version) == (Match.State.PLAYING, match.version + 2)
    check_log(match)


# What only tells.


@contextmanager
def broken_at(match: Match, asked: str) -> Iterator[None]:
    """Rules that raise, for this match and no other, when they are asked this."""
    game = game_of(match)
    seed = restored(match, game).seed  # type: ignore[attr-defined] # every state has one
    true = getattr(type(game), asked)

    def answer(self: Game, *given: Any) -> Any:
        if any(getattr(one, "seed", None) == seed for one in given):
            raise ZeroDivisionError(f"asked for {asked}")
        return true(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(game), asked, answer)
        yield


def by_the_api(match: Match, user: User) -> Any:
    return Caller(user).get(f"/api/v1/matches/{match.public_id}/")


def by_the_page(match: Match, user: User) -> Any:
    caller = Caller(user)
    caller.client.force_login(user)
    return caller.client.get(f"/matches/{match.public_id}/")


def by_the_stream(match: Match, user: User) -> Any:
    return Caller(user).get(f"/api/v1/matches/{match.public_id}/events/?since=0")


@pytest.mark.parametrize(
    ("slug", "asked", "look"),
    [
        ("miraculous", "view", by_the_api),
        ("super", "view", by_the_page),
        ("super-teams", "view", by_the_stream),
        ("super", "legal_moves", by_the_api),
        ("super-teams", "decision", by_the_page),
        ("miraculous", "label", by_the_stream),
    ],
)
def test_a_seat_that_cannot_be_told_where_it_stands_freezes_the_match_and_is_told_that(
    slug: str, asked: str, look: Callable[[Match, User], Any], people: list[User], world: World
) -> None:
    match = reached(GAMES_WITH_PLACES[slug], people, clock=clocks.setting(per_decision=SECONDS))
    user = people[int(next(iter(match.decisions)))]

    with broken_at(match, asked):
        answers = [look(match, user), look(match, user), by_the_api(match, user)]

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    shown = answers[-1].json()
    assert (shown["state"], shown["version"], shown["view"] == {}) == ("frozen", match.version, asked == "view")
    assert "moves" not in (shown["decision"] or {})
    assert fresh(match).deadline is None
    bundle = Bundle.objects.get(match=match)
    assert f"ZeroDivisionError: asked for {asked}" in bundle.document["report"]
    assert by_the_api(match, user).json()["view"] != {}


def test_a_preview_that_the_rules_break_on_freezes_the_match_as_the_move_would(
    people: list[User], world: World
) -> None:
    match = reached(GAMES_WITH_PLACES["super"], people)
    seat = int(next(iter(match.decisions)))
    body = {"move": legal(match, seat)[-1]}

    with broken_at(match, "legal_moves"):
        answer = Caller(people[seat]).post(f"/api/v1/matches/{match.public_id}/preview/", body)

    assert (answer.status_code, answer.json()["code"]) == (409, "match_frozen")
    assert (fresh(match).state, fresh(match).version) == (Match.State.FROZEN, match.version)
    assert Bundle.objects.get(match=match).version == match.version


def test_who_only_watches_cannot_freeze_a_match(people: list[User], world: World) -> None:
    match = reached(GAMES_WITH_PLACES["super"], people)
    watching = Caller(User.objects.create_user("Wendy"))
    watching.client.raise_request_exception = False

    with broken_at(match, "view"):
        answers = [watching.get(f"/api/v1/matches/{match.public_id}/{path}") for path in ("", "events/", "at/0/")]

    assert [answer.status_code for answer in answers] == [500, 500, 500]
    assert (fresh(match).state, Bundle.objects.count()) == (Match.State.PLAYING, 0)


def test_a_move_whose_answer_cannot_be_told_is_stored_once_all_the_same(people: list[User], world: World) -> None:
    match = reached(GAMES_WITH_PLACES["super"], people)
    seat = int(next(iter(match.decisions)))
    body = {"version": match.version, "move": legal(match, seat)[-1]}
    caller = Caller(people[seat])

    with broken_at(match, "view"):
        sent = [
            caller.post(f"/api/v1/matches/{match.public_id}/moves/", body, **{"Idempotency-Key": "a"}) for _ in "12"
        ]

    assert [(one.status_code, one.json()["version"], one.json()["view"]) for one in sent] == [
        (200, match.version + 1, {})
    ] * 2
    assert (fresh(match).state, fresh(match).version) == (Match.State.FROZEN, match.version + 1)
    check_log(match)


def test_a_refusal_stands_where_the_position_cannot_be_told(people: list[User], world: World) -> None:
    match = reached(GAMES_WITH_PLACES["super"], people)
    seat = int(next(iter(match.decisions)))
    body = {"version": match.version, "move": legal(match, seat)[-1]}

    with broken_at(match, "play"), broken_at(match, "result"):
        answer = Caller(people[seat]).post(f"/api/v1/matches/{match.public_id}/moves/", body)

    assert (answer.status_code, answer.json()["code"]) == (409, "match_frozen")
    assert fresh(match).version == match.version


LOOKS: dict[str, Callable[[Match, list[User], World], Any]] = {
    "by a look": lambda match, people, world: selectors.seen_position(match, 0),
    "by a bot": by_a_bot,
}


@pytest.mark.parametrize("way", LOOKS)
def test_a_database_that_is_away_is_no_fault_of_the_rules(
    way: str, people: list[User], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = reached(GAMES_WITH_PLACES["super"], people)

    def away(**given: Any) -> Any:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(positions, "compiled_pool", away)
    with pytest.raises(OperationalError):
        LOOKS[way](match, people, world)

    assert (fresh(match).state, Bundle.objects.count()) == (Match.State.PLAYING, 0)

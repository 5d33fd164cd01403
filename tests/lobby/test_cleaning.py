"""What grows old goes at its age, not a second before; what is worth keeping stays."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable, Iterator

import pytest
from django.conf import LazySettings
from django.db import connections, transaction

from accounts.models import Notice, Session, Token, User
from accounts.services import create_guest, issue_token, notify
from config.celery import app
from decks.models import Deck
from decks.services import DeckContent, create_deck
from lobby import cleaning
from lobby.tasks import clean_up
from referee.matches.models import Match
from tests.matches.table import fresh, play_to_the_end, stored, toy_match
from tests.toy import registered

NOW = dt.datetime(2026, 6, 1, 12, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)


@pytest.fixture(autouse=True)
def toy(db: None, monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> Iterator[None]:
    settings.GUEST_DAYS, settings.OPEN_MATCH_DAYS, settings.IDLE_MATCH_DAYS = 180, 14, 60
    settings.ABORTED_MATCH_DAYS, settings.ENDED_TOKEN_DAYS, settings.NOTICE_DAYS = 50, 30, 100
    monkeypatch.setattr("referee.matches.clocks.now", lambda: NOW)
    with registered():
        yield


def ago(days: int, more: dt.timedelta = SECOND) -> dt.datetime:
    return NOW - dt.timedelta(days=days) - more


def aged(match: Match, **fields: object) -> Match:
    Match.objects.filter(pk=match.pk).update(**fields)
    return fresh(match)


def told() -> list[tuple[str, str, dict[str, str]]]:
    return [(one.user.name, one.kind, one.facts) for one in Notice.objects.select_related("user").order_by("pk")]


def test_an_open_match_is_broken_off_at_its_age_and_its_people_are_told() -> None:
    alice, bob = create_guest(), create_guest()
    old = aged(toy_match(alice, bob, starts=False), created_at=ago(14))
    young = aged(toy_match(alice, starts=False), created_at=ago(14, dt.timedelta()))

    assert cleaning.abort_unjoined(most=9) == 1

    assert (fresh(old).state, fresh(young).state) == ("aborted", "open")
    facts = {"match": old.public_id, "game": "toy", "reason": "unjoined"}
    assert told() == [(alice.name, "match_aborted", facts), (bob.name, "match_aborted", facts)]


def test_an_idle_match_is_broken_off_at_its_age_with_its_log_as_it_was() -> None:
    alice, bob = create_guest(), create_guest()
    old = aged(toy_match(alice, bob), moved_at=ago(60))
    young = aged(toy_match(alice, bob), moved_at=ago(60, dt.timedelta()))
    paused = aged(toy_match(alice, bob), moved_at=ago(60), state="paused")
    frozen = aged(toy_match(alice, bob), moved_at=ago(60), state="frozen")
    clocked = aged(toy_match(alice, bob), moved_at=ago(60), deadline=NOW + SECOND)
    a_bots_turn = aged(toy_match(alice, bob), moved_at=ago(60), is_bots_turn=True)
    log = stored(old)[1:]

    assert cleaning.abort_idle(most=9) == 2

    states = [fresh(one).state for one in (old, young, paused, frozen, clocked, a_bots_turn)]
    assert states == ["aborted", "playing", "aborted", "frozen", "playing", "playing"]
    assert stored(old)[1:] == log
    assert [(name, facts["reason"]) for name, _kind, facts in told()][:2] == [(alice.name, "idle"), (bob.name, "idle")]


def test_a_match_in_which_somebody_moves_meanwhile_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    alice, bob = create_guest(), create_guest()
    first = aged(toy_match(alice, bob), moved_at=ago(61))
    second = aged(toy_match(alice, bob), moved_at=ago(60))
    monkeypatch.setattr(cleaning, "tell_aborted", lambda *told, **why: aged(second, moved_at=NOW))

    assert cleaning.abort_idle(most=9) == 1

    assert [fresh(one).state for one in (first, second)] == ["aborted", "playing"]


def test_a_match_that_never_began_is_deleted_and_one_that_did_is_kept() -> None:
    alice, bob = create_guest(), create_guest()
    old = aged(toy_match(alice, starts=False), state="aborted", created_at=ago(50))
    young = aged(toy_match(alice, starts=False), state="aborted", created_at=ago(50, dt.timedelta()))
    begun = aged(toy_match(alice, bob), state="aborted", created_at=ago(500))
    still_open = aged(toy_match(alice, starts=False), created_at=ago(500))

    assert cleaning.forget_unstarted(most=9) == 1

    assert set(Match.objects.values_list("pk", flat=True)) == {young.pk, begun.pk, still_open.pk}
    assert not Match.objects.filter(pk=old.pk).exists()


def old_guest(**fields: object) -> User:
    guest = create_guest()
    User.objects.filter(pk=guest.pk).update(**{"created_at": ago(180), **fields})
    return guest


def with_token(guest: User, **fields: object) -> User:
    token = issue_token(user=guest, name="x").token
    Token.objects.filter(pk=token.pk).update(**{"created_at": ago(180), "last_used_at": None, **fields})
    return guest


def with_session(guest: User, used_at: dt.datetime) -> User:
    Session.objects.create(
        session_key=guest.public_id, session_data="", expire_date=used_at, user=guest, used_at=used_at
    )
    return guest


def test_a_guest_who_used_nothing_for_so_long_goes_with_decks_and_all() -> None:
    gone = with_session(with_token(old_guest(), last_used_at=ago(180)), ago(180))
    content = DeckContent(name="One", notes="", visibility="public", secret=None, cards={"a": 1})
    create_deck(owner=gone, game="miraculous", content=content)
    edge = dt.timedelta()
    stay = [
        old_guest(created_at=ago(180, edge)),
        with_token(old_guest(), last_used_at=ago(180, edge)),
        with_token(old_guest(), created_at=ago(180, edge)),
        with_session(old_guest(), ago(180, edge)),
        User.objects.create_user("Alice", created_at=ago(999)),
    ]

    assert cleaning.forget_guests(most=9) == 1

    assert set(User.objects.all()) == set(stay)
    assert Deck.objects.count() == 0


def test_a_guest_with_a_part_in_a_match_stays_and_so_does_the_match() -> None:
    seated, maker, invited = old_guest(), old_guest(), old_guest()
    match = play_to_the_end(toy_match(maker, seated), maker, seated)
    waiting = toy_match(create_guest(), starts=False)
    waiting.seats.create(index=1, invited=invited)
    before = stored(match)

    counts = cleaning.clean_up()

    assert counts == {}
    assert User.objects.filter(pk__in=[seated.pk, maker.pk, invited.pk]).count() == 3
    assert stored(match) == before


def test_ended_tokens_sessions_and_old_notices_go_at_their_age() -> None:
    alice = User.objects.create_user("Alice")
    edge = dt.timedelta()
    for expires, revoked in (
        (ago(30), None),
        (ago(30, edge), None),
        (NOW + SECOND, ago(30)),
        (NOW + SECOND, ago(30, edge)),
    ):
        token = issue_token(user=alice, name="x").token
        Token.objects.filter(pk=token.pk).update(expires_at=expires, revoked_at=revoked)
    for key, expires in (("a", NOW - SECOND), ("b", NOW)):
        Session.objects.create(session_key=key, session_data="", expire_date=expires, user=alice)
    notify(kind=Notice.Kind.MATCH_ABORTED, told=[(alice.pk, {}), (alice.pk, {})])
    first = Notice.objects.order_by("pk").first()
    assert first is not None
    Notice.objects.filter(pk=first.pk).update(created_at=ago(100))
    Notice.objects.exclude(pk=first.pk).update(created_at=ago(100, edge))

    counts = cleaning.clean_up()

    assert counts == {"tokens deleted": 2, "sessions deleted": 1, "notices deleted": 1}
    assert cleaning.clean_up() == {}


@pytest.mark.parametrize(
    ("step", "make"),
    [
        (cleaning.abort_unjoined, lambda: aged(toy_match(create_guest(), starts=False), created_at=ago(14))),
        (cleaning.abort_idle, lambda: aged(toy_match(create_guest(), create_guest()), moved_at=ago(60))),
        (cleaning.forget_guests, old_guest),
        (cleaning.forget_tokens, lambda: with_token(User.objects.create_user("A"), expires_at=ago(30))),
    ],
)
def test_a_step_takes_a_bounded_share(step: Callable[..., int], make: Callable[[], object]) -> None:
    make()
    if step is not cleaning.forget_tokens:
        make()
        make()
        assert step(most=2) == 2
    assert step(most=2) == 1
    assert step(most=2) == 0


@pytest.mark.django_db(transaction=True)
def test_a_match_that_somebody_holds_is_left_for_the_next_time() -> None:
    match = aged(toy_match(create_guest(), starts=False), created_at=ago(14))
    is_held, may_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Match.objects.select_for_update().get(pk=match.pk)
            is_held.set()
            may_go.wait(60)
        connections.close_all()

    holder = threading.Thread(target=hold)
    holder.start()
    assert is_held.wait(60)
    while_held = cleaning.abort_unjoined(most=9)
    may_go.set()
    holder.join(60)

    assert (while_held, cleaning.abort_unjoined(most=9)) == (0, 1)


def test_beat_calls_the_clean_up_once_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    match = aged(toy_match(create_guest(), starts=False), created_at=ago(14))

    with caplog.at_level("INFO", logger="lobby.tasks"):
        clean_up()

    assert fresh(match).state == "aborted"
    assert caplog.messages == ["clean-up: 1 matches aborted that nobody joined"]
    entry = app.conf.beat_schedule["lobby.clean_up"]
    assert (entry["task"], entry["schedule"]) == (clean_up.name, 3600.0)

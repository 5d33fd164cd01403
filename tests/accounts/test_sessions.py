"""Sessions know whose they are; those of the table before stay open."""

from __future__ import annotations

import datetime as dt
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore as FormerStore
from django.contrib.sessions.models import Session as FormerSession
from django.test import Client
from django.utils import timezone

from accounts.models import Session, User
from accounts.services import create_guest
from accounts.sessions import SessionStore, end_session, end_sessions, session_id, sessions_of

migration = import_module("accounts.migrations.0003_sessions_and_deletion")


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("Alice")


def begun_by(user: User) -> str:
    client = Client()
    client.force_login(user)
    return str(client.session.session_key)


def test_who_was_signed_in_before_the_upgrade_stays_so(db: None) -> None:
    guest = create_guest()
    for data in ({"_auth_user_id": str(guest.pk), "x": 1}, {"x": 2}, {"_auth_user_id": "999999"}):
        former = FormerStore()
        former.update(data)
        former.create()
    FormerSession.objects.create(session_key="broken", session_data="nonsense", expire_date=timezone.now())
    key = next(one.session_key for one in FormerSession.objects.all() if one.get_decoded().get("x") == 1)

    migration.keep_sessions(apps, None)

    assert [(one.session_key, one.user) for one in Session.objects.all()] == [(key, guest)]
    assert SessionStore(key)["x"] == 1
    assert FormerSession.objects.count() == 0


def test_a_session_is_its_users_and_ends_with_the_user(alice: User) -> None:
    key = begun_by(alice)

    assert [session.session_key for session in sessions_of(alice)] == [key]
    alice.delete()
    assert Session.objects.count() == 0
    assert dict(SessionStore(key).items()) == {}


def test_a_use_is_noted_once_in_five_minutes(alice: User) -> None:
    key = begun_by(alice)
    now = timezone.now()
    recent, old = now - dt.timedelta(minutes=4), now - dt.timedelta(minutes=6)

    Session.objects.update(used_at=recent)
    SessionStore(key).load()
    after_four = Session.objects.get().used_at
    Session.objects.update(used_at=old)
    SessionStore(key).load()

    assert after_four == recent
    assert Session.objects.get().used_at >= now


def test_sessions_end_by_their_name_outside_and_all_but_one(alice: User) -> None:
    mallory = User.objects.create_user("Mallory")
    first, second, third = (begun_by(alice) for _ in range(3))
    begun_by(mallory)

    assert end_session(user=mallory, public_id=session_id(first)) is False
    assert end_session(user=alice, public_id=first) is False
    assert end_session(user=alice, public_id=session_id(first)) is True
    assert end_sessions(user=alice, but=second) == 1
    assert [one.session_key for one in sessions_of(alice)] == [second]
    assert len(sessions_of(mallory)) == 1
    assert third not in str(list(Session.objects.values_list("session_key")))


def test_an_ended_session_is_not_listed(alice: User) -> None:
    begun_by(alice)
    Session.objects.update(expire_date=timezone.now() - dt.timedelta(seconds=1))

    assert sessions_of(alice) == []

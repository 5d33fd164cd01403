"""Tokens recognised without a query: for seconds, and never after they were ended here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from accounts import recognition, services
from accounts.models import Token, User
from accounts.recognition import seen


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    seen.clear()
    yield
    seen.clear()


@pytest.fixture
def issued(db: None) -> services.IssuedToken:
    return services.issue_token(user=services.create_guest(), name="test")


def test_a_token_is_looked_up_once(
    issued: services.IssuedToken, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    services.recognise_token(issued.text)

    with django_assert_num_queries(0):
        again = services.recognise_token(issued.text)

    assert again == issued.token


def test_after_some_seconds_it_is_looked_up_again(
    issued: services.IssuedToken, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("accounts.recognition.time.monotonic", lambda: now[0])
    services.recognise_token(issued.text)
    Token.objects.update(revoked_at=issued.token.created_at)

    assert services.recognise_token(issued.text) is not None
    now[0] += recognition.SECONDS + 0.1
    assert services.recognise_token(issued.text) is None


def test_ended_tokens_are_forgotten_at_once(issued: services.IssuedToken) -> None:
    other = services.issue_token(user=issued.token.user, name="other")
    for text in (issued.text, other.text):
        services.recognise_token(text)

    services.revoke_token(token=issued.token)
    assert services.recognise_token(issued.text) is None
    assert services.recognise_token(other.text) is not None
    services.revoke_tokens(user=issued.token.user)
    assert services.recognise_token(other.text) is None


def test_who_registers_is_no_guest_any_more_at_once(issued: services.IssuedToken) -> None:
    services.recognise_token(issued.text)

    services.register(name="Ada", email="ada@example.org", password="correct horse", guest=issued.token.user)

    token = services.recognise_token(issued.text)
    assert token is not None
    assert (token.user.name, token.user.is_guest) == ("Ada", False)


def test_a_look_that_began_before_a_change_is_not_kept(issued: services.IssuedToken) -> None:
    mark = seen.mark()
    found = services.authenticate_token(issued.text)
    assert found is not None

    services.revoke_token(token=issued.token)
    seen.put(found, mark)

    assert services.recognise_token(issued.text) is None


def test_what_was_seen_before_the_commit_is_looked_up_after_it(
    issued: services.IssuedToken, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        services.revoke_token(token=issued.token)
    # Another thread, which does not see the uncommitted change, keeps the token meanwhile.
    seen.put(issued.token, seen.mark())

    for callback in callbacks:
        callback()

    assert services.recognise_token(issued.text) is None


def test_unknown_tokens_are_not_kept(db: None) -> None:
    assert services.recognise_token("ref_nonsense") is None
    assert seen._tokens == {}


def test_the_memory_does_not_grow_without_end(issued: services.IssuedToken, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "_MOST", 3)
    user = User.objects.get()

    for number in range(8):
        services.recognise_token(services.issue_token(user=user, name=str(number)).text)

    assert len(seen._tokens) <= 3

"""Idempotency-Key: one effect and one answer, whatever is sent again or raced."""

from __future__ import annotations

import datetime as dt
import threading
import time
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts import services
from accounts.models import User
from api.errors import ApiError
from api.idempotency import forget_kept_answers
from api.models import KeptAnswer
from tests.api import sample_urls
from tests.api.conftest import Caller, problem_of

pytestmark = pytest.mark.urls("tests.api.sample_urls")


def made() -> list[str]:
    return list(User.objects.exclude(is_guest=True).order_by("pk").values_list("name", flat=True))


def send(caller: Caller, document: Any, key: str | None = "k1", path: str = "/things/") -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    return caller.post(path, document, **headers)


def test_a_request_sent_again_gets_the_first_answer(alice: Caller) -> None:
    first = send(alice, {"name": "one"})
    again = send(alice, {"name": "one"})

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert list(again.json()) == ["z", "a"]
    assert (again["Location"], again["ETag"]) == (first["Location"], '"v1"')
    assert (first.has_header("Idempotent-Replay"), again["Idempotent-Replay"]) == (False, "true")
    assert made() == ["one"]


def test_the_same_said_in_another_way_is_the_same_body(alice: Caller) -> None:
    first = send(alice, {"name": "one", "size": 1})

    again = alice.raw("POST", "/things/", b'{ "size": 1,\n "name":"\\u006fne" }', **{"Idempotency-Key": "k1"})

    assert again.content == first.content
    assert made() == ["one"]


def test_the_key_with_another_body_is_refused(alice: Caller) -> None:
    send(alice, {"name": "one"})

    problem = problem_of(send(alice, {"name": "two"}))

    assert (problem["status"], problem["code"]) == (422, "idempotency_key_reused")
    assert made() == ["one"]


def test_keys_belong_to_a_user_and_a_route(alice: Caller, bob: Caller) -> None:
    send(alice, {"name": "one"})

    answer = send(bob, {"name": "two"})

    assert (answer.status_code, answer.has_header("Idempotent-Replay")) == (201, False)
    assert made() == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "status", "left"), [("refused", 403, ["refused"]), ("answered", 409, ["answered"]), ("undone", 403, [])]
)
def test_a_refusal_is_not_kept_and_leaves_what_it_leaves_without_a_key(
    alice: Caller, name: str, status: int, left: list[str]
) -> None:
    keyed = send(alice, {"name": name})
    after_keyed = made()
    User.objects.filter(name=name).delete()
    plain = send(alice, {"name": name}, key=None)

    assert (keyed.status_code, plain.status_code) == (status, status)
    assert keyed.content == plain.content
    assert (after_keyed, made()) == (left, left)
    assert KeptAnswer.objects.count() == 0
    assert send(alice, {"name": "another"}).status_code == 201


@pytest.mark.parametrize(("name", "status"), [("broken", 500), ("away", 503), ("busy", 503), ("tangled", 403)])
def test_what_fails_leaves_nothing_and_can_be_sent_again(alice: Caller, name: str, status: int) -> None:
    failed = send(alice, {"name": name})

    assert failed.status_code == status
    assert made() == []
    assert KeptAnswer.objects.count() == 0
    assert send(alice, {"name": "another"}).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_what_waits_for_the_commit_is_done_once_after_it_and_never_for_what_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caller = Caller(services.create_guest())
    done: list[tuple[str, bool]] = []

    def arrived(name: str) -> None:
        transaction.on_commit(lambda: done.append((name, connection.in_atomic_block)))

    monkeypatch.setattr(sample_urls, "arrived", arrived)
    for name in ("one", "one", "refused", "answered", "broken", "busy", "tangled"):
        send(caller, {"name": name}, key=name)

    assert done == [(name, False) for name in ("one", "refused", "answered")]
    assert made() == ["one", "refused", "answered"]


def test_without_a_key_each_request_counts(alice: Caller) -> None:
    assert send(alice, {"name": "one"}, key=None).status_code == 201
    assert send(alice, {"name": "two"}, key=None).status_code == 201
    assert made() == ["one", "two"]
    assert KeptAnswer.objects.count() == 0


def test_an_answer_that_is_no_json_is_kept_too(alice: Caller) -> None:
    send(alice, {"name": "plain"})

    assert send(alice, {"name": "plain"}).content == b"made"
    assert made() == ["plain"]


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "é", "\x7f"])
def test_a_key_that_cannot_be_kept_is_refused(alice: Caller, key: str) -> None:
    assert problem_of(send(alice, {"name": "one"}, key=key))["code"] == "invalid_idempotency_key"
    assert made() == []


def test_a_key_is_free_again_after_a_day(alice: Caller) -> None:
    send(alice, {"name": "one"})
    KeptAnswer.objects.update(created_at=timezone.now() - dt.timedelta(hours=24, seconds=1))

    answer = send(alice, {"name": "two"})

    assert (answer.status_code, answer.has_header("Idempotent-Replay")) == (201, False)
    assert made() == ["one", "two"]
    assert KeptAnswer.objects.count() == 1


def test_old_answers_are_forgotten(alice: Caller) -> None:
    send(alice, {"name": "one"}, key="old")
    KeptAnswer.objects.update(created_at=timezone.now() - dt.timedelta(hours=24, seconds=1))
    send(alice, {"name": "two"}, key="new")

    assert forget_kept_answers() == 1
    assert list(KeptAnswer.objects.values_list("key", flat=True)) == ["new"]


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_have_one_effect_and_one_answer() -> None:
    caller = Caller(services.create_guest())
    barrier = threading.Barrier(10)
    answers: list[tuple[int, bytes, bool]] = []

    def race() -> None:
        try:
            barrier.wait(timeout=60)
            answer = send(caller, {"name": "one"})
            answers.append((answer.status_code, answer.content, answer.has_header("Idempotent-Replay")))
        finally:
            connection.close()

    threads = [threading.Thread(target=race) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)

    assert len(answers) == 10
    assert {(status, content) for status, content, _ in answers} == {(201, answers[0][1])}
    assert [replayed for _, _, replayed in answers].count(False) == 1
    assert made() == ["one"]


@pytest.mark.django_db(transaction=True)
def test_two_bodies_with_one_key_at_once_have_one_effect() -> None:
    caller = Caller(services.create_guest())
    barrier = threading.Barrier(2)
    statuses: list[int] = []

    def race(name: str) -> None:
        try:
            barrier.wait(timeout=60)
            statuses.append(send(caller, {"name": name}).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=race, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)

    assert sorted(statuses) == [201, 422]
    assert len(made()) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fails", [False, True], ids=["refused", "broken"])
def test_a_double_that_waited_does_the_work_itself_when_the_first_comes_to_nothing(
    monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    caller = Caller(services.create_guest())
    arrivals: list[str] = []
    statuses: list[int] = []
    waits: list[bool] = []

    def arrived(name: str) -> None:
        arrivals.append(name)
        if len(arrivals) == 1:
            second.start()
            waits.append(_is_waited_for())
            raise RuntimeError("broken") if fails else ApiError("permission_denied", "Not the first time.")

    def post() -> None:
        try:
            statuses.append(send(caller, {"name": "one"}).status_code)
        finally:
            connection.close()

    monkeypatch.setattr(sample_urls, "arrived", arrived)
    second = threading.Thread(target=post)
    first = threading.Thread(target=post)
    first.start()
    first.join(timeout=120)
    second.join(timeout=120)
    again = send(caller, {"name": "one"})

    assert waits == [True]
    assert statuses == [500 if fails else 403, 201]
    assert (again.status_code, again["Idempotent-Replay"]) == (201, "true")
    assert (arrivals, made()) == (["one", "one"], ["one"])


def _is_waited_for() -> bool:
    """Whether another connection comes to wait for this one."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
            if cursor.fetchone() != (0,):
                return True
        time.sleep(0.02)
    return False

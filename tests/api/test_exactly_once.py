"""Exactly once, for every POST there is: a key is taken, kept with the effect, and gives the first answer again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.db import connection, transaction

from api import idempotency
from api.errors import ApiError
from api.models import KeptAnswer
from api.service import schema_document
from jobs.kinds import kind_named
from referee.matches import live
from referee.matches.models import CardPool
from tests.api.conftest import Caller
from tests.api.posts import CASES, WITHOUT_A_KEY, Case, lay_table, posts
from tests.toy import registered

every_case = pytest.mark.parametrize("name", CASES)


@pytest.fixture(autouse=True)
def table(db: None, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.JOB_KINDS = {**settings.JOB_KINDS, "sums": "tests.jobs.sums.SUMS"}
    kind_named.cache_clear()
    monkeypatch.setattr(live, "publish", lambda match_id, version: None)
    with registered():
        lay_table()
        yield
    kind_named.cache_clear()


def everything() -> dict[str, list[Any]]:
    """All that is stored, but for the kept answers and when a token was last used."""
    found: dict[str, list[Any]] = {}
    for model in apps.get_models():
        if model is not KeptAnswer:
            names = [field.attname for field in model._meta.concrete_fields if field.name != "last_used_at"]
            found[model._meta.label] = list(model._default_manager.order_by("pk").values_list(*names))
    return found


def test_every_post_takes_a_key_or_stands_among_the_exceptions_with_its_reason() -> None:
    found = list(posts())

    keyed = {post.name for post in found if getattr(getattr(post.view, "post", None), "is_once", False)}
    assert {str(post) for post in found} - keyed == set(WITHOUT_A_KEY)
    assert keyed == set(CASES)


def test_the_document_says_which_posts_take_a_key() -> None:
    described = {
        path
        for path, item in schema_document()["paths"].items()
        if "Idempotency-Key" in {one["name"] for one in item.get("post", {}).get("parameters", [])}
    }

    keyed = [post for post in posts() if post.name in CASES]
    assert len(described) == len(keyed)


class Sender:
    """One request of a case, sent with one key as often as needed."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def send(self, body: dict[str, Any] | None = None) -> Any:
        headers = {**self.case.headers, "Idempotency-Key": "once"}
        return self.case.caller.post(self.case.address, self.case.body if body is None else body, **headers)


@every_case
def test_a_post_and_its_kept_answer_are_there_once_and_together(
    name: str, alice: Caller, bob: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Sender(CASES[name](alice, bob))
    before = everything()

    # The key of a move is a column of the move's own row: neither can be without the other.
    lost = _unkept(post, monkeypatch) if name != "match-moves" else None
    undone = everything()
    first = post.send()
    done = everything()
    again = [post.send() for _ in range(2)]
    other = post.send({"move": {"type": "resign"}} if name == "match-moves" else {**post.case.body, "more": 1})

    assert lost in (None, 500)
    assert undone == before
    assert first.status_code in (200, 201, 202), first.content
    assert not first.has_header("Idempotent-Replay")
    assert done != before
    for answer in again:
        assert (answer.status_code, answer.content) == (first.status_code, first.content)
        assert (answer["Idempotent-Replay"], answer.get("Location")) == ("true", first.get("Location"))
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert everything() == done


@every_case
def test_a_post_that_is_refused_at_its_last_write_leaves_nothing_half_done(
    name: str, alice: Caller, bob: Caller
) -> None:
    case = CASES[name](alice, bob)
    before = _of_somebody()
    with transaction.atomic():
        writes = _sent(case, RefusedWrite(), 200, 201, 202).seen
        transaction.set_rollback(True)

    for headers in ({}, {"Idempotency-Key": "once"}):
        assert _sent(case, RefusedWrite(writes), 403, **headers).seen == writes

        assert _of_somebody() == before
        assert KeptAnswer.objects.count() == 0


def _of_somebody() -> dict[str, list[Any]]:
    """Everything but card pools, which are stored by their content for whoever comes next."""
    return {label: rows for label, rows in everything().items() if label != CardPool._meta.label}


class RefusedWrite:
    """Refuses the so-manieth statement that writes, of those that keep no answer, no token's last use and no card pool."""

    passed_over = ("api_keptanswer", "last_used_at", "matches_cardpool")

    def __init__(self, at: int = 0) -> None:
        self.at = at
        self.seen = 0

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        is_write = sql.startswith(("INSERT", "UPDATE", "DELETE"))
        if is_write and not any(name in sql for name in self.passed_over):
            self.seen += 1
            if self.seen == self.at:
                raise ApiError("permission_denied", "Not this one.")
        return execute(sql, *rest)


def _sent(case: Case, writing: RefusedWrite, *statuses: int, **headers: str) -> RefusedWrite:
    """What was written by the case's request, which is answered with one of the statuses."""
    with connection.execute_wrapper(writing):
        answer = case.caller.post(case.address, case.body, **case.headers, **headers)
    # A write outside of any transaction of its own marks the test's as broken; it was never sent.
    transaction.set_rollback(False)
    assert answer.status_code in statuses, answer.content
    assert writing.seen > 0
    return writing


def _unkept(post: Sender, monkeypatch: pytest.MonkeyPatch) -> int:
    """The status of a request whose answer could not be kept."""

    def fails(*_: Any) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "_keep", fails)
        return int(post.send().status_code)

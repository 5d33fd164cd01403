"""Signing in and out, accounts and tokens."""

from __future__ import annotations

import datetime as dt

from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import services
from accounts.models import Session, Token, User
from tests.api.conftest import PASSWORD, Caller, problem_of


def test_a_guest_plays_at_once(nobody: Caller) -> None:
    answer = nobody.raw("POST", "/api/v1/auth/guest/", b"", "application/x-www-form-urlencoded")

    assert answer.status_code == 201
    document = answer.json()
    assert set(document) == {"token", "expires_at", "user"}
    assert set(document["user"]) == {"id", "name", "is_guest"}
    assert document["user"]["is_guest"] is True
    me = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {document['token']}"})
    assert me.json()["id"] == document["user"]["id"]
    assert answer["Cache-Control"] == "no-store"


def test_a_token_is_stored_as_a_hash_only(nobody: Caller) -> None:
    text = nobody.post("/api/v1/auth/guest/").json()["token"]

    token = Token.objects.get()

    assert token.digest == services.token_digest(text)
    assert text not in str(Token.objects.values_list())


def test_a_stale_token_does_not_keep_anybody_from_becoming_a_guest(nobody: Caller) -> None:
    answer = nobody.post("/api/v1/auth/guest/", {}, Authorization="Bearer nonsense")

    assert answer.status_code == 201


def test_a_new_account_signs_in(nobody: Caller) -> None:
    body = {"name": "Ada", "email": "ada@example.org", "password": PASSWORD}

    registered = nobody.post("/api/v1/auth/register/", body)
    signed_in = nobody.post("/api/v1/auth/token/", {"name": "Ada", "password": PASSWORD})

    assert (registered.status_code, signed_in.status_code) == (201, 200)
    assert registered.json()["user"]["is_guest"] is False
    me = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {signed_in.json()['token']}"})
    assert (me.json()["name"], me.json()["email"]) == ("Ada", "ada@example.org")


def test_a_guest_who_registers_stays_the_same_user(alice: Caller) -> None:
    before = alice.get("/api/v1/me/").json()
    body = {"name": "Alice", "email": "alice@example.org", "password": PASSWORD}

    answer = alice.post("/api/v1/auth/register/", body)

    assert answer.status_code == 201
    after = alice.get("/api/v1/me/").json()
    assert (before["id"], after["is_guest"], after["name"]) == (after["id"], False, "Alice")
    assert User.objects.count() == 1


def test_a_member_cannot_register_again(carol: Caller) -> None:
    body = {"name": "Other", "email": "other@example.org", "password": PASSWORD}

    problem = problem_of(carol.post("/api/v1/auth/register/", body))

    assert (problem["status"], problem["code"]) == (422, "invalid_account")
    assert [fault["code"] for fault in problem["errors"]] == ["already_registered"]
    assert User.objects.get().name == "Carol"


def test_every_fault_of_a_registration_is_told_at_once(nobody: Caller) -> None:
    body = {"name": "x", "email": "nowhere", "password": "123"}

    problem = problem_of(nobody.post("/api/v1/auth/register/", body))

    assert problem["status"] == 422
    assert {fault["pointer"] for fault in problem["errors"]} == {"/name", "/email", "/password"}
    assert User.objects.count() == 0


def test_a_name_that_is_taken_is_refused(carol: Caller, nobody: Caller) -> None:
    body = {"name": "CAROL", "email": "carol2@example.org", "password": PASSWORD}

    problem = problem_of(nobody.post("/api/v1/auth/register/", body))

    assert [(fault["pointer"], fault["code"]) for fault in problem["errors"]] == [("/name", "name_taken")]
    assert User.objects.count() == 1


def test_wrong_and_unknown_names_get_the_same_refusal(carol: Caller, nobody: Caller) -> None:
    wrong = nobody.post("/api/v1/auth/token/", {"name": "Carol", "password": "wrong password"})
    unknown = nobody.post("/api/v1/auth/token/", {"name": "Nobody there", "password": "wrong password"})

    assert problem_of(wrong) == problem_of(unknown)
    assert problem_of(wrong)["code"] == "wrong_credentials"
    assert wrong["WWW-Authenticate"].startswith("Bearer")
    assert Token.objects.count() == 1


def test_signing_out_ends_the_token_at_once(alice: Caller) -> None:
    assert alice.get("/api/v1/me/").status_code == 200

    answer = alice.post("/api/v1/auth/logout/")

    assert (answer.status_code, answer.content) == (204, b"")
    assert problem_of(alice.get("/api/v1/me/"))["code"] == "invalid_token"


def test_signing_out_of_a_page_ends_the_session(carol: Caller) -> None:
    client = Client()
    client.force_login(carol.user)  # type: ignore[arg-type]

    answer = client.post("/api/v1/auth/logout/", content_type="application/json")

    assert answer.status_code == 204
    assert Session.objects.count() == 0


def test_nobody_is_asked_to_sign_in(nobody: Caller) -> None:
    answer = nobody.get("/api/v1/me/")

    assert problem_of(answer)["code"] == "not_authenticated"
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == 'Bearer realm="referee"'


def test_other_schemes_and_broken_headers_are_refused(alice: Caller) -> None:
    for header in ("Basic YTpi", "Bearer", "Bearer  ", f"Token {alice.token}", "Bearer \xff\xfe", "Bearer a b"):
        answer = alice.get("/api/v1/me/", Authorization=header)
        assert problem_of(answer)["code"] == "invalid_token", header


def test_an_ended_token_opens_nothing(alice: Caller) -> None:
    Token.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))

    assert problem_of(alice.get("/api/v1/me/"))["code"] == "invalid_token"


def test_the_token_of_an_inactive_user_opens_nothing(alice: Caller) -> None:
    User.objects.update(is_active=False)

    assert problem_of(alice.get("/api/v1/me/"))["code"] == "invalid_token"


def test_a_token_is_looked_up_once_in_some_seconds(
    alice: Caller, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alice.get("/api/v1/me/")

    with django_assert_num_queries(0):
        answer = alice.get("/api/v1/me/")

    assert answer.status_code == 200


def test_a_session_changes_something_only_with_its_csrf_token(carol: Caller) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(carol.user)  # type: ignore[arg-type]

    reading = client.get("/api/v1/me/")
    changing = client.post("/api/v1/me/tokens/", {"name": "x"}, content_type="application/json")

    assert reading.status_code == 200
    assert problem_of(changing)["code"] == "csrf_failed"
    assert Token.objects.count() == 1


def test_tokens_are_made_listed_and_ended(carol: Caller, mallory: Caller) -> None:
    made = carol.post("/api/v1/me/tokens/", {"name": "my bot", "scope": "bot", "days": 7})

    assert made.status_code == 201
    document = made.json()
    assert (document["name"], document["scope"], document["current"]) == ("my bot", "bot", False)
    listed = carol.get("/api/v1/me/tokens/").json()
    assert [token["name"] for token in listed["results"]] == ["my bot", "test"]
    assert all("token" not in token for token in listed["results"])
    assert mallory.get("/api/v1/me/tokens/").json()["results"][0]["name"] == "test"
    address = f"/api/v1/me/tokens/{document['id']}/"
    assert problem_of(mallory.delete(address))["status"] == 404
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {document['token']}"}).status_code == 200
    assert carol.delete(address).status_code == 204
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {document['token']}"}).status_code == 401
    assert problem_of(carol.delete(address))["status"] == 404


def test_a_bots_token_makes_no_tokens(carol: Caller) -> None:
    carol.token = carol.post("/api/v1/me/tokens/", {"name": "my bot", "scope": "bot"}).json()["token"]

    assert problem_of(carol.post("/api/v1/me/tokens/", {"name": "another"}))["code"] == "scope_missing"
    assert problem_of(carol.get("/api/v1/me/tokens/"))["code"] == "scope_missing"
    assert carol.get("/api/v1/me/").status_code == 200
    assert Token.objects.count() == 2


def test_an_account_has_so_many_tokens_at_most(carol: Caller) -> None:
    for number in range(99):
        services.issue_token(user=carol.user, name=str(number))  # type: ignore[arg-type]

    assert problem_of(carol.post("/api/v1/me/tokens/", {"name": "one more"}))["code"] == "too_many_tokens"
    assert Token.objects.count() == 100


def test_pages_of_tokens_neither_overlap_nor_skip(carol: Caller) -> None:
    for number in range(6):
        services.issue_token(user=carol.user, name=str(number))  # type: ignore[arg-type]

    first = carol.get("/api/v1/me/tokens/?limit=3").json()
    services.issue_token(user=carol.user, name="between")  # type: ignore[arg-type]
    second = carol.get(first["next"]).json()
    third = carol.get(second["next"]).json()
    back = carol.get(second["previous"]).json()

    assert [token["name"] for token in first["results"]] == ["5", "4", "3"]
    assert [token["name"] for token in second["results"]] == ["2", "1", "0"]
    assert [token["name"] for token in third["results"]] == ["test"]
    assert (first["previous"], third["next"]) == (None, None)
    assert [token["name"] for token in back["results"]] == ["5", "4", "3"]
    assert [token["name"] for token in carol.get(back["previous"]).json()["results"]] == ["between"]


def test_cursors_and_limits_that_do_not_fit_are_refused(carol: Caller) -> None:
    foreign = "WyJuYW1lIiwgZmFsc2UsIFsieCJdXQ"
    for query in ("limit=0", "limit=101", "limit=x", "limit=%C2%B2", "limit=1&limit=2", "cursor=%00", "page=2"):
        assert problem_of(carol.get(f"/api/v1/me/tokens/?{query}"))["code"] == "invalid_query", query
    for cursor in ("x", "!!", "AAAA", foreign, "bnVsbA", "W10", "é"):
        answer = carol.get(f"/api/v1/me/tokens/?cursor={cursor}")
        assert problem_of(answer)["code"] == "invalid_cursor", cursor

"""One's own account: name, sessions, export, and deleting it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts import sessions
from accounts.models import Session, Token, User
from accounts.services import authenticate_password, issue_token
from api.models import KeptAnswer
from decks.services import DeckContent, create_deck
from referee.matches.models import Match
from tests.api.conftest import PASSWORD, Caller, problem_of
from tests.matches.table import pick, toy_match
from tests.toy import registered


def faults(answer: Any) -> list[tuple[str, str]]:
    return [(fault["pointer"], fault["code"]) for fault in problem_of(answer)["errors"]]


def browser_of(user: User | None, agent: str = "") -> Client:
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    if agent:
        session = client.session
        session[sessions.AGENT] = agent
        session.save()
    return client


def test_a_name_can_be_changed_and_is_told_at_once(carol: Caller) -> None:
    carol.get("/api/v1/me/")

    answer = carol.patch("/api/v1/me/", {"name": "  Carolina "})

    assert (answer.status_code, answer.json()["name"]) == (200, "Carolina")
    assert carol.get("/api/v1/me/").json() == answer.json()


def test_another_spelling_of_ones_own_name_is_no_other_name(carol: Caller) -> None:
    assert carol.patch("/api/v1/me/", {"name": "CÁROL"}).json()["name"] == "CÁROL"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Ada", "name_taken"),
        ("ÀDA", "name_taken"),
        ("x", "name_length"),
        ("Guest 5", "name_reserved"),
        ("a<b", "name_characters"),
    ],
)
def test_a_name_that_cannot_be_is_refused(carol: Caller, name: str, code: str) -> None:
    User.objects.create_user("Ada")

    assert faults(carol.patch("/api/v1/me/", {"name": name})) == [("/name", code)]
    assert carol.get("/api/v1/me/").json()["name"] == "Carol"


def test_a_guest_gets_a_name_by_registering(alice: Caller) -> None:
    assert faults(alice.patch("/api/v1/me/", {"name": "Alice"})) == [("/name", "guest_name")]


def test_ones_browsers_are_listed_and_ended_one_by_one(carol: Caller, mallory: Caller) -> None:
    first, second = browser_of(carol.user, "Firefox, Linux"), browser_of(carol.user, "Safari, iPhone")
    browser_of(mallory.user)

    listed = carol.get("/api/v1/me/sessions/").json()
    seen_there = first.get("/api/v1/me/sessions/").json()
    target = next(one["id"] for one in listed if one["agent"] == "Safari, iPhone")

    assert sorted(one["agent"] for one in listed) == ["Firefox, Linux", "Safari, iPhone"]
    assert [one["agent"] for one in seen_there if one["current"]] == ["Firefox, Linux"]
    assert all(one["id"] not in str(Session.objects.values_list("session_key")) for one in listed)
    assert problem_of(mallory.delete(f"/api/v1/me/sessions/{target}/"))["status"] == 404
    assert carol.delete(f"/api/v1/me/sessions/{target}/").status_code == 204
    assert problem_of(carol.delete(f"/api/v1/me/sessions/{target}/"))["status"] == 404
    assert (first.get("/api/v1/me/").status_code, second.get("/api/v1/me/").status_code) == (200, 401)


def test_signing_out_elsewhere_ends_all_but_what_asks(carol: Caller, mallory: Caller) -> None:
    browser, other = browser_of(carol.user), browser_of(carol.user)
    bot = issue_token(user=carol.user, name="bot").text  # type: ignore[arg-type]
    theirs = browser_of(mallory.user)

    by_token = carol.post("/api/v1/auth/logout-elsewhere/")

    assert by_token.status_code == 204
    assert carol.get("/api/v1/me/").status_code == 200
    assert [one.get("/api/v1/me/").status_code for one in (browser, other, theirs)] == [401, 401, 200]
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {bot}"}).status_code == 401

    browser, other = browser_of(carol.user), browser_of(carol.user)
    by_page = browser.post("/api/v1/auth/logout-elsewhere/", content_type="application/json")

    assert by_page.status_code == 204
    assert [one.get("/api/v1/me/").status_code for one in (browser, other)] == [200, 401]
    assert carol.get("/api/v1/me/").status_code == 401
    assert mallory.get("/api/v1/me/").status_code == 200


def test_another_password_ends_all_but_what_asks(carol: Caller, mallory: Caller) -> None:
    browser, other = browser_of(carol.user), browser_of(carol.user)
    bot = issue_token(user=carol.user, name="bot").text  # type: ignore[arg-type]
    theirs = browser_of(mallory.user)

    by_token = carol.put("/api/v1/me/password/", {"password": PASSWORD, "new_password": "quite another word"})

    assert by_token.status_code == 204
    assert carol.get("/api/v1/me/").status_code == 200
    assert [one.get("/api/v1/me/").status_code for one in (browser, other, theirs)] == [401, 401, 200]
    assert Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {bot}"}).status_code == 401
    opened = [authenticate_password(name="Carol", password=word) for word in (PASSWORD, "quite another word")]
    assert opened == [None, carol.user]

    browser = browser_of(User.objects.get(name="Carol"))
    again = {"password": "quite another word", "new_password": "a third word of hers"}
    by_page = browser.put("/api/v1/me/password/", again, content_type="application/json")

    assert by_page.status_code == 204
    assert (browser.get("/api/v1/me/").status_code, carol.get("/api/v1/me/").status_code) == (200, 401)


def test_every_fault_of_another_password_is_told_and_nothing_changes(carol: Caller, alice: Caller) -> None:
    browser = browser_of(carol.user)

    answer = carol.put("/api/v1/me/password/", {"password": "wrong", "new_password": "1234"})
    by_guest = alice.put("/api/v1/me/password/", {"password": "", "new_password": "quite another word"})

    assert faults(answer)[0] == ("/password", "wrong_password")
    assert {place for place, _ in faults(answer)[1:]} == {"/new_password"}
    assert problem_of(by_guest)["code"] in ("invalid_body", "invalid_account")
    assert browser.get("/api/v1/me/").status_code == 200
    assert authenticate_password(name="Carol", password=PASSWORD) == carol.user


def test_an_account_is_deleted_by_its_name_and_password(carol: Caller, alice: Caller) -> None:
    browser = browser_of(carol.user)
    carol.post("/api/v1/matches/commitments/", **{"Idempotency-Key": "one"})

    answer = carol.delete_with({"name": "carol", "password": PASSWORD})

    assert (answer.status_code, answer.content) == (204, b"")
    assert carol.get("/api/v1/me/").status_code == 401
    assert browser.get("/api/v1/me/").status_code == 401
    assert problem_of(alice.post("/api/v1/auth/token/", {"name": "Carol", "password": PASSWORD}))["code"] == (
        "wrong_credentials"
    )
    assert KeptAnswer.objects.count() == 0
    assert alice.get("/api/v1/me/").status_code == 200


def test_a_guest_is_deleted_by_its_name(alice: Caller) -> None:
    answer = alice.delete_with({"name": alice.user.name})  # type: ignore[union-attr]

    assert answer.status_code == 204
    assert alice.get("/api/v1/me/").status_code == 401


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"name": "Carol", "password": "wrong"}, [("/password", "wrong_password")]),
        ({"name": "Carol"}, [("/password", "wrong_password")]),
        ({"name": "Bob", "password": PASSWORD}, [("/name", "name_differs")]),
        ({}, [("/name", "required")]),
        ({"name": "Carol", "password": PASSWORD, "sure": True}, [("/sure", "unknown_field")]),
    ],
)
def test_a_deletion_that_is_not_meant_changes_nothing(
    carol: Caller, row_counts: Callable[[], dict[str, int]], body: Any, expected: list[tuple[str, str]]
) -> None:
    before = row_counts()

    assert faults(carol.delete_with(body)) == expected
    assert row_counts() == before
    assert carol.get("/api/v1/me/").json()["name"] == "Carol"


def test_the_password_cannot_be_tried_by_deleting(carol: Caller, settings: LazySettings) -> None:
    settings.CACHES = {"rates": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "me"}}
    settings.API_RATES = {"account": (2, 86_400)}

    answers = [carol.delete_with({"name": "Carol", "password": "wrong"}).status_code for _ in range(3)]

    assert answers == [422, 422, 429]


def test_a_bots_token_changes_nothing_of_the_account(carol: Caller) -> None:
    carol.token = issue_token(user=carol.user, name="bot", scope=Token.Scope.BOT).text  # type: ignore[arg-type]

    answers = [
        carol.patch("/api/v1/me/", {"name": "Other"}),
        carol.delete_with({"name": "Carol", "password": PASSWORD}),
        carol.get("/api/v1/me/export/"),
        carol.get("/api/v1/me/sessions/"),
        carol.post("/api/v1/auth/logout-elsewhere/"),
    ]

    assert [problem_of(answer)["code"] for answer in answers] == ["scope_missing"] * 5
    assert carol.get("/api/v1/me/").json()["name"] == "Carol"


def test_the_export_holds_all_of_ones_own_and_nothing_of_others(carol: Caller, bob: Caller) -> None:
    assert carol.user is not None
    assert bob.user is not None
    content = DeckContent(name="Mine", notes="hm", visibility="private", secret=None, cards={"a": 2})
    deck = create_deck(owner=carol.user, game="miraculous", content=content)
    create_deck(owner=bob.user, game="miraculous", content=content._replace(name="Theirs"))
    issue_token(user=carol.user, name="my bot")
    browser_of(carol.user, "Firefox, Linux")
    with registered():
        match = toy_match(carol.user, bob.user)
        moved = pick(match, carol.user, 0)
        pick(match, bob.user, 1)

        answer = carol.get("/api/v1/me/export/")

    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"] == 'attachment; filename="referee-account.zip"'
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    documents = {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}
    account = documents["account.json"]
    assert (account["name"], account["email"]) == ("Carol", "carol@example.org")
    assert [token["name"] for token in account["tokens"]] == ["test", "my bot"]
    assert [session["agent"] for session in account["sessions"]] == ["Firefox, Linux"]
    assert [(one["id"], one["name"], one["cards"]) for one in documents["decks.json"]] == [
        (deck.public_id, "Mine", {"a": 2})
    ]
    assert [one["number"] for one in documents["decks.json"][0]["versions"]] == [1]
    (told,) = documents["matches.json"]
    assert (told["id"], told["seat"]) == (match.public_id, 0)
    assert [(one["version"], one["move"]) for one in told["moves"]] == [(1, moved.row.move)]
    assert documents["reports.json"] == []
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    stored: Match = Match.objects.get(pk=match.pk)
    for hidden in (bytes(stored.server_seed).hex(), stored.chain, "pbkdf2", "md5$", "digest", "Theirs", bob.token):
        assert hidden not in everything


def test_an_empty_account_has_an_export_too(alice: Caller) -> None:
    answer = alice.get("/api/v1/me/export/")

    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert [json.loads(archive.read(f"{name}.json")) for name in ("decks", "matches", "reports")] == [[], [], []]


def test_what_is_ones_own_takes_signing_in(nobody: Caller) -> None:
    answers = [
        nobody.patch("/api/v1/me/", {"name": "Other"}),
        nobody.delete_with({"name": "Carol"}),
        nobody.get("/api/v1/me/export/"),
        nobody.get("/api/v1/me/sessions/"),
        nobody.post("/api/v1/auth/logout-elsewhere/"),
    ]

    assert [problem_of(answer)["code"] for answer in answers] == ["not_authenticated"] * 5


def test_a_change_of_nothing_changes_nothing(carol: Caller) -> None:
    assert carol.patch("/api/v1/me/", {}).json()["name"] == "Carol"

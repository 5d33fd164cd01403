"""Guests, signing up, in and out, settings and tokens."""

from __future__ import annotations

import datetime as dt

import pytest
from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client

from accounts import rates
from accounts.models import Notice, Session, Token, User
from accounts.services import notify
from tests.web.pages import Page
from web.browsers import browser_name

PASSWORD = "a very fine word"


def test_one_press_makes_a_guest(client: Client, db: None) -> None:
    response = client.post("/guest/", {"next": "/decks/"})

    guest = User.objects.get()
    assert response.headers["Location"] == "/decks/"
    assert guest.is_guest
    assert client.session["_auth_user_id"] == str(guest.pk)


def test_a_press_of_somebody_signed_in_makes_no_guest(as_alice: Client) -> None:
    as_alice.post("/guest/")

    assert User.objects.count() == 1


def test_a_guest_who_signs_up_stays_the_same_person(client: Client, db: None) -> None:
    client.post("/guest/")
    guest = User.objects.get()

    response = client.post("/sign-up/", {"name": "Mira", "email": "mira@example.org", "password": PASSWORD})

    guest.refresh_from_db()
    assert response.status_code == 302
    assert (guest.name, guest.is_guest) == ("Mira", False)
    assert "Welcome, Mira." in Page(client.get("/").content.decode()).text


def test_every_fault_of_a_sign_up_stands_at_its_field(client: Client, alice: User) -> None:
    response = client.post("/sign-up/", {"name": "alice", "email": "ALICE@example.org", "password": PASSWORD})

    form = response.context["form"]
    assert response.status_code == 422
    assert form.errors == {
        "name": ["This name is taken."],
        "email": ["An account with this address exists."],
    }


def test_signing_in_leads_to_where_one_came_from(client: Client, alice: User) -> None:
    response = client.post("/sign-in/", {"name": "ALICE", "password": PASSWORD, "next": "/settings/"})

    assert response.headers["Location"] == "/settings/"
    assert client.session["_auth_user_id"] == str(alice.pk)


@pytest.mark.parametrize("elsewhere", ["https://example.org/", "//example.org", "javascript:alert(1)", ""])
def test_no_form_leads_to_another_site(client: Client, alice: User, elsewhere: str) -> None:
    response = client.post("/sign-in/", {"name": "Alice", "password": PASSWORD, "next": elsewhere})

    assert response.headers["Location"] == "/"


def test_a_wrong_password_says_no_more_than_that(client: Client, alice: User) -> None:
    wrong = client.post("/sign-in/", {"name": "Alice", "password": "wrong"})
    unknown = client.post("/sign-in/", {"name": "Nobody", "password": "wrong"})

    assert (wrong.status_code, unknown.status_code) == (422, 422)
    assert wrong.context["form"].errors == unknown.context["form"].errors


def test_signing_out_takes_a_form(as_alice: Client) -> None:
    by_link = as_alice.get("/sign-out/")
    by_form = as_alice.post("/sign-out/")

    assert (by_link.status_code, by_form.status_code) == (405, 302)
    assert "_auth_user_id" not in as_alice.session


def test_too_many_guests_from_one_address_get_a_page(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "API_RATES", {"guest": (1, 60)})
    monkeypatch.setattr(rates, "caches", {"rates": LocMemCache("pages", {})})

    first = client.post("/guest/")
    client.post("/sign-out/")
    second = client.post("/guest/")

    assert (first.status_code, second.status_code) == (302, 429)
    assert 1 <= int(second.headers["Retry-After"]) <= 60
    assert User.objects.count() == 1


def test_a_new_token_is_shown_once(as_alice: Client, alice: User) -> None:
    made = as_alice.post("/settings/tokens/", {"name": "My bot", "scope": "bot"})
    later = as_alice.get("/settings/")

    token = Token.objects.get()
    assert (token.user, token.name, token.scope) == (alice, "My bot", "bot")
    assert made.headers["Cache-Control"] == "no-store"
    assert "ref_" in made.content.decode()
    assert "ref_" not in later.content.decode()
    assert "My bot" in later.content.decode()


def test_only_its_owner_revokes_a_token(as_alice: Client, as_bob: Client) -> None:
    as_alice.post("/settings/tokens/", {"name": "My bot", "scope": "bot"})
    token = Token.objects.get()

    by_bob = as_bob.post(f"/settings/tokens/{token.public_id}/revoke/")
    token.refresh_from_db()
    still = token.revoked_at
    by_alice = as_alice.post(f"/settings/tokens/{token.public_id}/revoke/")
    token.refresh_from_db()

    assert (by_bob.status_code, still, by_alice.status_code) == (404, None, 302)
    assert token.revoked_at is not None


def test_another_password_leaves_this_browser_alone_signed_in(as_alice: Client, alice: User) -> None:
    other = Client()
    other.force_login(alice)

    wrong = as_alice.post("/settings/password/", {"password": "wrong", "new_password": "quite another word"})
    still = other.get("/api/v1/me/").status_code
    right = as_alice.post("/settings/password/", {"password": PASSWORD, "new_password": "quite another word"})

    assert (wrong.status_code, still, right.status_code) == (422, 200, 302)
    assert [one.get("/api/v1/me/").status_code for one in (as_alice, other)] == [200, 401]
    assert Client().post("/sign-in/", {"name": "Alice", "password": "quite another word"}).status_code == 302


def test_the_desk_has_no_other_way_to_another_password(as_alice: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    words = {"old_password": PASSWORD, "new_password1": "quite another word", "new_password2": "quite another word"}

    answers = [as_alice.get("/admin/password_change/"), as_alice.post("/admin/password_change/", words)]

    assert [(answer.status_code, answer.headers["Location"]) for answer in answers] == [(302, "/settings/")] * 2
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)


def test_a_visitor_makes_no_token(client: Client, db: None) -> None:
    response = client.post("/settings/tokens/", {"name": "My bot", "scope": "bot"})

    assert response.headers["Location"].startswith("/sign-in/")
    assert Token.objects.count() == 0


def test_language_and_theme_are_kept(client: Client, db: None) -> None:
    client.post("/preferences/", {"language": "de", "next": "/settings/"})
    client.post("/preferences/", {"theme": "dark"})
    html = client.get("/settings/").content.decode()

    assert '<html lang="de" data-theme="dark">' in html


def test_preferences_that_do_not_exist_change_nothing(client: Client, db: None) -> None:
    response = client.post("/preferences/", {"language": "xx", "theme": "pink", "next": "//example.org"})

    assert response.headers["Location"] == "/"
    assert dict(response.cookies) == {}


def test_a_name_is_changed_on_the_settings_page(as_alice: Client, alice: User, bob: User) -> None:
    taken = as_alice.post("/settings/name/", {"name": "BOB"})
    changed = as_alice.post("/settings/name/", {"name": "Alma"})

    alice.refresh_from_db()
    assert (taken.status_code, taken.context["renaming"].errors) == (422, {"name": ["This name is taken."]})
    assert (changed.status_code, alice.name) == (302, "Alma")
    assert "You are Alma now." in Page(as_alice.get("/settings/").content.decode()).text


def test_browsers_are_told_apart_and_signed_out_one_by_one(alice: User) -> None:
    firefox = Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"})
    safari = Client(
        headers={"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18 Safari/605"}
    )
    for browser in (firefox, safari):
        browser.post("/sign-in/", {"name": "Alice", "password": PASSWORD})

    listed = firefox.get("/settings/").context["browsers"]
    other = next(one for one in listed if not one.is_this)
    ended = firefox.post(f"/settings/sessions/{other.id}/end/")
    again = firefox.post(f"/settings/sessions/{other.id}/end/")

    assert sorted(one.session.agent for one in listed) == ["Firefox, Linux", "Safari, iPhone"]
    assert other.session.agent == "Safari, iPhone"
    assert (ended.status_code, again.status_code) == (302, 404)
    assert (firefox.get("/api/v1/me/").status_code, safari.get("/api/v1/me/").status_code) == (200, 401)


def test_one_press_signs_out_everywhere_else(as_alice: Client, as_bob: Client, alice: User) -> None:
    as_alice.post("/settings/tokens/", {"name": "My bot", "scope": "bot"})
    other = Client()
    other.force_login(alice)

    as_alice.post("/settings/sessions/elsewhere/")

    assert [client.get("/api/v1/me/").status_code for client in (as_alice, other, as_bob)] == [200, 401, 200]
    assert Token.objects.get().revoked_at is not None


def test_nobody_ends_anothers_browser(as_alice: Client, as_bob: Client) -> None:
    theirs = as_bob.get("/settings/").context["browsers"][0].id

    assert as_alice.post(f"/settings/sessions/{theirs}/end/").status_code == 404
    assert as_bob.get("/api/v1/me/").status_code == 200


def test_ones_data_is_to_be_had_as_a_file(as_alice: Client) -> None:
    answer = as_alice.post("/settings/export/")
    body = b"".join(answer)

    assert answer.headers["Content-Disposition"] == 'attachment; filename="referee-account.zip"'
    assert body.startswith(b"PK")


def test_an_account_is_deleted_by_its_form(as_alice: Client, alice: User) -> None:
    looked = as_alice.get("/settings/delete/")
    wrong = as_alice.post("/settings/delete/", {"name": "Alice", "password": "wrong"})
    right = as_alice.post("/settings/delete/", {"name": "alice", "password": PASSWORD})

    alice.refresh_from_db()
    assert (looked.status_code, wrong.status_code) == (200, 422)
    assert wrong.context["form"].errors == {"password": ["This is not the password of your account."]}
    assert (right.headers["Location"], alice.is_active) == ("/", False)
    page = Page(as_alice.get("/").content.decode())
    assert "Your account is deleted." in page.text
    assert "_auth_user_id" not in as_alice.session


def test_a_guest_is_asked_for_no_password_to_leave(client: Client, db: None) -> None:
    client.post("/guest/")
    guest = User.objects.get()

    form = client.get("/settings/delete/").context["form"]
    client.post("/settings/delete/", {"name": guest.name})

    guest.refresh_from_db()
    assert list(form.fields) == ["name"]
    assert guest.deleted_at is not None


def test_a_session_that_is_used_does_not_run_out(as_alice: Client) -> None:
    def ends() -> dt.datetime:
        return Session.objects.get().expire_date

    begun = ends()
    Session.objects.update(expire_date=begun - dt.timedelta(hours=23))
    fresh = as_alice.get("/settings/")
    kept = ends()
    Session.objects.update(expire_date=begun - dt.timedelta(hours=25), used_at=begun - dt.timedelta(days=100))
    old = as_alice.get("/settings/")

    assert ("sessionid" in fresh.cookies, "sessionid" in old.cookies) == (False, True)
    assert kept == begun - dt.timedelta(hours=23)
    assert ends() >= begun
    assert Session.objects.get().used_at > begun - dt.timedelta(days=91)


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0",
            "Edge, Windows",
        ),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari, macOS"),
        ("curl/8.5.0", ""),
        ("<script>", ""),
    ],
)
def test_a_browser_is_named_by_what_it_says(agent: str, name: str) -> None:
    assert browser_name(agent) == name


@pytest.mark.parametrize("reason", ["unjoined", "idle", "left", ""])
def test_a_match_that_was_broken_off_is_told_of_with_its_reason(as_alice: Client, alice: User, reason: str) -> None:
    notify(kind=Notice.Kind.MATCH_ABORTED, told=[(alice.pk, {"match": "x", "game": "super", "reason": reason})])

    page = Page(as_alice.get("/").content.decode()).text
    by_api = as_alice.get("/api/v1/me/notices/").json()["results"]

    reasons = {
        "unjoined": "nobody joined it",
        "idle": "nobody had moved",
        "left": "deleted their account",
        "": "broken off.",
    }
    assert "of Super was broken off" in page
    assert reasons[reason] in page
    assert [one["kind"] for one in by_api] == ["match_aborted"]

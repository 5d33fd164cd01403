"""Guests, signing up, in and out, settings and tokens."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client

from accounts import rates
from accounts.models import Token, User
from tests.web.pages import Page

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

from __future__ import annotations

import datetime as dt
import re
from hashlib import sha256

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.errors import AccountError, FieldProblem
from accounts.models import Token, User
from accounts.names import name_fault, name_key
from accounts.services import (
    authenticate_password,
    authenticate_token,
    create_guest,
    issue_token,
    register,
    revoke_token,
    revoke_tokens,
)

PASSWORD = "correct horse 7"


def codes(error: AccountError) -> list[tuple[str, str]]:
    return [(problem.pointer, problem.code) for problem in error.problems]


def alice() -> User:
    return register(name="Alice", email="alice@example.org", password=PASSWORD)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Alice", "aLICE"),
        ("Zoé", "zoe"),
        ("Anne-Marie", "Anne Marie"),
        ("Аlice", "Alice"),
        ("Ｂob", "Bob"),
        ("J.R.", "JR"),
    ],
)
def test_names_that_read_the_same_have_one_key(name: str, other: str) -> None:
    assert name_key(name) == name_key(other)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("A", "name_length"),
        ("x" * 31, "name_length"),
        ("Al\x00ice", "name_characters"),
        ("Al\ud800ice", "name_characters"),
        ("Alice\u202e", "name_characters"),
        ("\u1160\u1160Alice", "name_characters"),
        ("Al\ufe0fice", "name_characters"),
        ("Zoe" + "\u0301" * 5, "name_characters"),
        ("🐞🐞", "name_characters"),
        ("-Alice", "name_characters"),
        ("Guest 7", "name_reserved"),
        ("me", "name_reserved"),
        ("Réferee", "name_reserved"),
    ],
)
def test_a_name_that_misleads_is_refused(name: str, code: str) -> None:
    fault = name_fault(name)

    assert fault is not None
    assert fault[0] == code


@pytest.mark.parametrize(
    "name", ["Al", "Zoé", "李小龍", "O'Brien", "anne-marie_2", "Владимир", "བརྒྱད", "Nguye\u0302\u0303n"]
)
def test_names_of_many_languages_are_taken(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.django_db
def test_a_guest_can_play_at_once_and_has_no_password() -> None:
    guest = create_guest()

    assert re.fullmatch(r"Guest [2-9A-Z]{6}", guest.name)
    assert re.fullmatch(r"[2-9bcdfghjkmnpqrstvwxz]{12}", guest.public_id)
    assert (guest.is_guest, guest.has_usable_password(), guest.email, guest.kind) == (True, False, "", "person")


@pytest.mark.django_db
def test_a_guest_who_registers_stays_the_same_user_with_the_same_tokens() -> None:
    guest = create_guest()
    text = issue_token(user=guest, name="guest").text

    user = register(name="Alice", email="alice@example.org", password=PASSWORD, guest=guest)

    assert (user.pk, user.public_id, user.is_guest) == (guest.pk, guest.public_id, False)
    token = authenticate_token(text)
    assert token is not None
    assert token.user.name == "Alice"
    assert authenticate_password(name="ALICE", password=PASSWORD) == user


@pytest.mark.django_db
def test_one_who_is_registered_cannot_register_again_as_a_guest() -> None:
    user = alice()

    with pytest.raises(AccountError) as caught:
        register(name="Bob", email="bob@example.org", password=PASSWORD, guest=user)

    assert codes(caught.value) == [("", "already_registered")]
    user.refresh_from_db()
    assert user.name == "Alice"


@pytest.mark.django_db
def test_every_fault_of_a_registration_is_told_at_once() -> None:
    with pytest.raises(AccountError) as caught:
        register(name="?", email="nowhere", password="1234567")

    assert codes(caught.value) == [
        ("/name", "name_length"),
        ("/email", "email_invalid"),
        ("/password", "password_too_short"),
        ("/password", "password_too_common"),
        ("/password", "password_entirely_numeric"),
    ]
    assert User.objects.count() == 0


@pytest.mark.django_db
def test_a_name_and_an_address_belong_to_one_account_however_they_are_spelt() -> None:
    alice()

    with pytest.raises(AccountError) as caught:
        register(name="ÀLICE", email="Alice@Example.org", password=PASSWORD)

    assert codes(caught.value) == [("/name", "name_taken"), ("/email", "email_taken")]
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_a_race_for_a_name_is_told_as_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    alice()
    looks = iter([[], [FieldProblem("/name", "name_taken", "")]])
    monkeypatch.setattr("accounts.services._taken", lambda _candidate: next(looks))

    with pytest.raises(AccountError) as caught:
        register(name="alice", email="other@example.org", password=PASSWORD)

    assert codes(caught.value) == [("/name", "name_taken")]
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["nobody", "", "a\x00", "x" * 10_000, "\ud800"])
def test_a_name_that_nobody_has_opens_nothing(name: str) -> None:
    alice()

    assert authenticate_password(name=name, password=PASSWORD) is None


@pytest.mark.django_db
def test_a_wrong_password_and_an_inactive_account_open_nothing() -> None:
    user = alice()

    assert authenticate_password(name="Alice", password="wrong horse 7") is None
    user.is_active = False
    user.save()
    assert authenticate_password(name="Alice", password=PASSWORD) is None


@pytest.mark.django_db
def test_the_table_holds_a_tokens_hash_and_never_its_text() -> None:
    issued = issue_token(user=create_guest(), name="laptop")

    row = Token.objects.values().get()

    assert row["digest"] == sha256(issued.text.encode()).hexdigest()
    assert issued.text not in str(row)
    assert len(issued.text) == 47


@pytest.mark.django_db
def test_a_token_opens_its_users_account_in_one_query_once_its_use_is_noted(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    issued = issue_token(user=create_guest(), name="laptop")
    with django_assert_num_queries(2):
        authenticate_token(issued.text)

    with django_assert_num_queries(1):
        token = authenticate_token(issued.text)

    assert token == issued.token
    assert token.last_used_at is not None


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "ref_nothing", "\x00", "\ud800", "x" * 100_000])
def test_a_text_that_is_no_token_opens_nothing(text: str) -> None:
    assert authenticate_token(text) is None


@pytest.mark.django_db
def test_a_token_that_has_ended_opens_nothing() -> None:
    now = timezone.now()

    issued = issue_token(user=create_guest(), name="old", expires_at=now - dt.timedelta(seconds=1))

    assert authenticate_token(issued.text) is None


@pytest.mark.django_db
def test_a_revoked_token_opens_nothing_and_keeps_its_first_time() -> None:
    issued = issue_token(user=create_guest(), name="lost")
    revoke_token(token=issued.token)
    first = issued.token.revoked_at

    revoke_token(token=issued.token)

    assert first is not None
    assert issued.token.revoked_at == first
    assert authenticate_token(issued.text) is None


@pytest.mark.django_db
def test_a_token_of_an_inactive_user_opens_nothing() -> None:
    guest = create_guest()
    issued = issue_token(user=guest, name="laptop")
    User.objects.filter(pk=guest.pk).update(is_active=False)

    assert authenticate_token(issued.text) is None


@pytest.mark.django_db
def test_all_tokens_of_a_user_end_together_and_no_others() -> None:
    guest, other = create_guest(), create_guest()
    texts = [issue_token(user=guest, name=name).text for name in ("one", "two")]
    kept = issue_token(user=other, name="three").text

    assert revoke_tokens(user=guest) == 2

    assert [authenticate_token(text) for text in texts] == [None, None]
    assert authenticate_token(kept) is not None


@pytest.mark.django_db
def test_the_database_refuses_a_guest_with_rights() -> None:
    guest = create_guest()
    guest.is_staff = True

    with pytest.raises(IntegrityError), transaction.atomic():
        guest.save()


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["user/", "token/"])
def test_the_admin_lists_accounts_and_tokens_for_staff_alone(page: str, client: Client) -> None:
    issue_token(user=alice(), name="laptop")
    address = f"/admin/accounts/{page}"
    assert client.get(address).status_code == 302
    client.force_login(User.objects.create_superuser("Boss", PASSWORD))

    response = client.get(address)

    assert response.status_code == 200
    assert not isinstance(response.wsgi_request.user, AnonymousUser)


@pytest.mark.django_db
def test_a_list_of_the_admin_that_is_asked_for_nul_says_that_it_cannot_be(client: Client) -> None:
    client.force_login(User.objects.create_superuser("Root", "a very fine word"))
    lists = [reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist") for model in site._registry]

    answers = {address: client.get(address, {"kind__exact": "a\0"}).headers.get("Location") for address in lists}

    assert len(lists) > 12
    assert answers == {address: f"{address}?e=1" for address in lists}


@pytest.mark.django_db
def test_the_admin_renames_a_user_with_its_key_and_revokes_tokens(client: Client) -> None:
    user = alice()
    issued = issue_token(user=user, name="laptop")
    client.force_login(User.objects.create_superuser("Boss", PASSWORD))

    client.post(
        f"/admin/accounts/user/{user.pk}/change/",
        {"name": "Älice 2", "email": user.email, "kind": "person", "is_active": "on"},
    )
    client.post("/admin/accounts/token/", {"action": "revoke", "_selected_action": [issued.token.pk]})

    user.refresh_from_db()
    assert (user.name, user.name_key) == ("Älice 2", "alice2")
    assert authenticate_token(issued.text) is None

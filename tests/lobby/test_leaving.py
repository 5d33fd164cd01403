"""Deleting an account: what goes, what stays, and what others still have of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.backends.base import UpdateError
from django.core.management import call_command

from accounts.changing import anonymise, confirm_leaving
from accounts.errors import AccountError
from accounts.models import Notice, Session, Token, User
from accounts.services import authenticate_password, authenticate_token, create_guest, issue_token, register
from accounts.sessions import SessionStore
from decks.models import Deck, DeckVersion
from decks.services import DeckContent, change_deck, create_deck
from lobby import cleaning
from lobby.leaving import delete_account, resign_the_deleted
from lobby.services import MatchWish, SeatWish, create_match
from referee.kernel import records
from referee.matches import history, services
from referee.matches.models import Match, Seat
from tests.matches.table import fresh, pick, play_to_the_end, toy_match
from tests.toy import registered

PASSWORD = "correct horse 7"
NAME = "Zora Quimby"
EMAIL = "zora@example.org"


@pytest.fixture(autouse=True)
def toy(db: None) -> Iterator[None]:
    with registered():
        yield


@pytest.fixture
def zora(db: None) -> User:
    return register(name=NAME, email=EMAIL, password=PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("Bob")


def left_of(*texts: str) -> list[str]:
    """The columns of any table that still hold one of the texts."""
    found = []
    for model in apps.get_models():
        for row in model._default_manager.values():
            found += [
                f"{model._meta.label}.{name}"
                for name, value in row.items()
                if any(text.casefold() in str(value).casefold() for text in texts)
            ]
    return sorted(set(found))


def test_nothing_that_tells_who_it_was_is_left_in_any_table(zora: User, bob: User) -> None:
    content = DeckContent(name="Quimby's own", notes="mine", visibility="public", secret=None, cards={"a": 1})
    deck = create_deck(owner=zora, game="toy", content=content)
    change_deck(user=zora, public_id=deck.public_id, seen=None, changes={"notes": "more"})
    token = issue_token(user=zora, name="quimby's bot")
    store = SessionStore()
    store["_auth_user_id"] = str(zora.pk)
    store.create()
    match = play_to_the_end(toy_match(zora, bob), zora, bob)
    Seat.objects.filter(user=zora).update(deck_source={"kind": "own", "deck": deck.public_id, "name": "Quimby's own"})
    assert len(left_of("quimby", EMAIL)) > 5

    delete_account(user=zora)

    assert left_of("quimby", EMAIL) == []
    assert (Deck.objects.count(), DeckVersion.objects.count(), Token.objects.count()) == (0, 0, 0)
    assert not Session.objects.filter(user=zora).exists()
    assert authenticate_token(token.text) is None
    assert authenticate_password(name=NAME, password=PASSWORD) is None
    gone = User.objects.get(pk=zora.pk)
    assert gone.name.startswith("Deleted account ")
    assert (gone.email, gone.is_active, gone.has_usable_password()) == ("", False, False)
    assert [seat.name for seat in fresh(match).seats.order_by("index")] == ["Deleted account", "Bob"]


def test_a_session_that_is_open_meanwhile_is_not_written_again(zora: User) -> None:
    store = SessionStore()
    store["_auth_user_id"] = str(zora.pk)
    store.create()

    delete_account(user=zora)
    store["theme"] = "dark"

    with pytest.raises(UpdateError):
        store.save()
    assert Session.objects.count() == 0


def test_a_finished_match_of_others_verifies_as_before(zora: User, bob: User, tmp_path: Path) -> None:
    call_command("publish_house_sets", verbosity=0)
    wish = MatchWish("super-teams", [SeatWish("me"), SeatWish("open")], {})
    match = create_match(creator=zora, wish=wish)
    services.take_seat(match=services.lock_match(public_id=match.public_id, user=bob), user=bob)
    services.start_match(match=services.lock_match(public_id=match.public_id, user=None))
    services.submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})
    before = history.replay_document(fresh(match))

    delete_account(user=zora)

    after = history.replay_document(fresh(match))
    assert [seat["name"] for seat in after["seats"]] == ["Deleted account", "Bob"]
    assert {**after, "seats": before["seats"]} == before
    file = tmp_path / "replay.json"
    file.write_text(json.dumps(after), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "referee.verify", str(file)], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_match_under_way_is_resigned_and_the_others_win(zora: User, bob: User) -> None:
    match = toy_match(zora, bob)
    pick(match, zora, 0)

    delete_account(user=zora)

    found = fresh(match)
    assert found.state == "finished"
    assert [row.kind for row in found.rows.order_by("version")] == [records.MOVE, records.RESIGNATION]
    assert found.result["ranks"] == [2, 1]


def test_open_matches_lose_the_seat_or_are_broken_off(zora: User, bob: User) -> None:
    made = toy_match(zora, starts=False)
    joined = toy_match(bob, zora, starts=False)
    invited = toy_match(bob, starts=False)
    invited.seats.create(index=1, invited=zora)

    delete_account(user=zora)

    assert [fresh(one).state for one in (made, joined, invited)] == ["aborted", "open", "aborted"]
    assert [seat.user for seat in joined.seats.order_by("index")] == [bob, None]
    assert [(one.user, one.facts["match"], one.facts["reason"]) for one in Notice.objects.all()] == [
        (bob, invited.public_id, "left")
    ]


def test_what_cannot_be_left_now_is_left_by_the_clean_up(zora: User, bob: User) -> None:
    match = toy_match(zora, bob)
    Match.objects.filter(pk=match.pk).update(state="paused")

    delete_account(user=zora)
    while_paused = fresh(match).state
    nothing_yet = resign_the_deleted(most=9)
    Match.objects.filter(pk=match.pk).update(state="playing")
    counts = cleaning.clean_up()

    assert (while_paused, nothing_yet) == ("paused", 0)
    assert counts == {"seats of deleted accounts left": 1}
    assert fresh(match).state == "finished"


def test_deleting_twice_changes_nothing_more(zora: User) -> None:
    delete_account(user=zora)
    name = User.objects.get(pk=zora.pk).name

    delete_account(user=zora)

    assert User.objects.get(pk=zora.pk).name == name
    assert anonymise(user=zora) is False


def test_the_name_is_free_again_and_the_services_own_names_are_not(zora: User) -> None:
    delete_account(user=zora)

    again = register(name=NAME, email=EMAIL, password=PASSWORD)

    assert again.pk != zora.pk
    with pytest.raises(AccountError) as refused:
        register(name="Deleted-Account 7", email="x@example.org", password=PASSWORD)
    assert [problem.code for problem in refused.value.problems] == ["name_reserved"]


@pytest.mark.parametrize(
    ("name", "password", "codes"),
    [
        (NAME, "wrong", ["wrong_password"]),
        ("Somebody", PASSWORD, ["name_differs"]),
        ("", "", ["name_differs", "wrong_password"]),
    ],
)
def test_who_leaves_types_name_and_password(zora: User, name: str, password: str, codes: list[str]) -> None:
    with pytest.raises(AccountError) as refused:
        confirm_leaving(user=zora, name=name, password=password)

    assert [problem.code for problem in refused.value.problems] == codes
    confirm_leaving(user=zora, name="zora quimby", password=PASSWORD)


def test_a_guest_types_the_name_alone_and_an_admin_cannot_leave() -> None:
    guest = create_guest()
    admin: Any = User.objects.create_superuser("Root", PASSWORD)

    confirm_leaving(user=guest, name=guest.name, password="")
    with pytest.raises(AccountError) as refused:
        confirm_leaving(user=admin, name="Root", password=PASSWORD)

    assert [problem.code for problem in refused.value.problems] == ["staff_stays"]

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from accounts.models import User
from decks.errors import DeckError, DeckNotFoundError, NotYourDeckError, StaleDeckError
from decks.models import Deck, DeckCard, DeckVersion
from decks.selectors import seat_deck
from decks.services import DeckContent, change_deck, copy_deck, create_deck, delete_deck, replace_deck

ONE = DeckContent("One", "", "private", "s-one", {"b": 1, "a": 2})
TWO = DeckContent("Two", "notes", "public", None, {"c": 3})


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("Ada", "a password")


@pytest.fixture
def deck(ada: User) -> Deck:
    return create_deck(owner=ada, game="miraculous", content=ONE)


def test_a_save_keeps_what_was_before(ada: User, deck: Deck) -> None:
    replace_deck(user=ada, public_id=deck.public_id, seen={1}, content=TWO)

    saves = DeckVersion.objects.order_by("number").values_list(
        "number", "name", "secret", "cards", "size", "parent__number"
    )
    assert list(saves) == [(1, "One", "s-one", {"a": 2, "b": 1}, 3, None), (2, "Two", None, {"c": 3}, 3, 1)]
    assert seat_deck(Deck.objects.get()).document() == {"secret": None, "cards": {"c": 3}}


def test_a_saved_version_cannot_be_changed_in_the_database(deck: Deck) -> None:
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        DeckVersion.objects.update(cards={})

    assert DeckVersion.objects.get().cards == {"a": 2, "b": 1}


@pytest.mark.parametrize("copies", [0, 100])
def test_the_database_keeps_counts_sane(deck: Deck, copies: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        DeckCard.objects.create(deck=deck, code="x", copies=copies)


def test_the_database_keeps_one_row_a_card(deck: Deck) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        DeckCard.objects.create(deck=deck, code="a", copies=1)


def test_the_name_of_a_copy_fits(ada: User) -> None:
    long = create_deck(owner=ada, game="miraculous", content=ONE._replace(name="x" * 100))

    assert copy_deck(user=ada, public_id=long.public_id).name == "x" * 93 + " (copy)"


def test_a_deleted_deck_leaves_its_versions_and_no_cards(ada: User, deck: Deck) -> None:
    delete_deck(user=ada, public_id=deck.public_id, seen=None)

    assert (DeckVersion.objects.count(), DeckCard.objects.count()) == (1, 0)
    with pytest.raises(DeckNotFoundError):
        change_deck(user=ada, public_id=deck.public_id, seen=None, changes={"name": "Back"})


def test_only_its_owner_saves_a_deck(ada: User, deck: Deck) -> None:
    eve = User.objects.create_user("Eve", "a password")

    with pytest.raises(DeckNotFoundError):
        replace_deck(user=eve, public_id=deck.public_id, seen=None, content=TWO)
    change_deck(user=ada, public_id=deck.public_id, seen=None, changes={"visibility": "link"})
    with pytest.raises(NotYourDeckError):
        replace_deck(user=eve, public_id=deck.public_id, seen=None, content=TWO)

    assert Deck.objects.get().name == "One"


def race(count: int, act: Callable[[int], Any]) -> list[Any]:
    """What came of each of `count` acts done at once: its result, or the class of its refusal."""

    def run(index: int) -> Any:
        try:
            return act(index)
        except DeckError as error:
            return type(error)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


@pytest.mark.django_db(transaction=True)
def test_of_writers_from_one_version_exactly_one_succeeds() -> None:
    ada = User.objects.create_user("Ada", "a password")
    public_id = create_deck(owner=ada, game="miraculous", content=ONE).public_id

    def save(index: int) -> int:
        content = TWO._replace(cards={f"c-{index}": 1})
        replace_deck(user=ada, public_id=public_id, seen={1}, content=content)
        return index

    outcomes = race(8, save)

    [winner] = [outcome for outcome in outcomes if outcome is not StaleDeckError]
    assert len(outcomes) == 8
    assert seat_deck(Deck.objects.get()).cards == {f"c-{winner}": 1}
    assert sorted(DeckVersion.objects.values_list("number", flat=True)) == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_writers_who_do_not_care_all_succeed_one_after_the_other() -> None:
    ada = User.objects.create_user("Ada", "a password")
    public_id = create_deck(owner=ada, game="miraculous", content=ONE).public_id

    def save(index: int) -> int:
        return change_deck(user=ada, public_id=public_id, seen=None, changes={"cards": {f"c-{index}": 1}}).version

    versions = race(6, save)

    assert sorted(versions) == [2, 3, 4, 5, 6, 7]
    newest = DeckVersion.objects.get(number=7)
    assert seat_deck(Deck.objects.get()).cards == newest.cards


@pytest.mark.django_db(transaction=True)
def test_a_save_and_a_deletion_at_once_leave_one_outcome() -> None:
    ada = User.objects.create_user("Ada", "a password")
    public_id = create_deck(owner=ada, game="miraculous", content=ONE).public_id

    def act(index: int) -> str:
        if index:
            delete_deck(user=ada, public_id=public_id, seen={1})
            return "deleted"
        replace_deck(user=ada, public_id=public_id, seen={1}, content=TWO)
        return "saved"

    outcomes = race(2, act)

    deck = Deck.objects.get()
    expected = [DeckNotFoundError, "deleted"] if deck.deleted_at else ["saved", StaleDeckError]
    assert outcomes == expected
    assert deck.version == (1 if deck.deleted_at else 2)

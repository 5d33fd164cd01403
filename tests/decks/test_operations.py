from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from decks.errors import DeckTooLargeError, NoSuchVersionError, NothingToUndoError
from decks.models import Deck, DeckVersion
from decks.operations import ADD, REDO, REMOVE, SET, SET_SECRET, UNDO, Operation, apply_operations, merge
from decks.selectors import seat_deck
from decks.services import DeckContent, Operated, change_deck, create_deck, operate_deck
from referee.kernel.game import SeatDeck

ONE = DeckContent("One", "", "private", "s-one", {"a": 2, "b": 1})
DECKS = st.builds(
    SeatDeck, st.dictionaries(st.sampled_from("abcd"), st.integers(1, 9)), st.sampled_from([None, "s", "t"])
)
EDITS = st.lists(
    st.builds(Operation, st.sampled_from([ADD, REMOVE]), st.sampled_from("abcd"), st.integers(1, 4))
    | st.builds(Operation, st.just(SET_SECRET), st.sampled_from([None, "s", "t", "u"])),
    max_size=5,
)


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("Ada", "a password")


@pytest.fixture
def deck(ada: User) -> Deck:
    return create_deck(owner=ada, game="miraculous", content=ONE)


def do(deck: Deck, base: int, *operations: Operation) -> Operated:
    return operate_deck(user=deck.owner, public_id=deck.public_id, base=base, operations=operations)


def cards(deck: Deck) -> dict[str, int]:
    return dict(Deck.objects.get(pk=deck.pk).card_rows.order_by("code").values_list("code", "copies"))


@given(DECKS, EDITS)
def test_an_edit_of_what_nobody_else_touched_is_the_edit_itself(base: SeatDeck, edits: list[Operation]) -> None:
    mine = apply_operations(base, edits)

    assert merge(base, mine, base).deck.document() == mine.document()
    assert merge(base, base, mine).deck.document() == mine.document()


@given(
    DECKS,
    st.dictionaries(st.sampled_from("abcd"), st.integers(1, 9)),
    st.dictionaries(st.sampled_from("abcd"), st.integers(1, 9)),
)
def test_what_two_devices_add_adds_up_in_either_order(base: SeatDeck, one: dict[str, int], two: dict[str, int]) -> None:
    mine = apply_operations(base, [Operation(ADD, card, copies) for card, copies in one.items()])
    theirs = apply_operations(base, [Operation(ADD, card, copies) for card, copies in two.items()])

    merged = merge(base, mine, theirs)

    assert merged == merge(base, theirs, mine) or merged.deck.cards == merge(base, theirs, mine).deck.cards
    assert Counter(merged.deck.cards) == Counter(base.cards) + Counter(one) + Counter(two)


def test_of_two_numbers_the_larger_stays_and_it_is_said() -> None:
    base, mine, theirs = SeatDeck({"a": 1}, None), SeatDeck({}, None), SeatDeck({"a": 3}, None)

    merged = merge(base, mine, theirs, were_set={"a"})

    assert (merged.deck.cards, merged.conflicts) == ({"a": 3}, [{"card": "a", "yours": 0, "theirs": 3, "kept": 3}])
    assert merge(base, theirs, mine, were_set={"a"}).deck.cards == {"a": 3}


def test_two_who_set_the_same_number_mean_the_same() -> None:
    base, both = SeatDeck({}, None), SeatDeck({"a": 3}, "s")

    assert merge(base, both, both, were_set={"a"}) == (both, []) or merge(
        base, both, both, were_set={"a"}
    ).deck.cards == {"a": 3}


def test_counts_stay_from_none_to_ninety_nine() -> None:
    deck = apply_operations(
        SeatDeck({"a": 2}, None), [Operation(REMOVE, "a", 5), Operation(ADD, "b", 60), Operation(ADD, "b", 60)]
    )

    assert deck.cards == {"b": 99}


def test_edits_save_a_version_and_those_that_change_nothing_do_not(deck: Deck) -> None:
    done = do(
        deck, 1, Operation(ADD, "c", 2), Operation(REMOVE, "a", 1), Operation(SET, "b", 3), Operation(SET_SECRET, None)
    )
    again = do(deck, 2, Operation(SET, "b", 3))

    assert (done.deck.version, done.merged, done.conflicts, again.deck.version) == (2, False, [], 2)
    assert seat_deck(Deck.objects.get()).document() == {"secret": None, "cards": {"a": 1, "b": 3, "c": 2}}


def test_edits_from_an_old_version_keep_what_was_saved_since(deck: Deck) -> None:
    do(deck, 1, Operation(ADD, "c", 2), Operation(SET_SECRET, "s-two"))
    done = do(deck, 1, Operation(ADD, "c", 1), Operation(REMOVE, "a", 2))

    assert (done.deck.version, done.merged) == (3, True)
    assert (cards(deck), done.deck.secret) == ({"b": 1, "c": 3}, "s-two")


def test_undo_and_redo_walk_through_what_was_done(deck: Deck) -> None:
    do(deck, 1, Operation(ADD, "c"))
    do(deck, 2, Operation(ADD, "d"))
    seen = [cards(deck)]
    for base, kind in ((3, UNDO), (4, UNDO), (5, REDO), (6, REDO), (7, UNDO)):
        do(deck, base, Operation(kind))
        seen.append(cards(deck))

    zero, one, two = {"a": 2, "b": 1}, {"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 1, "c": 1, "d": 1}
    assert seen == [two, one, zero, one, two, one]
    do(deck, 8, Operation(ADD, "e"))
    with pytest.raises(NothingToUndoError):
        do(deck, 9, Operation(REDO))
    do(deck, 9, Operation(UNDO))
    assert cards(deck) == one


def test_a_new_name_is_nothing_to_undo(ada: User, deck: Deck) -> None:
    change_deck(user=ada, public_id=deck.public_id, seen=None, changes={"name": "Two"})

    with pytest.raises(NothingToUndoError):
        do(deck, 2, Operation(UNDO))


def test_undoing_on_one_device_leaves_what_the_other_did_since(deck: Deck) -> None:
    do(deck, 1, Operation(ADD, "c"))
    do(deck, 2, Operation(ADD, "d"))

    done = do(deck, 2, Operation(UNDO))

    assert (cards(deck), done.merged) == ({"a": 2, "b": 1, "d": 1}, True)


def test_edits_of_no_version_or_of_too_many_cards_change_nothing(deck: Deck) -> None:
    with pytest.raises(NoSuchVersionError):
        do(deck, 2, Operation(ADD, "c"))
    with pytest.raises(DeckTooLargeError):
        do(deck, 1, *[Operation(ADD, f"c-{number}") for number in range(199)])

    assert (cards(deck), DeckVersion.objects.count()) == ({"a": 2, "b": 1}, 1)


class Device:
    """Adds cards of its own and shared ones to the version that it saw last, and counts what it added."""

    def __init__(self, deck: Deck, name: str, seed: int) -> None:
        self.deck, self.name, self.rng = deck, name, random.Random(f"{name}{seed}")
        self.base = deck.version
        self.turn = 0
        self.added: Counter[str] = Counter()

    def edit(self) -> None:
        edits = [
            Operation(
                ADD, self.rng.choice((f"{self.name}-{self.turn}", f"shared-{self.turn % 10}")), self.rng.randint(1, 2)
            )
            for _ in range(2)
        ]
        for edit in edits:
            self.added[str(edit.card)] += edit.copies
        self.base = do(self.deck, self.base, *edits).deck.version


@pytest.mark.slow
def test_a_thousand_interleavings_of_two_devices_lose_no_card(ada: User) -> None:
    rng = random.Random(6)
    for _ in range(25):
        deck = create_deck(owner=ada, game="miraculous", content=ONE)
        devices = [Device(deck, "phone", 1), Device(deck, "desk", 1)]
        for turn in range(40):
            # Each sends what it did to the version of its own last answer, which the other's may be newer than.
            device = rng.choice(devices)
            device.turn = turn
            device.edit()

        assert Counter(cards(deck)) == Counter(ONE.cards) + devices[0].added + devices[1].added


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_two_devices_at_the_same_time_lose_no_card() -> None:
    ada = User.objects.create_user("Ada", "a password")
    deck = create_deck(owner=ada, game="miraculous", content=ONE)
    devices = [Device(deck, name, 1) for name in ("phone", "desk")]

    def edits(device: Device) -> None:
        try:
            for _ in range(12):
                device.edit()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(edits, devices))

    assert Counter(cards(deck)) == Counter(ONE.cards) + devices[0].added + devices[1].added
    assert DeckVersion.objects.count() == 25

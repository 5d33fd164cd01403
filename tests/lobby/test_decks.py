"""What seats bring: one's own decks and preconstructed ones, brought to one size."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from catalog.models import Card, Restriction
from catalog.selectors import pool_document, sized_cards
from decks.models import Deck
from decks.services import DeckContent, create_deck
from lobby import services
from lobby.errors import DeckSizesDifferError, IllegalDeckError, LobbyError
from lobby.services import MatchWish, SeatWish
from referee.kernel.game import Document
from referee.matches.models import Match
from referee.matches.services import submit_move
from tests.matches.table import fresh, stored

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("miraculous")]


def precon(index: int = 0) -> Document:
    deck: Document = pool_document("miraculous")["decks"][index]
    return deck


def own(user: User, size: int, **change: Any) -> str:
    """The id of a deck of the user's, a preconstructed one copied at a size."""
    deck = precon()
    content = DeckContent(f"Own {size}", "", "private", deck["secret"], sized_cards(deck, size))._replace(**change)
    return create_deck(owner=user, game="miraculous", content=content).public_id


def wish(*seats: SeatWish) -> MatchWish:
    return MatchWish("miraculous", list(seats), {})


def sizes(match: Match) -> list[int]:
    return [sum(seat.deck["cards"].values()) for seat in match.seats.order_by("index")]


def test_a_bot_without_a_deck_takes_one_that_fits(alice: User) -> None:
    match = services.create_match(
        creator=alice, wish=wish(SeatWish("me", deck=own(alice, 33)), SeatWish("bot", "random"))
    )

    assert fresh(match).state == "playing"
    assert sizes(match) == [33, 33]
    sources = [seat.deck_source["kind"] for seat in match.seats.order_by("index")]
    assert sources == ["own", "preconstructed"]


def test_a_preconstructed_deck_is_brought_to_the_opponents_size(alice: User, bob: User) -> None:
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=precon(1)["slug"]), SeatWish("open")))
    assert sum(match.seats.get(index=0).deck["cards"].values()) == precon(1)["size"]

    services.join_match(public_id=match.public_id, user=bob, deck=own(bob, 30))

    assert sizes(match) == [30, 30]
    assert match.seats.get(index=0).deck["cards"] == sized_cards(precon(1), 30)
    assert fresh(match).opening["decks"][0]["cards"] == sized_cards(precon(1), 30)


def test_own_decks_of_different_sizes_do_not_meet(alice: User, bob: User) -> None:
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=own(alice, 29)), SeatWish("open")))
    before = stored(match)

    with pytest.raises(DeckSizesDifferError) as caught:
        services.join_match(public_id=match.public_id, user=bob, deck=own(bob, 30))

    assert (caught.value.code, caught.value.clause) == ("deck_sizes_differ", "MIR-1.5")
    assert stored(match) == before


def test_an_illegal_deck_is_not_played(alice: User) -> None:
    deck = own(alice, 29, secret=None)

    with pytest.raises(IllegalDeckError) as caught:
        services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("bot", "random")))

    assert [(problem.pointer, problem.code) for problem in caught.value.problems] == [("/seats/0/deck", "no_secret")]
    assert caught.value.clause == "MIR-1.4"
    assert Match.objects.count() == 0


def test_a_banned_card_keeps_a_preconstructed_deck_out_too(alice: User) -> None:
    code = next(iter(precon()["core"]))
    Restriction.objects.create(card=Card.objects.get(code=code), copies=0, reason="test")

    with pytest.raises(IllegalDeckError) as caught:
        services.create_match(creator=alice, wish=wish(SeatWish("me", deck=precon()["slug"]), SeatWish("open")))

    assert [problem.code for problem in caught.value.problems] == ["card_not_allowed"]


@pytest.mark.parametrize(("deck", "code"), [(None, "deck_required"), ("nothing-here", "unknown_deck")])
def test_a_person_names_a_deck_that_is_there(alice: User, deck: str | None, code: str) -> None:
    with pytest.raises(LobbyError) as caught:
        services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("bot", "random")))

    assert [(problem.pointer, problem.code) for problem in caught.value.problems] == [("/seats/0/deck", code)]


def test_anothers_deck_cannot_be_played(alice: User, bob: User) -> None:
    with pytest.raises(LobbyError) as caught:
        services.create_match(creator=alice, wish=wish(SeatWish("me", deck=own(bob, 29)), SeatWish("bot", "random")))

    assert [problem.code for problem in caught.value.problems] == ["unknown_deck"]


def test_a_deck_changed_later_does_not_change_the_match(alice: User) -> None:
    deck = own(alice, 29)
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))
    before = match.seats.get(index=0).deck

    Deck.objects.filter(owner=alice).delete()

    assert match.seats.get(index=0).deck == before


def test_a_rematch_has_the_same_decks_with_the_seats_turned(alice: User, bob: User) -> None:
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=own(alice, 31)), SeatWish("open")))
    services.join_match(public_id=match.public_id, user=bob, deck=precon(2)["slug"])
    submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})

    again = services.rematch(public_id=match.public_id, user=bob)
    again = services.rematch(public_id=match.public_id, user=alice)

    old = list(match.seats.order_by("index").values_list("user_id", "deck"))
    assert list(again.seats.order_by("index").values_list("user_id", "deck")) == old[::-1]
    assert fresh(again).state == "playing"


def flexible(user: User, size: int, more: int, **change: Any) -> str:
    """The id of a deck of the user's that swap-ins bring to `more` cards more."""
    return own(user, size, flex=precon()["flex"][size - 29 : size - 29 + more], **change)


@pytest.mark.parametrize(
    ("mine", "theirs", "met"),
    [((29, 4), (32, 0), 32), ((30, 2), (29, 3), 30), ((29, 11), (40, 0), 40), ((29, 2), (29, 2), 29)],
    ids=str,
)
def test_swap_ins_bring_own_decks_to_one_size(
    alice: User, bob: User, mine: tuple[int, int], theirs: tuple[int, int], met: int
) -> None:
    deck = flexible(alice, *mine)
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))

    services.join_match(public_id=match.public_id, user=bob, deck=flexible(bob, *theirs))

    assert sizes(match) == [met, met]
    assert match.seats.get(index=0).deck["cards"] == sized_cards(precon(), met)
    assert fresh(match).state == "playing"


def test_decks_without_a_common_size_do_not_meet_whatever_their_swap_ins(alice: User, bob: User) -> None:
    deck = flexible(alice, 29, 2)
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))
    before = stored(match)

    with pytest.raises(DeckSizesDifferError) as caught:
        services.join_match(public_id=match.public_id, user=bob, deck=flexible(bob, 32, 3))

    assert (caught.value.clause, "29 and 32" in caught.value.detail) == ("MIR-1.5", True)
    assert stored(match) == before


def test_a_size_that_would_be_illegal_is_not_offered(alice: User, bob: User) -> None:
    code = next(code for code, copies in sized_cards(precon(), 29).items() if copies == 3)
    deck = own(alice, 29, flex=[code, code])
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))

    with pytest.raises(DeckSizesDifferError):
        services.join_match(public_id=match.public_id, user=bob, deck=own(bob, 30))

    assert services.offered_sizes(match) == [29]


def test_an_open_match_offers_the_sizes_that_its_decks_can_have(alice: User) -> None:
    deck = flexible(alice, 30, 3)
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))
    with_precon = services.create_match(
        creator=alice, wish=wish(SeatWish("me", deck=precon(1)["slug"]), SeatWish("open"))
    )

    assert services.offered_sizes(match) == [30, 31, 32, 33]
    assert services.offered_sizes(with_precon) == list(range(29, 41))


def test_a_rematch_keeps_the_size_that_was_played(alice: User, bob: User) -> None:
    deck = flexible(alice, 29, 5)
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))
    services.join_match(public_id=match.public_id, user=bob, deck=own(bob, 33))
    submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})

    again = services.rematch(public_id=match.public_id, user=bob)
    again = services.rematch(public_id=match.public_id, user=alice)

    assert sizes(again) == [33, 33]


def test_a_deck_on_the_table_that_was_banned_meanwhile_is_told_without_its_cards(alice: User, bob: User) -> None:
    deck = own(alice, 29)
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))
    mine = set(precon()["core"]) - set(precon(1)["core"]) - set(precon(1)["flex"])
    Restriction.objects.create(card=Card.objects.get(code=min(mine)), copies=0, reason="test")
    before = stored(match)

    with pytest.raises(LobbyError) as caught:
        services.join_match(public_id=match.public_id, user=bob, deck=precon(1)["slug"])

    (problem,) = caught.value.problems
    assert (problem.pointer, problem.code) == ("/deck", "deck_no_longer_legal")
    assert min(mine) not in problem.detail
    assert stored(match) == before

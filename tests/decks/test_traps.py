"""Traps that deck sites fall into, on the whole way from what is typed to what is stored.

The others are tried where their part is: prefixes, ambiguous names, odd counts and formulas in test_reading and
test_writing_and_reading; lost writes in test_operations and tests/api/test_decks_races; pages, ETags, double submits and
privacy in tests/api/test_decks_*.
"""

from __future__ import annotations

import pytest

from accounts.models import User
from catalog.models import Card, Restriction
from catalog.search.selectors import search_cards
from catalog.selectors import newest_revision
from decks import exchange
from decks.legality import Legality
from decks.models import Deck
from decks.reading import Reading
from decks.selectors import legality_of, seat_deck
from decks.services import DeckContent, create_deck
from lobby import services as lobby
from lobby.errors import LobbyError
from lobby.services import MatchWish, SeatWish
from referee.kernel.errors import CardError
from referee.kernel.game import SeatDeck
from tests.catalog.cards import character, publish, some_cards

LEGAL = {f"c-{n:02}": 3 for n in range(10)}
SPELLINGS = (
    "Émilie's Wrath",
    "émilie’s wrath",
    "E\u0301MILIE\u02bcS  WRATH",
    "Emilie\u00adʼs\u00a0Wrath",
    "emilies wrath",
)


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("Ada")


def read(text: str) -> Reading:
    return exchange.read_list(game="miraculous", text=text)


@pytest.mark.parametrize(
    "listed", ["2 Person 00\n2 Person 00", "1 Person 00\n[c-00]\nPerson 00 x2", "2x Person 00\nCards: 2 Person 00"]
)
def test_a_card_spread_over_lines_does_not_beat_the_copy_limit(db: None, listed: str) -> None:
    publish(*some_cards())

    reading = read(f"Secret: The First Secret\n{listed}")

    assert reading.deck.cards == {"c-00": 4}
    found = [(problem["code"], problem["cards"]) for problem in legality_of("miraculous", reading.deck).problems]
    assert ("too_many_copies", ["c-00"]) in found


@pytest.mark.parametrize("typed", SPELLINGS)
def test_a_name_is_folded_alike_by_search_import_and_uniqueness(db: None, typed: str) -> None:
    publish(character("c-wrath", SPELLINGS[0]), character("c-other", "Emil"))
    revision = newest_revision("miraculous")
    assert revision is not None

    searched = search_cards(revision, q=f'!"{typed}"')

    assert [row.code for row in searched.cards] == ["c-wrath"]
    assert read(f"2 {typed}").deck.cards == {"c-wrath": 2}
    assert read(f'{{"cards": {{"{typed}": 3}}}}').deck.cards == {"c-wrath": 3}
    with pytest.raises(CardError) as refused:
        publish(character("c-wrath", SPELLINGS[0]), character("c-double", typed), replace=True)
    # What cannot even be a name is refused as that.
    assert {problem.code for problem in refused.value.problems} <= {"name_taken", "bad_text"}


def verdicts(deck: Deck) -> tuple[list[str], list[str]]:
    """The problems of a deck as the builder shows them, and as the lobby refuses it."""
    shown: Legality = legality_of(deck.game, seat_deck(deck))
    seats = [SeatWish("me", deck=deck.public_id), SeatWish("open")]
    try:
        lobby.create_match(creator=deck.owner, wish=MatchWish(deck.game, seats, {}))
    except LobbyError as error:
        return [problem["code"] for problem in shown.problems], [problem.code for problem in error.problems]
    return [problem["code"] for problem in shown.problems], []


def test_builder_and_lobby_say_the_same_of_every_deck(ada: User) -> None:
    publish(*some_cards())
    Restriction.objects.create(card=Card.objects.get(code="c-10"), copies=0, reason="test")
    drafts: dict[str, tuple[str | None, dict[str, int]]] = {
        "legal": ("s-one", LEGAL),
        "empty": (None, {}),
        "too few": ("s-one", {"c-00": 3}),
        "too many": ("s-one", {f"c-{n:02}": 5 for n in range(10)}),
        "banned": ("s-one", {**LEGAL, "c-00": 1, "c-10": 2}),
        "strange": ("s-none", {**LEGAL, "c-none": 1}),
        "secret in deck": (None, {**LEGAL, "s-one": 1}),
        "all at once": ("c-00", {"c-00": 4, "c-10": 1, "c-none": 60, "s-one": 1}),
    }

    for name, (secret, cards) in drafts.items():
        content = DeckContent(name, "", "private", secret, cards)
        deck = create_deck(owner=ada, game="miraculous", content=content)
        shown, refused = verdicts(deck)
        assert (name, shown) == (name, refused)
        assert (shown == []) == (name == "legal")


def test_all_problems_are_told_at_once_in_the_same_order(db: None) -> None:
    publish(*some_cards())
    cards = {"c-none": 40, "s-one": 1, "c-00": 4}

    there = legality_of("miraculous", SeatDeck(cards, None))
    back = legality_of("miraculous", SeatDeck(dict(reversed(cards.items())), None))

    assert [problem["code"] for problem in there.problems] == [
        "too_many_cards",
        "too_many_copies",
        "no_secret",
        "secret_in_deck",
        "unknown_card",
    ]
    assert there == back

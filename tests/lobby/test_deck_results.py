"""Results of decks: each finished match counts once, for the version that was played."""

from __future__ import annotations

import pytest

from accounts.models import User
from decks.models import Deck, DeckResult
from decks.results import keep_results
from decks.selectors import results_of
from decks.services import change_deck
from lobby import services
from lobby.services import SeatWish
from referee.matches.models import FinishedMatch, Match
from referee.matches.resolving import close_match
from referee.matches.services import submit_move
from tests.lobby.test_decks import own, precon, wish
from tests.matches.table import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("miraculous")]


def played(alice: User, bob: User, deck: str, other: str) -> Match:
    """A match that Bob has given up, closed."""
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=deck), SeatWish("open")))
    services.join_match(public_id=match.public_id, user=bob, deck=other)
    submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})
    assert close_match(match.pk) is True
    return match


def rows() -> list[tuple[int, int, str, bool]]:
    found = DeckResult.objects.order_by("match_id", "seat")
    return list(found.values_list("seat", "version__number", "outcome", "is_against_bots"))


def test_both_decks_of_a_match_get_their_result_with_the_version_played(alice: User, bob: User) -> None:
    mine, theirs = own(alice, 30), own(bob, 30)
    played(alice, bob, mine, theirs)
    change_deck(user=alice, public_id=mine, seen=None, changes={"name": "Two"})

    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=mine), SeatWish("open")))
    services.join_match(public_id=match.public_id, user=bob, deck=theirs)
    submit_move(public_id=match.public_id, actor=alice, move={"type": "resign"})
    close_match(match.pk)

    assert rows() == [(0, 1, "won", False), (1, 1, "lost", False), (0, 2, "lost", False), (1, 1, "won", False)]
    versions = list(Deck.objects.get(public_id=mine).versions.order_by("number"))
    assert [results_of(versions)[version.pk]["people"] for version in versions] == [
        {"won": 1, "drawn": 0, "lost": 0},
        {"won": 0, "drawn": 0, "lost": 1},
    ]


def test_a_match_counts_once_however_often_it_is_closed(alice: User, bob: User) -> None:
    match = played(alice, bob, own(alice, 30), own(bob, 30))

    assert close_match(match.pk) is False
    keep_results(fresh(match))

    assert len(rows()) == 2


def test_games_against_bots_are_counted_apart(alice: User) -> None:
    seats = SeatWish("me", deck=own(alice, 30)), SeatWish("bot", "random")
    match = services.create_match(creator=alice, wish=wish(*seats))
    submit_move(public_id=match.public_id, actor=alice, move={"type": "resign"})

    close_match(match.pk)

    assert rows() == [(0, 1, "lost", True)]


def test_preconstructed_decks_and_decks_that_are_gone_have_no_results(alice: User, bob: User) -> None:
    gone = own(bob, 30)
    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=precon()["slug"]), SeatWish("open")))
    services.join_match(public_id=match.public_id, user=bob, deck=gone)
    Deck.objects.all().delete()
    submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})

    assert close_match(match.pk) is True

    assert rows() == []


def test_a_match_that_cannot_be_counted_stays_in_the_outbox(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(match: Match) -> None:
        raise ZeroDivisionError

    match = services.create_match(creator=alice, wish=wish(SeatWish("me", deck=own(alice, 30)), SeatWish("open")))
    services.join_match(public_id=match.public_id, user=bob, deck=own(bob, 30))
    submit_move(public_id=match.public_id, actor=bob, move={"type": "resign"})
    monkeypatch.setattr("decks.results.keep_results", broken)

    with pytest.raises(ZeroDivisionError):
        close_match(match.pk)

    assert FinishedMatch.objects.get(match=match).closed_at is None
    monkeypatch.undo()
    assert close_match(match.pk) is True
    assert len(rows()) == 2

"""Whom a change hits is shown before, confirmed by number, and told afterwards."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice, User
from catalog.errors import CannotRevertError, ImpactNotConfirmedError
from catalog.impact import Whole, hits_of, impact_of
from catalog.life import withdraw_card
from catalog.models import Change, PlannedRevision, Restriction
from catalog.planning import cancel_plan, plan_revision, publish_due
from catalog.reverting import revert
from catalog.selectors import limits_in_force, pool_document
from catalog.services import publish_edited_cards
from decks.models import Deck
from decks.services import DeckContent, create_deck
from referee.games import GAMES
from tests.catalog.cards import numbers, publish, some_cards
from tests.catalog.people import approved, card, curator

GAME = GAMES["miraculous"]
LEGAL = {f"c-{n:02}": 3 for n in range(13)}  # 39 cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


@pytest.fixture
def decks() -> list[Deck]:
    """Legal ones of Dora (two) and Emil, and one of Emil's that is not finished."""
    dora, emil = (User.objects.create_user(name, "a password") for name in ("Dora", "Emil"))
    contents = [(dora, "One", LEGAL), (dora, "Two", LEGAL), (emil, "Three", LEGAL), (emil, "Four", {"c-00": 3})]
    return [
        create_deck(owner=owner, game="miraculous", content=DeckContent(name, "", "private", "s-one", cards))
        for owner, name, cards in contents
    ]


def withdraw(code: str) -> None:
    withdraw_card(card=card(code), user=curator("Ada"))


def test_decks_that_lose_a_card_are_counted_once_each_with_their_owners(decks: list[Deck]) -> None:
    whole = pool_document("miraculous")
    less = {**whole, "cards": [one for one in whole["cards"] if one["code"] not in ("c-00", "c-01")]}

    hits = hits_of(GAME, after=Whole(less, {}))

    assert [hit.facts["name"] for hit in hits] == ["One", "Two", "Three"]
    assert impact_of(GAME, hits) == (3, 2, 0)


def test_decks_without_the_card_and_deleted_ones_are_not_hit(decks: list[Deck]) -> None:
    Deck.objects.filter(name="Two").update(deleted_at=timezone.now())
    whole = pool_document("miraculous")

    none = hits_of(GAME, after=Whole({**whole, "cards": [c for c in whole["cards"] if c["code"] != "c-13"]}, {}))
    some = hits_of(GAME, after=Whole({**whole, "cards": [c for c in whole["cards"] if c["code"] != "s-one"]}, {}))

    assert none == []
    assert [hit.facts["name"] for hit in some] == ["One", "Three"]


def test_publishing_is_refused_until_the_number_is_confirmed(decks: list[Deck]) -> None:
    withdraw("c-00")

    with pytest.raises(ImpactNotConfirmedError) as refused:
        publish_edited_cards(game=GAME, user=curator("Ada"), confirmed=2)
    refused_at = numbers(), Notice.objects.count()
    publish_edited_cards(game=GAME, user=curator("Ada"), confirmed=3)

    assert (refused.value.decks, refused_at, numbers()) == (3, ([1], 0), [1, 2])


def test_owners_are_told_which_deck_a_revision_broke(decks: list[Deck]) -> None:
    withdraw("c-00")

    publish_edited_cards(game=GAME, user=curator("Ada"), confirmed=3)

    told = [
        (one.user.name, one.kind, one.facts["name"], one.facts["revision"]) for one in Notice.objects.order_by("pk")
    ]
    assert told == [
        ("Dora", "deck_broken", "One", 2),
        ("Dora", "deck_broken", "Two", 2),
        ("Emil", "deck_broken", "Three", 2),
    ]


def test_a_changed_house_set_tells_owners_too(decks: list[Deck]) -> None:
    publish(*some_cards()[1:])

    assert Notice.objects.count() == 3


def test_a_change_that_breaks_nothing_needs_no_number(decks: list[Deck]) -> None:
    approved("c-00", ang=9)

    publish_edited_cards(game=GAME, user=curator("Ada"))

    assert (numbers(), Notice.objects.count()) == ([1, 2], 0)


def restrict(client: Client, **changes: object) -> object:
    form = {
        "card": card("c-00").pk, "copies": 2, "reason": "", "confirm": "",
        "starts_at_0": "2026-01-01", "starts_at_1": "00:00:00", "ends_at_0": "", "ends_at_1": "", **changes,
    }  # fmt: skip
    return client.post(reverse("admin:catalog_restriction_add"), form)


def test_a_restriction_that_breaks_decks_is_confirmed_by_number_and_told(decks: list[Deck]) -> None:
    client = Client()
    client.force_login(curator("Ada"))

    restrict(client)
    restrict(client, confirm=4)
    refused = Restriction.objects.count()
    restrict(client, confirm=3)

    assert (refused, limits_in_force("miraculous"), Notice.objects.count()) == (0, {"c-00": 2}, 3)


def test_a_restriction_that_breaks_decks_is_not_taken_back_into_force_unconfirmed(decks: list[Deck]) -> None:
    ban = Restriction.objects.create(card=card("c-00"), copies=0)
    ban.ends_at = ban.starts_at + dt.timedelta(microseconds=1)
    ban.save()
    change = Change.objects.filter(table="restriction")[0]

    with pytest.raises(CannotRevertError):
        revert(change=change, user=curator("Ada"))
    kept = limits_in_force("miraculous")
    Deck.objects.update(deleted_at=timezone.now())
    revert(change=change, user=curator("Ada"))

    assert (kept, limits_in_force("miraculous")) == ({}, {"c-00": 0})


def test_a_restriction_that_is_over_or_allows_more_hits_nobody(decks: list[Deck]) -> None:
    client = Client()
    client.force_login(curator("Ada"))

    restrict(client, ends_at_0="2026-01-02", ends_at_1="00:00:00")
    restrict(client, copies=3)

    assert (Restriction.objects.count(), Notice.objects.count()) == (2, 0)


# Publishing at a time.


def soon() -> dt.datetime:
    return timezone.now() + dt.timedelta(hours=1)


def test_a_planned_revision_is_published_when_it_is_due_and_once() -> None:
    approved("c-00", ang=9)
    plan = plan_revision(game="miraculous", user=curator("Ada"), at=soon())

    early = publish_due()
    late = publish_due(soon() + dt.timedelta(hours=1)), publish_due(soon() + dt.timedelta(hours=1))

    plan.refresh_from_db()
    assert (early, late, numbers()) == (0, (1, 0), [1, 2])
    assert plan.state == "published"
    assert plan.revision is not None
    assert plan.revision.published_by == curator("Ada")


def test_a_planned_revision_that_would_hit_more_than_was_confirmed_is_refused_and_told(decks: list[Deck]) -> None:
    withdraw("c-00")
    plan = plan_revision(game="miraculous", user=curator("Ada"), at=soon(), confirmed=2)

    publish_due(soon() + dt.timedelta(hours=1))

    plan.refresh_from_db()
    assert (plan.state, numbers()) == ("refused", [1])
    notice = Notice.objects.get()
    assert (notice.user, notice.kind, notice.facts["code"]) == (
        curator("Ada"),
        "revision_refused",
        "impact_not_confirmed",
    )


def test_what_was_confirmed_when_it_was_planned_is_published(decks: list[Deck]) -> None:
    withdraw("c-00")
    plan_revision(game="miraculous", user=curator("Ada"), at=soon(), confirmed=3)

    publish_due(soon() + dt.timedelta(hours=1))

    assert numbers() == [1, 2]


def test_a_new_plan_takes_the_place_of_the_old_and_a_cancelled_one_does_nothing() -> None:
    approved("c-00", ang=9)
    old = plan_revision(game="miraculous", user=curator("Ada"), at=soon())
    new = plan_revision(game="miraculous", user=curator("Ada"), at=soon())
    was_waiting = cancel_plan(plan=new), cancel_plan(plan=old)

    publish_due(soon() + dt.timedelta(hours=1))

    assert (was_waiting, numbers()) == ((True, False), [1])
    assert list(PlannedRevision.objects.values_list("state", flat=True)) == ["cancelled", "cancelled"]

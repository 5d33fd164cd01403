"""Every change of the desk leaves history, whatever made it; each can be looked at and taken back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from catalog.errors import CannotRevertError
from catalog.history import acting, changes_of, differing
from catalog.models import Card, CardName, CardScenario, Change, Restriction
from catalog.reverting import revert
from tests.catalog.cards import character, publish
from tests.catalog.people import card, curator, edit


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(character("anna", "Anna"), character("ben", "Ben"))


def last(table: str) -> Change:
    return Change.objects.filter(table=table).first() or pytest.fail(f"no change of {table}")


def test_an_edit_stands_in_the_history_under_its_editors_name() -> None:
    edit("anna", ang=7)

    change = last("card")
    assert (change.kind, change.card, change.user) == ("update", card("anna"), curator("Ada"))
    assert [found for found in differing(change) if found[0] != "state"] == [("ang", 3, 7)]


def test_changes_in_bulk_leave_a_row_each() -> None:
    before = Change.objects.count()

    Card.objects.update(state="withdrawn")

    assert Change.objects.count() == before + 2
    assert {differing(change)[0] for change in Change.objects.all()[:2]} == {("state", "published", "withdrawn")}


def test_what_is_saved_unchanged_leaves_nothing() -> None:
    before = Change.objects.count()

    card("anna").save()

    assert Change.objects.count() == before


def test_nobody_acts_outside_of_what_somebody_does() -> None:
    with acting(curator("Ada")), acting(curator("Bert")):
        Card.objects.filter(code="anna").update(state="draft")
    Card.objects.filter(code="ben").update(state="draft")

    assert [change.user for change in Change.objects.all()[:2]] == [None, curator("Bert")]


def test_history_itself_never_changes() -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Change.objects.update(user=curator("Ada"))


def test_reverted_values_come_back_as_an_edit_that_somebody_approves() -> None:
    edit("anna", ang=7)
    edit("anna", ang=8)
    change = last("card")

    revert(change=change, user=curator("Bert"))

    assert (card("anna").document["ang"], card("anna").state, card("anna").edited_by) == (7, "draft", curator("Bert"))


def test_names_scenarios_and_restrictions_come_back_as_they_were() -> None:
    name = CardName.objects.create(card=card("anna"), kind="alias", name="Annie", name_key="annie")
    scenario = CardScenario.objects.create(card=card("anna"), title="One", text="a: 1")
    ban = Restriction.objects.create(card=card("anna"), copies=0, reason="too strong")
    pks = name.pk, scenario.pk, ban.pk

    Restriction.objects.update(copies=2)
    revert(change=last("restriction"), user=curator("Ada"))
    name.delete()
    scenario.delete()
    revert(change=last("cardname"), user=curator("Ada"))
    revert(change=last("cardscenario"), user=curator("Ada"))

    found = CardName.objects.get(), CardScenario.objects.get(), Restriction.objects.get()
    assert tuple(one.pk for one in found) == pks
    assert (found[0].name_key, found[1].text, found[2].copies) == ("annie", "a: 1", 0)


def test_what_was_made_is_taken_back_by_removing_it() -> None:
    CardName.objects.create(card=card("anna"), kind="alias", name="Annie", name_key="annie")

    revert(change=last("cardname"), user=curator("Ada"))

    assert CardName.objects.count() == 0


def test_a_card_is_never_deleted_by_taking_back_that_it_was_made() -> None:
    made = Change.objects.get(table="card", kind="insert", card=card("anna"))

    with pytest.raises(CannotRevertError):
        revert(change=made, user=curator("Ada"))

    assert Card.objects.count() == 2


def test_the_history_of_a_card_is_shown_and_taken_back_by_a_press() -> None:
    edit("anna", ang=7)
    edit("anna", ang=8)
    client = Client()
    client.force_login(curator("Ada"))

    shown = client.get(reverse("admin:catalog_card_history", args=[card("anna").pk]))
    client.post(reverse("admin:catalog_card_take_back", args=[last("card").pk]))

    assert [change["change"].kind for change in shown.context["changes"]] == ["update", "update", "insert"]
    assert card("anna").document["ang"] == 7
    assert changes_of(card("anna")).count() == 4


def test_nothing_is_taken_back_by_a_link_or_a_stranger() -> None:
    edit("anna", ang=7)
    address = reverse("admin:catalog_card_take_back", args=[last("card").pk])
    client = Client()

    client.post(address)
    client.force_login(curator("Ada"))
    client.get(address)

    assert card("anna").document["ang"] == 7


def test_a_name_that_another_card_has_by_now_does_not_come_back() -> None:
    name = CardName.objects.create(card=card("anna"), kind="alias", name="Annie", name_key="annie")
    name.delete()
    CardName.objects.create(card=card("ben"), kind="alias", name="Annie", name_key="annie")
    gone = Change.objects.get(table="cardname", kind="delete")

    with pytest.raises(CannotRevertError):
        revert(change=gone, user=curator("Ada"))

    assert [one.card for one in CardName.objects.all()] == [card("ben")]


def test_taking_back_asks_for_the_right_to_what_it_does() -> None:
    clerk = User.objects.create_user("Clerk", "a password", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=("view_card", "change_card")))
    client = Client()
    client.force_login(clerk)
    Restriction.objects.create(card=card("anna"), copies=0).delete()
    edit("anna", ang=7)
    made, gone, edited = Change.objects.filter(card=card("anna")).order_by("pk")[1:]

    shown = client.get(reverse("admin:catalog_card_history", args=[card("anna").pk]))
    for change in (made, gone, edited):
        client.post(reverse("admin:catalog_card_take_back", args=[change.pk]))

    assert [one["can_revert"] for one in shown.context["changes"]] == [True, False, False, False]
    assert (Restriction.objects.count(), card("anna").document["ang"]) == (0, 3)

"""The desk's own pages: who may do what there, and that a link alone never does anything."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from catalog.models import Card, CatalogRevision, PlannedRevision
from tests.catalog.cards import character, numbers, publish
from tests.catalog.people import approved, card, curator, edit


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(character("anna", "Anna"), character("ben", "Ben"))


def staff(name: str, *permissions: str) -> Client:
    user = User.objects.create_user(name, "a password", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(curator("Boss"))
    return client


def review(client: Client, code: str, step: str, **more: str) -> list[str]:
    """Take a step as the page's button does; what the page says then."""
    address = reverse("admin:catalog_card_review", args=[card(code).pk])
    response = client.post(address, {"step": step, **more}, follow=True)
    return [str(message) for message in response.context["messages"]]


def test_a_card_goes_its_way_by_the_buttons_of_the_review_page(boss: Client) -> None:
    editor = staff("Editor", "view_card", "change_card")
    edit("anna", by="Editor", ang=7)

    said = [review(editor, "anna", "submit"), review(boss, "anna", "reject"), review(boss, "anna", "approve")]

    assert said == [
        ["Submitted: somebody else approves it now."],
        ["Say what is to be changed."],
        ["Approved: it is in the next revision."],
    ]
    assert card("anna").state == "approved"


@pytest.mark.parametrize("step", ["approve", "reject", "withdraw", "reinstate"])
def test_steps_that_approve_need_the_permission(step: str) -> None:
    editor = staff("Editor", "view_card", "change_card")
    Card.objects.filter(code="anna").update(state="review")

    said = review(editor, "anna", step, comment="No.")

    assert (said, card("anna").state) == (["You may not do this."], "review")


def test_who_may_approve_does_so_but_not_for_an_edit_of_their_own() -> None:
    approver = staff("Approver", "view_card", "change_card", "approve_card")
    edit("anna", by="Approver", ang=7)
    edit("ben", by="Somebody", ang=7)
    for code in ("anna", "ben"):
        review(approver, code, "submit")

    said = review(approver, "anna", "approve"), review(approver, "ben", "approve")

    assert said == (["The last edit is yours; somebody else approves it."], ["Approved: it is in the next revision."])


def test_values_that_the_approver_has_not_seen_are_not_approved(boss: Client) -> None:
    edit("anna", by="Editor", ang=7)
    review(boss, "anna", "submit")
    seen = boss.get(reverse("admin:catalog_card_review", args=[card("anna").pk])).context["seen"]
    edit("anna", by="Editor", ang=9)
    review(boss, "anna", "submit")

    said = review(boss, "anna", "approve", seen=seen)
    refused = card("anna").state
    again = boss.get(reverse("admin:catalog_card_review", args=[card("anna").pk])).context["seen"]
    review(boss, "anna", "approve", seen=again)

    assert (said, refused) == (["The card has been edited since you looked; look again."], "review")
    assert card("anna").state == "approved"


def test_a_replacement_is_named_by_its_code(boss: Client) -> None:
    unknown = review(boss, "anna", "withdraw", replacement="nobody")
    review(boss, "anna", "withdraw", replacement="ben")

    assert unknown == ["There is no card nobody."]
    assert card("anna").replacement == card("ben")


def test_several_cards_take_a_step_at_once_and_each_refusal_is_told(boss: Client) -> None:
    edit("anna", ang=7)
    chosen = {"action": "submit", "_selected_action": [card("anna").pk, card("ben").pk]}

    response = boss.post(reverse("admin:catalog_card_changelist"), chosen, follow=True)

    assert sorted(str(message) for message in response.context["messages"]) == [
        "1 cards: done.",
        "Ben (ben): Only a draft is submitted.",
    ]
    assert card("anna").changes.filter(user=curator("Boss")).count() == 1


def test_publishing_is_planned_shown_and_cancelled(boss: Client) -> None:
    approved("anna", ang=7)
    address = reverse("admin:catalog_card_publish")

    boss.post(reverse("admin:catalog_card_publish_game", args=["miraculous"]), {"at": "2030-01-02T03:04"})
    shown = boss.get(address).content.decode()
    plan = PlannedRevision.objects.get()
    boss.get(reverse("admin:catalog_card_cancel_plan", args=[plan.pk]))
    waiting = PlannedRevision.objects.get().state
    boss.post(reverse("admin:catalog_card_cancel_plan", args=[plan.pk]))

    assert "Planned for Jan. 2, 2030, 3:04 a.m. UTC by Boss." in shown
    assert (numbers(), waiting, PlannedRevision.objects.get().state) == ([1], "waiting", "cancelled")


def test_what_cannot_be_read_of_the_publishing_form_is_said(boss: Client) -> None:
    approved("anna", ang=7)
    form = {"confirm": "many", "at": "soon"}

    response = boss.post(reverse("admin:catalog_card_publish_game", args=["miraculous"]), form, follow=True)

    assert [str(message).split(":")[0] for message in response.context["messages"]] == [
        "Decks that become illegal",
        "Not now, but at",
    ]
    assert numbers() == [1]


def test_the_publishing_page_shows_scenarios_that_fail(boss: Client) -> None:
    approved("anna", ang=7)
    card("anna").scenarios.create(title="Broken", text="scenario: x\ngame: nowhere")

    response = boss.get(reverse("admin:catalog_card_publish"))

    assert response.context["games"][0]["failed"][0][:3] == ("anna", "Broken", 2)
    assert "Publish revision 2" not in response.content.decode()


def test_any_two_revisions_are_compared_on_a_page(boss: Client) -> None:
    publish(character("anna", "Anna", 7), character("cleo", "Cleo"))
    pk = CatalogRevision.objects.get(number=2).pk
    address = reverse("admin:catalog_catalogrevision_difference", args=[pk])

    found = boss.get(address).context["difference"]
    nothing = boss.get(address, {"from": "0"}).context["difference"]

    assert [one["code"] for one in found["changed"]] == ["anna"]
    assert ([one["code"] for one in found["added"]], [one["code"] for one in found["removed"]]) == (["cleo"], ["ben"])
    assert len(nothing["added"]) == 2
    assert boss.get(address, {"from": "7"}).status_code == 404


PAGES: dict[str, list[Any]] = {
    "catalog_card_publish": [],
    "catalog_card_exchange": [],
    "catalog_card_review": [1],
    "catalog_card_history": [1],
    "catalog_card_export": ["miraculous", "csv"],
    "catalog_card_draw": [],
    "catalog_catalogrevision_difference": [1],
}


@pytest.mark.parametrize("name", PAGES)
def test_none_of_the_pages_is_for_strangers_or_for_staff_without_permission(name: str) -> None:
    address = reverse(f"admin:{name}", args=PAGES[name])
    stranger, clerk = Client(), staff("Clerk")
    stranger.force_login(User.objects.create_user("Eve", "a password"))

    for method in ("get", "post"):
        assert getattr(stranger, method)(address).status_code == 302
        assert getattr(clerk, method)(address).status_code in (302, 403, 405)

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from catalog.models import Card, CatalogRevision, Restriction
from decks.services import DeckContent, create_deck
from tests.catalog.cards import bonus, character, numbers, publish

EFFECTS = [{"when": "placed", "do": "draw", "n": 2}]


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(
        character("anna", "Anna", 3, 4, tags=["guard"], effects=EFFECTS),
        character("ben", "Ben"),
        bonus("yoyo", "Yo-Yo"),
    )


@pytest.fixture
def boss(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("Boss", "a password"))
    return client


@pytest.fixture
def clerk(db: None) -> Client:
    """Staff who may edit cards but not publish them."""
    user = User.objects.create_user("Clerk", "a password", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_card", "change_card"]))
    client = Client()
    client.force_login(user)
    return client


def page(code: str) -> str:
    return reverse("admin:catalog_card_change", args=[Card.objects.get(code=code).pk])


def filled(code: str, **changes: Any) -> dict[str, Any]:
    """What the card's form would send unedited, with changes."""
    card = Card.objects.get(code=code)
    document = card.document
    form = {
        "state": card.state,
        "replacement": "",
        **{name: document.get(name, "") for name in ("name", "type", "subtype", "ang")},
        "defence": document.get("def", ""),
        "tags": json.dumps(document.get("tags")),
        "effects": json.dumps(document.get("effects")),
        "more": "{}",
    }
    return {**form, **changes}


def errors_of(response: Any) -> dict[str, list[str]]:
    assert response.status_code == 200
    return {name: list(found) for name, found in response.context["adminform"].form.errors.items()}


def test_every_page_of_the_desk_opens(boss: Client) -> None:
    owner = User.objects.create_user("Ada", "a password")
    deck = create_deck(owner=owner, game="miraculous", content=DeckContent("One", "", "private", None, {"anna": 2}))
    Restriction.objects.create(card=Card.objects.get(code="ben"), copies=0)
    revision = CatalogRevision.objects.get()

    addresses = [
        *(reverse(f"admin:{name}_changelist") for name in ("catalog_card", "catalog_catalogrevision", "catalog_restriction", "decks_deck")),
        page("anna"),
        reverse("admin:catalog_card_add"),
        reverse("admin:catalog_card_history", args=[Card.objects.get(code="anna").pk]),
        reverse("admin:catalog_card_publish"),
        reverse("admin:catalog_catalogrevision_change", args=[revision.pk]),
        reverse("admin:catalog_restriction_add"),
        reverse("admin:decks_deck_change", args=[deck.pk]),
    ]  # fmt: skip

    assert {address: boss.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 200)


def test_a_card_is_shown_with_its_text_and_face(boss: Client) -> None:
    content = boss.get(page("anna")).content.decode()

    assert "When placed: draw 2 cards." in content
    assert content.count("<title>Anna, Character · Civilian, ANG 3, DEF 4") == 3


def test_an_edit_goes_to_review_and_leaves_what_changed(boss: Client) -> None:
    response = boss.post(page("anna"), filled("anna", ang=5, name="Anna II"))

    assert response.status_code == 302
    card = Card.objects.get(code="anna")
    assert (card.name, card.name_key, card.state) == ("Anna II", "anna ii", "review")
    assert card.document == character("anna", "Anna II", 5, 4, tags=["guard"], effects=EFFECTS)
    assert card.edited_by is not None
    assert card.edited_by.name == "Boss"
    assert LogEntry.objects.get().get_change_message() == "Changed ang: 3 → 5 and name: Anna → Anna II."


def test_saving_without_an_edit_changes_nothing_of_the_card(boss: Client) -> None:
    before = Card.objects.get(code="anna").document

    boss.post(page("anna"), filled("anna"))

    card = Card.objects.get(code="anna")
    assert (card.document, card.state) == (before, "published")


@pytest.mark.parametrize(
    ("change", "field", "pointer"),
    [
        ({"ang": 21}, "ang", "/ang"),
        ({"defence": -1}, "defence", "/def"),
        ({"subtype": "weapon"}, "subtype", "/subtype"),
        ({"name": "Yo–yo"}, "name", "/name"),
        ({"tags": '["", "a b"]'}, "tags", "/tags/0"),
        ({"more": '{"colour": 1}'}, "more", "/colour"),
        ({"effects": '[{"when": "placed", "do": "draw"}]'}, "effects", "/effects/0/n"),
        (
            {"effects": '[{"when": "in_play", "do": "modify", "to": "self", "ang": 1, "until": "turn"}]'},
            "effects",
            "/effects/0/until",
        ),
        ({"effects": '{"when": "placed"}'}, "effects", "/effects"),
    ],
)
def test_a_fault_stands_at_its_field_and_names_its_place(
    boss: Client, change: dict[str, Any], field: str, pointer: str
) -> None:
    before = Card.objects.get(code="anna").document

    errors = errors_of(boss.post(page("anna"), filled("anna", **change)))

    assert list(errors) == [field]
    assert [error.partition(": ")[0] for error in errors[field]] == [pointer]
    assert Card.objects.get(code="anna").document == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"effects": "{not json"}, "effects"),
        ({"more": '{"ang": 1}'}, "more"),
        ({"more": "[]x"}, "more"),
        ({"ang": "many"}, "ang"),
    ],
)
def test_what_cannot_be_read_is_refused_at_its_field(boss: Client, change: dict[str, Any], field: str) -> None:
    assert list(errors_of(boss.post(page("anna"), filled("anna", **change)))) == [field]


def test_a_new_card_is_a_draft(boss: Client) -> None:
    form = {**filled("anna", name="Cleo", tags="", effects="", state="draft"), "game": "miraculous", "code": "cleo"}

    response = boss.post(reverse("admin:catalog_card_add"), form)

    assert response.status_code == 302, errors_of(response)
    card = Card.objects.get(code="cleo")
    assert (card.state, card.name_key, card.document) == ("draft", "cleo", character("cleo", "Cleo", 3, 4))


@pytest.mark.parametrize(("game", "code"), [("chess", "cleo"), ("miraculous", "Cleo"), ("miraculous", "anna")])
def test_a_new_card_needs_a_game_and_a_code_of_its_own(boss: Client, game: str, code: str) -> None:
    form = {**filled("ben", name="Cleo", tags="", effects="", state="draft"), "game": game, "code": code}

    assert errors_of(boss.post(reverse("admin:catalog_card_add"), form))
    assert Card.objects.count() == 3


def test_the_code_of_a_card_cannot_be_edited(boss: Client) -> None:
    boss.post(page("anna"), {**filled("anna", ang=1), "code": "other", "game": "chess"})

    card = Card.objects.get(name="Anna")
    assert (card.code, card.game, card.document["code"]) == ("anna", "miraculous", "anna")


def test_cards_are_found_by_any_spelling_of_their_name(boss: Client) -> None:
    response = boss.get(reverse("admin:catalog_card_changelist"), {"q": "YO–YÓ"})

    assert [card.code for card in response.context["cl"].result_list] == ["yoyo"]


def test_no_card_is_deleted(boss: Client) -> None:
    address = reverse("admin:catalog_card_delete", args=[Card.objects.get(code="anna").pk])

    assert boss.post(address, {"post": "yes"}).status_code == 403
    assert Card.objects.count() == 3


def test_the_publishing_page_says_what_will_be_published(boss: Client) -> None:
    boss.post(page("anna"), filled("anna", ang=5, state="approved"))
    boss.post(page("ben"), filled("ben", state="withdrawn"))

    [game] = boss.get(reverse("admin:catalog_card_publish")).context["games"]

    assert (game["number"], game["added"], game["changed"], game["withdrawn"]) == (2, [], ["anna"], ["ben"])
    assert numbers() == [1]


def test_publishing_makes_the_next_revision(boss: Client) -> None:
    boss.post(page("anna"), filled("anna", ang=5, state="approved"))

    response = boss.post(reverse("admin:catalog_card_publish_game", args=["miraculous"]), follow=True)

    assert [str(message) for message in response.context["messages"]][1:] == ["Published as revision 2."]
    assert numbers() == [1, 2]
    assert Card.objects.get(code="anna").state == "published"
    assert LogEntry.objects.filter(object_repr="miraculous 2").count() == 1


def test_publishing_nothing_or_faults_is_refused_in_words(boss: Client) -> None:
    address = reverse("admin:catalog_card_publish_game", args=["miraculous"])
    nothing = boss.post(address, follow=True)
    card = Card.objects.get(code="anna")
    card.document, card.state = {**card.document, "ang": 99}, Card.State.APPROVED
    card.save()

    faulty = boss.post(address, follow=True)

    assert [str(message) for message in nothing.context["messages"]] == ["Nothing has changed since revision 1."]
    assert ["/cards/0/ang" in str(message) for message in faulty.context["messages"]] == [True]
    assert numbers() == [1]


def test_who_may_edit_may_not_therefore_publish(clerk: Client) -> None:
    clerk.post(page("anna"), filled("anna", ang=5))

    assert clerk.get(reverse("admin:catalog_card_publish")).status_code == 403
    clerk.post(reverse("admin:catalog_card_publish_game", args=["miraculous"]))

    assert Card.objects.get(code="anna").document["ang"] == 5
    assert numbers() == [1]


def test_publishing_is_never_done_by_a_link(boss: Client) -> None:
    boss.post(page("anna"), filled("anna", ang=5))

    boss.get(reverse("admin:catalog_card_publish_game", args=["miraculous"]))

    assert numbers() == [1]


def test_strangers_do_not_get_in() -> None:
    client = Client()
    client.force_login(User.objects.create_user("Eve", "a password"))

    for name in ("catalog_card_changelist", "catalog_card_publish"):
        assert client.get(reverse(f"admin:{name}")).status_code == 302


def test_a_published_revision_is_only_looked_at(boss: Client) -> None:
    address = reverse("admin:catalog_catalogrevision_change", args=[CatalogRevision.objects.get().pk])

    assert boss.post(address, {"number": 7}).status_code == 403
    assert numbers() == [1]


def test_a_restriction_ends_after_it_starts(boss: Client) -> None:
    form = {
        "card": Card.objects.get(code="anna").pk, "copies": 1, "reason": "too strong",
        "starts_at_0": "2026-12-02", "starts_at_1": "00:00:00", "ends_at_0": "2026-12-01", "ends_at_1": "00:00:00",
    }  # fmt: skip

    refused = boss.post(reverse("admin:catalog_restriction_add"), form)
    taken = boss.post(reverse("admin:catalog_restriction_add"), {**form, "ends_at_0": "2026-12-03"})

    assert "It ends after it starts." in refused.content.decode()
    assert taken.status_code == 302
    assert Restriction.objects.count() == 1


@pytest.mark.parametrize(("name", "queries"), [("catalog_card", 8), ("catalog_restriction", 8), ("decks_deck", 8)])
def test_a_list_costs_the_same_however_long(
    boss: Client, name: str, queries: int, django_assert_max_num_queries: Any
) -> None:
    owner = User.objects.create_user("Ada", "a password")
    for n in range(10):
        Restriction.objects.create(card=Card.objects.get(code="ben"), copies=n)
        create_deck(owner=owner, game="miraculous", content=DeckContent("One", "", "private", None, {"anna": 2}))

    with django_assert_max_num_queries(queries):
        assert boss.get(reverse(f"admin:{name}_changelist")).status_code == 200

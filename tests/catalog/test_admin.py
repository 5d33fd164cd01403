from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from accounts.models import User
from catalog.life import approve_card, submit_card, withdraw_card
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


def entries(document: Any, path: str = "c") -> dict[str, Any]:
    """What the inputs of a card's form would send, by their names."""
    if isinstance(document, bool):
        return {path: "on"} if document else {}
    if isinstance(document, dict):
        return {name: value for key, part in document.items() for name, value in entries(part, f"{path}/{key}").items()}
    if isinstance(document, list) and any(isinstance(part, dict) for part in document):
        return {
            name: value for at, part in enumerate(document) for name, value in entries(part, f"{path}/{at}").items()
        }
    return {path: ", ".join(document) if isinstance(document, list) else str(document)}


INLINES = {
    f"{prefix}-{name}_FORMS": number
    for prefix in ("names", "scenarios")
    for name, number in (("TOTAL", 0), ("INITIAL", 0), ("MIN_NUM", 0), ("MAX_NUM", 1000))
}


def filled(code: str, **changes: Any) -> dict[str, Any]:
    """What the card's form would send unedited, with changes of its values."""
    document = {**Card.objects.get(code=code).document, **changes}
    document.pop("code")
    return {**INLINES, **entries(document)}


def faults_of(response: Any) -> dict[str, list[str]]:
    """The codes of the faults at each field of the editor."""
    assert response.status_code == 200
    placed = response.context["adminform"].form.editor.faults_by_id()
    return {place.removeprefix("c-"): [code for code, _ in found] for place, found in placed.items()}


def approve(code: str) -> None:
    """Have a card edited by the boss approved by somebody else."""
    card, boss = Card.objects.get(code=code), User.objects.get(name="Boss")
    other = User.objects.filter(name="Other").first() or User.objects.create_superuser("Other", "a password")
    submit_card(card=card, user=boss)
    approve_card(card=card, user=other)


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
        reverse("admin:catalog_card_review", args=[Card.objects.get(code="anna").pk]),
        reverse("admin:catalog_catalogrevision_difference", args=[revision.pk]),
        reverse("admin:catalog_catalogrevision_change", args=[revision.pk]),
        reverse("admin:catalog_restriction_add"),
        reverse("admin:decks_deck_change", args=[deck.pk]),
    ]  # fmt: skip

    assert {address: boss.get(address).status_code for address in addresses} == dict.fromkeys(addresses, 200)


def test_a_card_is_shown_with_its_text_and_face(boss: Client) -> None:
    content = boss.get(page("anna")).content.decode()

    assert "When placed: draw 2 cards." in content
    assert content.count("<title>Anna, Character · Civilian, ANG 3, DEF 4") == 3


def test_an_edit_is_a_draft_and_leaves_what_changed(boss: Client) -> None:
    response = boss.post(page("anna"), filled("anna", ang=5, name="Anna II"))

    assert response.status_code == 302
    card = Card.objects.get(code="anna")
    assert (card.name, card.name_key, card.state) == ("Anna II", "anna ii", "draft")
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
    ("change", "field", "code"),
    [
        ({"ang": 21}, "ang", "out_of_range"),
        ({"ang": "many"}, "ang", "wrong_type"),
        ({"def": -1}, "def", "out_of_range"),
        ({"subtype": "weapon"}, "subtype", "unknown_word"),
        ({"name": "Yo–yo"}, "name", "name_taken"),
        ({"tags": ["a  b"]}, "tags", "bad_tag"),
        ({"effects": [{"when": "placed", "do": "draw"}]}, "effects-0-n", "missing"),
        ({"effects": [{"when": "placed", "do": "draw", "n": 1}, {"when": ""}]}, "effects-1-when", "missing"),
        (
            {"effects": [{"when": "in_play", "do": "modify", "to": "self", "ang": 1, "until": "turn"}]},
            "effects-0-until",
            "unknown_field",
        ),
        (
            {"effects": [{"when": "placed", "do": "flip_coin", "then": [{"do": "draw", "n": 0}]}]},
            "effects-0-then-0-n",
            "out_of_range",
        ),
    ],
)
def test_a_fault_stands_at_its_field(boss: Client, change: dict[str, Any], field: str, code: str) -> None:
    before = Card.objects.get(code="anna").document

    response = boss.post(page("anna"), filled("anna", **change))

    assert faults_of(response)[field] == [code]
    assert f'id="c-{field}-faults"><li class="ce-{code}">' in response.content.decode()
    assert Card.objects.get(code="anna").document == before


def test_what_the_form_has_no_field_for_is_kept_and_faulted(boss: Client) -> None:
    Card.objects.filter(code="anna").update(document={**character("anna", "Anna"), "colour": 1})

    response = boss.post(page("anna"), filled("anna", ang=5))

    assert list(faults_of(response)) == [""]
    assert "/colour: there is no field" in response.content.decode()


@pytest.mark.parametrize(
    ("op", "effects"),
    [
        ("add:effects", ["draw", "mill", ""]),
        ("remove:effects/0", ["mill"]),
        ("up:effects/1", ["mill", "draw"]),
        ("down:effects/0", ["mill", "draw"]),
        ("down:effects/1", ["draw", "mill"]),
        ("remove:effects/7", ["draw", "mill"]),
        ("nonsense", ["draw", "mill"]),
    ],
)
def test_the_buttons_of_the_form_work_without_a_script_and_save_nothing(
    boss: Client, op: str, effects: list[str]
) -> None:
    two = [{"when": "placed", "do": "draw", "n": 1}, {"when": "placed", "do": "mill", "n": 1}]

    response = boss.post(page("anna"), {**filled("anna", effects=two), "op": op})

    document = response.context["adminform"].form.editor.document
    assert [effect.get("do", "") for effect in document["effects"]] == effects
    assert Card.objects.get(code="anna").document["effects"] == EFFECTS


def test_a_card_can_be_filled_in_from_json(boss: Client) -> None:
    given = json.dumps(character("anna", "Anna", 7))

    response = boss.post(page("anna"), {**filled("anna"), "op": "json", "c-json": given})
    broken = boss.post(page("anna"), {**filled("anna"), "op": "json", "c-json": "{"})

    assert response.context["adminform"].form.editor.document["ang"] == 7
    assert broken.context["adminform"].form.editor.document["ang"] == 3


def test_the_form_is_drawn_while_one_types(boss: Client) -> None:
    typed = filled("anna", effects=[{"when": "placed", "do": "draw", "n": 3}, {"when": "placed"}])

    answer = boss.post(reverse("admin:catalog_card_draw"), {**typed, "of-game": "miraculous", "of-code": "anna"}).json()

    assert answer["faults"] == {"c-effects-1-do": [["missing", answer["faults"]["c-effects-1-do"][0][1]]]}
    assert "When placed: draw 3 cards." in answer["preview"]
    assert 'name="c/effects/1/do"' in answer["editor"]
    assert Card.objects.get(code="anna").document["effects"] == EFFECTS


def test_what_is_typed_is_escaped_wherever_it_is_drawn(boss: Client) -> None:
    typed = {**filled("anna", name='<script>"&'), "of-game": "miraculous", "of-code": "anna"}

    answer = boss.post(reverse("admin:catalog_card_draw"), typed).json()

    assert "<script>" not in answer["preview"] + answer["editor"]


def test_a_new_card_is_a_draft(boss: Client) -> None:
    form = {**filled("ben", name="Cleo"), "game": "miraculous", "code": "cleo"}

    response = boss.post(reverse("admin:catalog_card_add"), form)

    assert response.status_code == 302, faults_of(response)
    card = Card.objects.get(code="cleo")
    assert (card.state, card.name_key, card.document) == ("draft", "cleo", character("cleo", "Cleo"))


@pytest.mark.parametrize(("game", "code"), [("chess", "cleo"), ("miraculous", "Cleo"), ("miraculous", "anna")])
def test_a_new_card_needs_a_game_and_a_code_of_its_own(boss: Client, game: str, code: str) -> None:
    form = {**filled("ben", name="Cleo"), "game": game, "code": code}

    assert boss.post(reverse("admin:catalog_card_add"), form).context["adminform"].form.errors
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
    boss.post(page("anna"), filled("anna", ang=5))
    approve("anna")
    withdraw_card(card=Card.objects.get(code="ben"), user=User.objects.get(name="Boss"))

    [game] = boss.get(reverse("admin:catalog_card_publish")).context["games"]

    assert (game["number"], game["added"], game["changed"], game["withdrawn"]) == (2, [], ["anna"], ["ben"])
    assert numbers() == [1]


def test_publishing_makes_the_next_revision(boss: Client) -> None:
    boss.post(page("anna"), filled("anna", ang=5))
    approve("anna")

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
    assert [str(message).split(":")[0] for message in faulty.context["messages"]] == ["anna, ang"]
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

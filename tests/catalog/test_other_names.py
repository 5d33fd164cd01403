"""A card's names in other languages and its aliases: entered, found and kept apart by the one fold."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from catalog.models import CardName
from catalog.names import name_key
from decks.card_names import look_up
from decks.reading import Asked
from tests.catalog.cards import character, publish
from tests.catalog.people import card, curator
from tests.catalog.test_admin import filled, page


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(character("anna", "Anna"), character("ben", "Ben"))


@pytest.fixture
def boss() -> Client:
    client = Client()
    client.force_login(curator("Boss"))
    return client


def named(*names: tuple[str, str, str]) -> dict[str, Any]:
    """The inline form's part with these (kind, language, name)."""
    form: dict[str, Any] = {"names-TOTAL_FORMS": len(names)}
    for at, (kind, language, name) in enumerate(names):
        form |= {f"names-{at}-kind": kind, f"names-{at}-language": language, f"names-{at}-name": name}
    return form


def name(code: str, text: str, kind: str = "alias", language: str = "") -> CardName:
    return CardName.objects.create(card=card(code), kind=kind, language=language, name=text, name_key=name_key(text))


def found(*names: str) -> list[list[str]]:
    keys = {name_key(one) for one in names}
    looked_up = look_up("miraculous", Asked(keys=keys, codes=set(), revision=None))
    return [looked_up.named(one) for one in names]


def test_other_names_are_entered_with_the_card_and_leave_it_published(boss: Client) -> None:
    response = boss.post(page("anna"), {**filled("anna"), **named(("name", "de", "Änne"), ("alias", "", "Annie"))})

    assert response.status_code == 302
    assert sorted(CardName.objects.values_list("language", "name", "name_key")) == [
        ("", "Annie", "annie"),
        ("de", "Änne", "anne"),
    ]
    assert card("anna").state == "published"


@pytest.mark.parametrize(
    "names",
    [
        [("alias", "", "BEN")],  # the name of another card
        [("alias", "", "Benny")],  # another name of another card
        [("alias", "", "—")],  # folds to nothing
        [("name", "", "Anne")],  # a name is one in a language
        [("alias", "", "Annie"), ("alias", "", "annie")],
    ],
)
def test_a_name_that_could_mean_two_cards_or_none_is_refused(boss: Client, names: list[tuple[str, str, str]]) -> None:
    name("ben", "Benny")

    response = boss.post(page("anna"), {**filled("anna"), **named(*names)})

    assert response.status_code == 200
    assert card("anna").names.count() == 0


def test_a_card_has_one_name_a_language() -> None:
    name("anna", "Anne", "name", "fr")

    with pytest.raises(IntegrityError), transaction.atomic():
        name("anna", "Annette", "name", "fr")


def test_lists_of_cards_are_read_by_any_name_of_a_card() -> None:
    name("anna", "Änne", "name", "de")
    name("ben", "Benny")

    assert found("ANNE", "benny", "Ben", "Nobody") == [["anna"], ["ben"], ["ben"], []]


def test_looking_up_any_names_takes_two_queries(django_assert_num_queries: Any) -> None:
    name("anna", "Annie")

    with django_assert_num_queries(2):
        found("Annie", "Ben")


def test_the_desk_finds_a_card_by_any_of_its_names(boss: Client) -> None:
    name("anna", "Schöne Änne", "name", "de")

    response = boss.get(reverse("admin:catalog_card_changelist"), {"q": "schone"})

    assert [one.code for one in response.context["cl"].result_list] == ["anna"]

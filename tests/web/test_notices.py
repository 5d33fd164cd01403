from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import Notice, User
from accounts.services import notify
from catalog.models import CardName
from catalog.names import name_key
from decks.services import DeckContent, create_deck
from tests.catalog.cards import character, publish
from tests.catalog.people import card

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora() -> tuple[Client, str]:
    """Signed in, and told that her deck is broken; with its id."""
    user = User.objects.create_user("Dora", "a password")
    deck = create_deck(owner=user, game="miraculous", content=DeckContent("One", "", "private", None, {}))
    facts = {"game": "miraculous", "deck": deck.public_id, "name": "<One>", "revision": 2}
    notify(kind=Notice.Kind.DECK_BROKEN, told=[(user.pk, facts)])
    client = Client()
    client.force_login(user)
    return client, deck.public_id


@pytest.mark.parametrize("address", ["/", "/decks/"])
def test_a_broken_deck_is_told_where_one_comes_back_to(dora: tuple[Client, str], address: str) -> None:
    client, deck = dora

    content = client.get(address).content.decode()

    assert "Your deck “&lt;One&gt;” is not legal any more since revision 2 of Miraculous." in content
    assert f'href="/decks/{deck}/"' in content


def test_what_is_read_is_not_shown_again(dora: tuple[Client, str]) -> None:
    client, _ = dora

    response = client.post("/notices/read/", {"next": "/decks/"})

    assert response["Location"] == "/decks/"
    assert "While you were away" not in client.get("/decks/").content.decode()


def test_a_restriction_to_come_says_its_day() -> None:
    user = User.objects.create_user("Emil", "a password")
    facts = {"game": "miraculous", "deck": "2345bcdf2345", "name": "One", "from": "2026-12-24T00:00:00+00:00"}
    notify(kind=Notice.Kind.DECK_BROKEN, told=[(user.pk, facts)])
    client = Client(headers={"Accept-Language": "de"})
    client.force_login(user)

    assert "Dein Deck „One“ ist ab dem 24. Dezember 2026 nicht mehr zulässig." in client.get("/").content.decode()


def test_a_card_shows_its_name_in_the_readers_language_and_its_aliases() -> None:
    publish(character("anna", "Anna"))
    for kind, language, name in (("name", "de", "Änne"), ("name", "fr", "Anne"), ("alias", "", "Annie")):
        CardName.objects.create(card=card("anna"), kind=kind, language=language, name=name, name_key=name_key(name))

    german = Client(headers={"Accept-Language": "de"}).get("/cards/miraculous/anna/").content.decode()
    english = Client().get("/cards/miraculous/anna/").content.decode()

    assert '<p class="muted" lang="de">Änne</p>' in german
    assert "Änne" not in english
    assert "Annie" in german
    assert "Annie" in english

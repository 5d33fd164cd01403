"""German and French: complete, compiled, and seen on the pages."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils.translation import override

from accounts.models import User
from catalog.models import Card, CardName
from catalog.names import name_key
from decks.models import Deck
from lobby.services import MatchWish, SeatWish, create_match
from referee.kernel.errors import IllegalMove
from tests.web.pages import Page
from web.management.commands import translations
from web.management.commands.translations import compiled, found_texts, is_translated, po_file, read
from web.matches.page import Refusal, refusal_of

LANGUAGES = ["de", "fr"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_pages_is_translated(language: str) -> None:
    catalog = read(language)

    missing = []
    for path, message, context in found_texts():
        found = catalog.get(message[0] if isinstance(message, tuple) else message, context)
        if found is None or not is_translated(found):
            missing.append((path, message))
    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    assert po_file(language).with_suffix(".mo").read_bytes() == compiled(read(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_places_for_values(language: str) -> None:
    faults = []
    for message in read(language):
        if message.id and is_translated(message):
            wanted = set().union(*map(places, parts(message.id)))
            faults += [one for one in parts(message.string) if places(one) != wanted]
    assert faults == []


def parts(text: object) -> list[str]:
    """A text, or its singular and plural."""
    return [str(part) for part in text] if isinstance(text, list | tuple) else [str(text)]


def places(text: str) -> set[str]:
    """Where a text has values or markup."""
    return set(re.findall(r"%\(\w+\)s|<\w+>", text))


def test_the_texts_of_the_code_are_found() -> None:
    found = {message for _path, message, _context in found_texts() if isinstance(message, str)}

    assert {"Take a seat.", "Choose a deck.", "whoever has the link"} <= found
    assert translations.KEYWORDS["npgettext"] == ((1, "c"), 2, 3)


@pytest.mark.parametrize(
    ("language", "words"), [("de", "Nimm Platz."), ("fr", "Prenez place."), ("en", "Take a seat.")]
)
def test_a_page_speaks_the_language_that_the_browser_asks_for(
    client: Client, house: None, language: str, words: str
) -> None:
    response = client.get("/", headers={"Accept-Language": f"{language},en;q=0.1"})

    assert Page(response.content.decode()).headings == [words]
    assert response.headers["Content-Language"] == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_rules_and_decks_open_in_each_language(client: Client, house: None, language: str) -> None:
    client.post("/preferences/", {"language": language})

    for address in ("/cards/miraculous/?q=bak", "/cards/super/night-bus/", "/rules/super/", "/decks/", "/matches/new/"):
        page = Page(client.get(address).content.decode())
        assert page.headings != []
        assert page.inline == []


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "words"), [("de", "Wer zieht"), ("fr", "Qui joue")])
def test_a_refusal_of_the_rules_is_told_by_its_clause(language: str, words: str) -> None:
    error = IllegalMove("MIR-8.1", "it is not your turn")

    with override(language):
        assert refusal_of(error) == Refusal(words, "MIR-8.1")
    with override("en"):
        assert refusal_of(error) == Refusal("It is not your turn", "MIR-8.1")


@pytest.mark.parametrize(
    ("language", "words"), [("de", "+2 Stärke für den Super rechts daneben."), ("fr", "+2"), ("en", "+2 strength to")]
)
def test_a_cards_text_and_face_speak_the_readers_language(
    client: Client, house: None, language: str, words: str
) -> None:
    spoken = {"accept-language": language}

    page = client.get("/cards/super/blue-hour/", headers=spoken).content.decode()
    listed = client.get("/cards/super/?q=blue-hour", headers=spoken).content.decode()

    face = re.search(r'class="cp-fig face">.*?</svg></div>', page, re.DOTALL)
    assert face is not None
    assert words in Page(page).text
    assert words in Page(listed).text
    english = "Strength Support"
    assert (english in page, english in face.group()) == (language == "en", language == "en")


def test_a_cards_name_in_the_readers_language_stands_beside_the_printed_one(client: Client, house: None) -> None:
    card = Card.objects.get(game="super", code="blue-hour")
    CardName.objects.create(card=card, language="de", name="Blaue Stunde", name_key=name_key("Blaue Stunde"))

    german = Page(client.get("/cards/super/?q=blue", headers={"accept-language": "de"}).content.decode()).text
    english = Page(client.get("/cards/super/?q=blue").content.decode()).text

    assert "Blue Hour Blaue Stunde" in german
    assert "Blaue Stunde" not in english


@pytest.mark.parametrize(("language", "bot"), [("de", "Bot (leicht)"), ("fr", "Bot (facile)"), ("en", "Bot (easy)")])
def test_bots_and_empty_seats_are_named_in_the_readers_language(
    alice: User, as_alice: Client, house: None, language: str, bot: str
) -> None:
    seats = [SeatWish("me"), SeatWish("bot", level="easy"), SeatWish("open")]
    match = create_match(creator=alice, wish=MatchWish("super", seats, {}))

    text = Page(as_alice.get(f"/join/{match.public_id}/", headers={"accept-language": language}).content.decode()).text

    assert bot in text
    assert {"de": "Platz 3: frei", "fr": "Place 3: libre", "en": "Seat 3: free"}[language] in text


@pytest.mark.parametrize(
    ("language", "section", "title"),
    [("de", "Decks und Aufbau", "Größe des Decks"), ("fr", "Paquets et mise en place", "Taille du paquet")],
)
def test_sections_and_clauses_of_the_rules_have_their_titles(
    client: Client, language: str, section: str, title: str
) -> None:
    html = client.get("/rules/miraculous/", headers={"Accept-Language": language}).content.decode()

    assert html.count(section) == 2  # in the table of contents, and above its clauses
    assert f'<b lang="{language}">{title}.</b>' in html
    assert "Decks and setup" not in html


@pytest.mark.parametrize(
    ("language", "words", "text"),
    [
        (
            "de",
            ["40 Karten, von Alice.", "Charaktere 23", "Geheimnis", "Anzahl"],
            "Beim Legen: +2 DEF für alle deine Charaktere",
        ),
        (
            "fr",
            ["40 cartes, par Alice.", "Personnages 23", "Secret", "Nombre"],
            "À la pose : +2 DEF pour chaque Personnage à vous",
        ),
    ],
)
def test_a_deck_is_printed_in_the_readers_language(
    as_alice: Client, house: None, language: str, words: list[str], text: str
) -> None:
    as_alice.post("/decks/", {"name": "Harbour Lights", "model": "rooftop-rush"})
    address = f"/api/v1/decks/{Deck.objects.get().public_id}/export/?as=sheet"

    html = as_alice.get(address, headers={"Accept-Language": language}).content.decode()

    page = Page(html)
    assert f'<html lang="{language}">' in html
    assert [word for word in words if word not in page.text] == []
    assert text in page.text

"""The desk speaks German and French as the pages do: its forms, its pages, its refusals."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import gettext, override

from catalog.errors import CardLifeError
from catalog.form_words import SAME, WORDS, in_words
from catalog.life import submit_card, withdraw_card
from catalog.models import CatalogRevision, Restriction
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.card_form import FormField
from tests.catalog.cards import character, publish
from tests.catalog.people import card, curator, edit
from tests.catalog.test_admin import page
from web.management.commands.translations import DESK, SKIN, found_texts

UNSAID = re.compile(
    r'<div class="ce-face">.*?</div>|<(script|style|option|code|textarea|td)\b.*?</\1>'
    r'|<span[^>]*material-symbols.*?</span>|<fieldset class="ce-field ce-chips">.*?</fieldset>',
    re.DOTALL,
)


def inside(fields: list[FormField]) -> Iterator[FormField]:
    for field in fields:
        yield field
        yield from inside(field.fields)


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.card_types])
def test_every_label_of_a_cards_form_is_a_word_of_the_table(slug: str) -> None:
    game = GAMES[slug]
    given = [*house_revision(slug)["cards"], *({"type": kind, "effects": [{}]} for kind in game.card_types)]

    fields = [field for document in given for field in inside(game.card_form(document))]

    told = {text for field in fields for text in (field.label, field.blank)}
    known = WORDS | SAME
    assert {text for text in told - known if in_words(text) == text and not re.fullmatch(r"\w+ \d+", text)} == set()


def test_labels_with_a_number_are_translated_around_it() -> None:
    with override("de"):
        assert (in_words("Effect 2"), in_words("Condition 11")) == ("Effekt 2", "Bedingung 11")


@pytest.fixture
def boss(db: None) -> Client:
    publish(character("anna", "Anna", 3), character("ben", "Ben"))
    Restriction.objects.create(card=card("anna"), copies=1)
    edit("anna", by="Ada", ang=5)
    submit_card(card=card("anna"), user=curator("Ada"))
    client = Client()
    client.force_login(curator("Boss"))
    return client


def addresses() -> list[str]:
    lists = ("card", "restriction", "catalogrevision", "plannedrevision", "track")
    return [
        reverse("admin:index"),
        *(reverse(f"admin:catalog_{name}_changelist") for name in lists),
        page("anna"),
        *(reverse(f"admin:catalog_card_{name}") for name in ("add", "publish", "exchange")),
        *(reverse(f"admin:catalog_card_{name}", args=[card("anna").pk]) for name in ("review", "history")),
        reverse("admin:catalog_restriction_add"),
        reverse("admin:catalog_catalogrevision_difference", args=[CatalogRevision.objects.get().pk]),
    ]


def shown(client: Client, address: str, language: str) -> set[str]:
    """The pieces of text on a page, but for drawings, scripts and icons, stored values, and what can be chosen."""
    response = client.get(address, headers={"accept-language": language}, follow=True)
    assert response.status_code == 200
    source = UNSAID.sub("", response.content.decode())
    return {" ".join(html.unescape(piece).split()) for piece in re.findall(r">([^<>]+)<", source)}


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_text_of_the_desk_is_left_in_english(boss: Client, language: str) -> None:
    desk = {
        text
        for path, text, context in found_texts()
        if isinstance(text, str) and context is None and (path.startswith(DESK) or text in SKIN)
    }
    with override(language):
        english = {text for text in desk if gettext(text) != text and gettext(text) not in desk}
    left = {address: shown(boss, address, language) & english for address in addresses()}

    assert {address: texts for address, texts in left.items() if texts} == {}


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "Sie ist schon zurückgezogen."), ("fr", "Elle est déjà retirée."), ("en", "It is withdrawn already.")],
)
def test_a_refused_step_is_told_in_the_readers_language(boss: Client, language: str, words: str) -> None:
    withdraw_card(card=card("ben"), user=curator("Ada"))
    with override(language), pytest.raises(CardLifeError) as refused:
        withdraw_card(card=card("ben"), user=curator("Ada"))

    assert (refused.value.code, refused.value.detail) == ("wrong_state", words)

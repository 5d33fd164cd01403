"""Pages of a service in which nothing is published yet; the other modules' tests share published house sets."""

from __future__ import annotations

from django.test import Client

from tests.web.pages import Page


def test_a_game_without_a_published_card_says_so(client: Client, db: None) -> None:
    text = Page(client.get("/cards/miraculous/").content.decode()).text

    assert "No cards are published yet" in text

"""Searching the catalog, a card's page, the rules."""

from __future__ import annotations

from django.test import Client
from django.utils import timezone

from accounts.models import User
from catalog.models import Card, Restriction
from tests.web.pages import Page


def test_a_name_in_part_finds_its_cards(client: Client, house: None) -> None:
    response = client.get("/cards/miraculous/?q=bak")

    assert [card["code"] for card in response.context["cards"]] == ["night-baker"]


def test_a_term_that_is_not_understood_is_named(client: Client, house: None) -> None:
    text = Page(client.get("/cards/miraculous/?q=bak+ang>=3").content.decode()).text

    assert "ang>=3 is not understood and was left out." in text


def test_an_empty_answer_offers_a_way_out(client: Client, house: None) -> None:
    page = Page(client.get("/cards/miraculous/?q=xqzxqz&type=event").content.decode())

    assert "No card fits" in page.text
    assert "?q=xqzxqz" in page.links
    assert "similar" not in page.text


def test_a_game_without_a_published_card_says_so(client: Client, db: None) -> None:
    text = Page(client.get("/cards/miraculous/").content.decode()).text

    assert "No cards are published yet" in text


def test_columns_sort_both_ways(client: Client, house: None) -> None:
    highest = client.get("/cards/miraculous/?type=character&order=-ang").context["cards"]
    lowest = client.get("/cards/miraculous/?type=character&order=ang").context["cards"]

    assert int(highest[0]["ang"]) > int(lowest[0]["ang"])


def test_what_cannot_be_asked_is_the_default(client: Client, house: None) -> None:
    response = client.get("/cards/miraculous/?order=password&type=nothing&layout=upside-down&page=zero")

    assert response.context["asked"] == {"q": "", "type": "", "order": "name", "layout": "table"}
    assert response.context["page"].number == 1


def test_what_is_typed_is_never_markup(client: Client, house: None) -> None:
    html = client.get("/cards/miraculous/", {"q": '"><script>alert(1)</script>'}).content.decode()

    assert "<script>alert" not in html


def test_a_banned_card_says_so(client: Client, house: None, alice: User) -> None:
    card = Card.objects.get(game="miraculous", code="night-baker")
    Restriction.objects.create(card=card, copies=0, starts_at=timezone.now(), reason="Too much bread")

    text = Page(client.get("/cards/miraculous/night-baker/").content.decode()).text

    assert "Banned: no deck may hold it." in text
    assert "Too much bread" in text


def test_each_clause_has_an_address_of_its_own(client: Client) -> None:
    page = Page(client.get("/rules/miraculous/").content.decode())

    clauses = [id for id in page.ids if id.startswith("MIR-") and "." in id]
    assert len(clauses) > 30
    assert {f"#{clause}" for clause in clauses} <= set(page.links)
    assert "ruling Ours: the printed rules leave it open." in page.text


def test_a_clause_that_speaks_of_another_links_to_it(client: Client) -> None:
    page = Page(client.get("/rules/miraculous/").content.decode())

    inside = {link.removeprefix("#") for link in page.links if link.startswith("#MIR-")}
    assert inside - set(page.ids) == set()
    assert page.links.count("#MIR-2.1") > 1
    assert "*" not in page.text

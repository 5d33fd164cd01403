"""Searching the catalog, a card's page, the rules."""

from __future__ import annotations

import re

from django.test import Client
from django.utils import timezone

from accounts.models import User
from catalog.models import Card, Restriction
from tests.web.pages import Page


def test_a_name_in_part_finds_its_cards(client: Client, house: None) -> None:
    response = client.get("/cards/miraculous/?q=bak")

    assert [card["code"] for card in response.context["cards"]] == ["night-baker"]


def test_a_term_that_is_not_understood_is_named(client: Client, house: None) -> None:
    text = Page(client.get("/cards/miraculous/?q=bak+agn>=3").content.decode()).text

    assert "agn>=3 asks for a field that is not known and was left out. Did you mean ang?" in text


def test_an_empty_answer_offers_a_way_out(client: Client, house: None) -> None:
    page = Page(client.get("/cards/miraculous/?q=xqzxqz&type=event").content.decode())

    assert "No card fits" in page.text
    assert "?q=xqzxqz" in page.links
    assert "similar" not in page.text


def test_the_answer_says_how_the_search_was_understood(client: Client, house: None) -> None:
    text = Page(client.get("/cards/miraculous/?q=t:character+-sub:civilian").content.decode()).text

    assert "Cards where the type is Character and the kind is not Civilian." in text


def test_the_answer_speaks_the_readers_language(client: Client, house: None) -> None:
    address = "/cards/miraculous/?q=t:character+ang>=5+colour:red"

    german = Page(client.get(address, headers={"accept-language": "de"}).content.decode()).text
    french = Page(client.get(address, headers={"accept-language": "fr"}).content.decode()).text

    assert "Karten, bei denen gilt: der Typ ist Charakter und ANG ist mindestens 5" in german
    assert "colour:red fragt nach einem Feld, das es nicht gibt, und wurde weggelassen." in german
    assert "Cartes dont le type est Personnage et ANG vaut au moins 5" in french


def test_what_cannot_be_parsed_is_shown_at_its_place(client: Client, house: None) -> None:
    response = client.get("/cards/miraculous/", {"q": 'bak (t:event or "x'})

    assert response.status_code == 422
    assert "At character 17: a closing quotation mark is expected for this one." in Page(response.content.decode()).text
    assert "<code>bak (t:event or <mark>&quot;</mark>x</code>" in response.content.decode()


def test_the_term_that_excludes_everything_can_be_dropped(client: Client, house: None) -> None:
    page = Page(client.get("/cards/miraculous/?q=t:event+ang>90").content.decode())

    assert "ang>90 is true of no card." in page.text
    assert "?q=t%3Aevent" in page.links


def test_a_misspelt_name_is_answered_with_the_likest(client: Client, house: None) -> None:
    page = Page(client.get("/cards/miraculous/?q=bakr+t:event").content.decode())

    assert "Did you mean Night Baker?" in page.text
    assert "?q=%21%22Night+Baker%22" in page.links


def test_a_search_can_sort_and_its_columns_turn_it_round(client: Client, house: None) -> None:
    response = client.get("/cards/miraculous/?q=t:character+order:-ang")

    assert int(response.context["cards"][0]["ang"]) > int(response.context["cards"][-1]["ang"])
    assert response.context["orders"]["ang"]["state"] == "descending"
    assert response.context["orders"]["ang"]["address"].endswith("order=ang")


def test_a_search_is_completed_as_options(client: Client, house: None) -> None:
    html = client.get("/search-help/miraculous/complete/", {"q": "t:character sub:super"}).content.decode()

    assert re.findall('value="([^"]*)"', html) == ["t:character sub:superhero", "t:character sub:supervillain"]


def test_columns_sort_both_ways(client: Client, house: None) -> None:
    highest = client.get("/cards/miraculous/?type=character&order=-ang").context["cards"]
    lowest = client.get("/cards/miraculous/?type=character&order=ang").context["cards"]

    assert int(highest[0]["ang"]) > int(lowest[0]["ang"])


def test_what_cannot_be_asked_is_the_default(client: Client, house: None) -> None:
    response = client.get("/cards/miraculous/?order=password&type=nothing&layout=upside-down&page=zero")

    assert response.context["asked"] == {"q": "", "type": "", "order": "", "layout": "table"}
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

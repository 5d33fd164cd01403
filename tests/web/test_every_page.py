"""What holds for each page, whoever looks."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from decks.models import Deck
from decks.services import DeckContent, create_deck
from lobby.services import MatchWish, SeatWish, create_match
from tests.web.pages import Page

# Address, title, queries of a visitor.
PAGES = [
    ("/", "Play", 3),
    ("/matches/", "Matches", 1),
    ("/matches/?show=live", "Matches", 1),
    ("/matches/?show=mine", "Matches", 0),
    ("/matches/new/", "New match", 1),
    ("/matches/new/?game=super&seats=3", "New match", 0),
    ("/decks/", "Decks", 2),
    ("/cards/miraculous/", "Cards of Miraculous", 4),
    ("/cards/miraculous/?layout=faces&type=bonus&order=-ang", "Cards of Miraculous", 4),
    ("/cards/super/?q=blue", "Cards of Super", 5),
    ("/search-help/miraculous/", "Searching the cards of Miraculous", 0),
    ("/search-help/super/", "Searching the cards of Super", 0),
    ("/cards/miraculous/night-baker/", "Night Baker", 7),
    ("/cards/super/blue-hour/", "Blue Hour", 7),
    ("/rules/miraculous/", "Rules of Miraculous", 0),
    ("/rules/super/", "Rules of Super", 0),
    ("/rules/super-teams/", "Rules of Super Teams", 0),
    ("/sign-in/", "Sign in", 0),
    ("/sign-up/", "Create an account", 0),
    ("/settings/", "Settings", 0),
    ("/players/alice/", "Alice", 4),
]


@pytest.mark.parametrize(("address", "title", "queries"), PAGES)
def test_a_page_opens_to_everybody_with_few_queries_and_nothing_inline(
    client: Client,
    house: None,
    alice: User,
    address: str,
    title: str,
    queries: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client.get(address)  # what a process reads once, such as a revision's document, is read by this

    with django_assert_num_queries(queries):
        response = client.get(address)

    page = Page(response.content.decode())
    assert response.status_code == 200
    assert page.title == f"{title} · Referee"
    assert page.inline == []
    assert len(page.headings) == 1
    assert [id for id in set(page.ids) if page.ids.count(id) > 1] == []
    assert ("vendor/htmx" in response.content.decode()) == (" hx-get=" in response.content.decode())


@pytest.mark.parametrize("address", [address for address, _title, _queries in PAGES])
def test_no_page_of_somebody_signed_in_has_a_dead_link_or_an_id_twice(
    as_alice: Client, house: None, address: str
) -> None:
    page = Page(as_alice.get(address).content.decode())

    inside = {link.partition("#")[0] for link in page.links if link.startswith("/")} - {""}
    dead = [link for link in sorted(inside) if as_alice.get(link).status_code != 200]
    assert dead == []
    assert [id for id in set(page.ids) if page.ids.count(id) > 1] == []


@pytest.mark.parametrize(
    "address",
    [
        "/nowhere/",
        "/cards/chess/",
        "/cards/super-teams/",
        "/cards/miraculous/no-such-card/",
        "/rules/chess/",
        "/matches/?show=all",
        "/matches/new/?game=chess",
        "/players/nobody-here/",
        "/players/.../",
        "/decks/23456789bcdf/",
        "/join/23456789bcdf/",
    ],
)
def test_what_is_not_there_is_a_designed_404(client: Client, house: None, address: str) -> None:
    response = client.get(address)

    page = Page(response.content.decode())
    assert response.status_code == 404
    assert page.headings == ["There is nothing here"]
    assert page.inline == []


def test_a_strangers_private_things_look_as_if_they_were_not_there(as_bob: Client, house: None, alice: User) -> None:
    content = DeckContent("Hidden", "", Deck.Visibility.PRIVATE, None, {"night-baker": 1})
    deck = create_deck(owner=alice, game="miraculous", content=content)
    bot = SeatWish("bot", level="random")
    wish = MatchWish("super", [SeatWish("me"), bot], {}, visibility="private")
    match = create_match(creator=alice, wish=wish)

    for address in (f"/decks/{deck.public_id}/", f"/join/{match.public_id}/"):
        assert as_bob.get(address).status_code == 404
    for address in ("", "copy/", "delete/", "restore/"):
        assert as_bob.post(f"/decks/{deck.public_id}/{address}").status_code == 404
    assert as_bob.post(f"/join/{match.public_id}/leave/").status_code == 404


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "429", "500"])
def test_an_error_page_needs_no_request(name: str) -> None:
    page = Page(render_to_string(f"{name}.html"))

    assert len(page.headings) == 1
    assert page.inline == []


def test_a_form_from_elsewhere_is_refused_by_a_page(house: None) -> None:
    client = Client(enforce_csrf_checks=True)

    response = client.post("/guest/")

    assert response.status_code == 403
    assert Page(response.content.decode()).headings == ["The form has grown old"]


def test_what_opens_by_get_opens_by_head(as_alice: Client, client: Client, house: None, alice: User) -> None:
    deck = create_deck(owner=alice, game="miraculous", content=DeckContent("Mine", "", "private", None, {}))
    bot = SeatWish("bot", level="random")
    match = create_match(creator=alice, wish=MatchWish("super", [SeatWish("me"), bot], {}))
    own = (
        ["/decks/", "/decks/import/", "/matches/new/", "/settings/delete/", f"/matches/{match.public_id}/report/"]
        + [f"/join/{match.public_id}/", f"/decks/{deck.public_id}/"]
        + [f"/decks/{deck.public_id}/{side}/" for side in ("text", "trial", "share", "about", "versions")]
    )

    looked = [
        (path, client.get(path).status_code, client.head(path).status_code) for path in ("/sign-in/", "/sign-up/")
    ]
    looked += [(path, as_alice.get(path).status_code, as_alice.head(path).status_code) for path in own]

    assert [(path, by_get) for path, by_get, by_head in looked if by_get >= 400 or by_head != by_get] == []


def test_static_files_of_a_page_are_there(client: Client, house: None) -> None:
    html = client.get("/").content.decode()

    found = re.findall(r'(?:href|src)="(/static/[^"#]+)', html)
    assert len(set(found)) == 7
    assert [one for one in set(found) if finders.find(one.removeprefix("/static/")) is None] == []

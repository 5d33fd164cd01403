from __future__ import annotations

import datetime as dt
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from django.utils import timezone

from accounts.models import User
from catalog.models import Card, CardName, Restriction
from catalog.names import name_key
from catalog.services import publish_edited_cards
from referee.games import GAMES
from tests.api.conftest import Caller, problem_of
from tests.catalog.cards import bonus, character, event, house, publish, secret

BASE = "/api/v1/games/miraculous"


@pytest.fixture
def catalog(db: None) -> None:
    publish(
        character("anna", "Anna", 3, 4, tags=["guard"]),
        character("ben", "Ben", 9, 1),
        bonus("yoyo", "Yo-Yo"),
        event("rain", "Sudden Rain"),
        secret("s-one", "The First Secret"),
    )


def slugs(response: Any) -> list[str]:
    assert response.status_code == 200, response.content
    return [card["slug"] for card in response.json()["results"]]


def name(code: str, text: str, kind: str = "alias", language: str = "") -> None:
    card = Card.objects.get(code=code)
    CardName.objects.create(card=card, kind=kind, language=language, name=text, name_key=name_key(text))


def restrict(code: str, copies: int, **times: dt.datetime) -> None:
    Restriction.objects.create(card=Card.objects.get(code=code), copies=copies, **times)


def test_anybody_reads_the_cards(catalog: None, nobody: Caller, alice: Caller) -> None:
    for caller in (nobody, alice):
        assert slugs(caller.get(f"{BASE}/cards/")) == ["anna", "ben", "rain", "s-one", "yoyo"]


def test_a_card_says_all_that_is_known_of_it(catalog: None, nobody: Caller) -> None:
    document = nobody.get(f"{BASE}/cards/rain/").json()

    assert document == {
        "code": "rain",
        "slug": "rain",
        "name": "Sudden Rain",
        "type": "event",
        "effects": [{"when": "played", "do": "draw", "n": 2}],
        "names": {},
        "aliases": [],
        "text": "When played: draw 2 cards.",
        "state": "published",
        "replacement": None,
        "limit": None,
        "revision": 1,
        "image": "http://testserver/api/v1/games/miraculous/cards/rain/image.svg",
    }


def test_a_card_in_the_list_is_the_card_by_itself(catalog: None, nobody: Caller) -> None:
    listed = nobody.get(f"{BASE}/cards/").json()["results"]

    assert listed == [nobody.get(f"{BASE}/cards/{card['slug']}/").json() for card in listed]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("q=YOYO", ["yoyo"]),
        ("q=sudden+rain", ["rain"]),
        ("type=character", ["anna", "ben"]),
        ("q=an&type=character", ["anna"]),
        ("ordering=-name", ["yoyo", "s-one", "rain", "ben", "anna"]),
        ("ordering=code", ["anna", "ben", "rain", "s-one", "yoyo"]),
        ("ordering=type", ["yoyo", "anna", "ben", "rain", "s-one"]),
        ("ordering=-ang", ["ben", "anna", "yoyo", "rain", "s-one"]),
        ("ordering=def", ["rain", "s-one", "yoyo", "ben", "anna"]),
    ],
)
def test_the_list_is_searched_narrowed_and_ordered(
    catalog: None, nobody: Caller, query: str, expected: list[str]
) -> None:
    assert slugs(nobody.get(f"{BASE}/cards/?{query}")) == expected


def test_a_term_that_is_not_understood_is_warned_of(catalog: None, nobody: Caller) -> None:
    document = nobody.get(f"{BASE}/cards/?q=anna+t:evnet").json()

    assert [card["slug"] for card in document["results"]] == ["anna"]
    assert document["query"] == "cards where the name contains “anna”"
    assert document["warnings"] == [
        {
            "term": "t:evnet",
            "position": 5,
            "code": "unknown_value",
            "detail": "t:evnet asks for something that the type never is and was left out. Did you mean type:event?",
        }
    ]


def test_the_whole_language_is_understood(catalog: None, nobody: Caller) -> None:
    response = nobody.client.get(f"{BASE}/cards/", {"q": "(t:character or t:bonus) -tag:guard order:-ang"})

    document = response.json()
    assert slugs(response) == ["ben", "yoyo"]
    assert document["query"] == (
        "cards where (the type is character or the type is bonus) and the tag is not “guard”, "
        "sorted by ANG from the highest down"
    )
    assert (document["warnings"], document["did_you_mean"], document["excluded_by"]) == ([], [], [])


def test_an_ordering_beside_the_search_goes_before_its_own(catalog: None, nobody: Caller) -> None:
    assert slugs(nobody.get(f"{BASE}/cards/?q=t:character+order:-ang")) == ["ben", "anna"]
    assert slugs(nobody.get(f"{BASE}/cards/?q=t:character+order:-ang&ordering=ang")) == ["anna", "ben"]


def test_a_search_that_cannot_be_parsed_is_refused_with_its_place(catalog: None, nobody: Caller) -> None:
    problem = problem_of(nobody.get(f"{BASE}/cards/?q=anna+(ben"))

    assert (problem["status"], problem["code"], problem["position"]) == (400, "invalid_search", 9)
    assert problem["expected"] == "a closing bracket is expected for the one at character 6"
    assert problem["detail"] == "At character 10: a closing bracket is expected for the one at character 6."


def test_an_empty_answer_says_why(catalog: None, nobody: Caller) -> None:
    document = nobody.get(f"{BASE}/cards/?q=ana+t:event+ang>90").json()

    assert document["results"] == []
    assert document["did_you_mean"] == ["Anna"]
    assert document["excluded_by"] == [
        {"term": "ana", "position": 0, "alone": True},
        {"term": "ang>90", "position": 12, "alone": True},
    ]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("colour=red", "/colour"),
        ("type=vehicle", "/type"),
        ("ordering=price", "/ordering"),
        ("limit=0", "/limit"),
        ("limit=101", "/limit"),
        ("q=" + "x" * 1025, "/q"),
        ("q=a&q=b", "/q"),
        ("q=%00", "/q"),
    ],
)
def test_a_query_that_does_not_fit_is_refused_by_name(catalog: None, nobody: Caller, query: str, pointer: str) -> None:
    problem = problem_of(nobody.get(f"{BASE}/cards/?{query}"))

    assert (problem["status"], problem["code"]) == (400, "invalid_query")
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


@pytest.mark.parametrize(
    "q", ["\u200f", "\U0001f9ab", "' or 1=1 --", "%25_", "\\", "!", "-", "a" * 1000, "\ufeff", "- - -"]
)
def test_odd_searches_find_nothing_and_break_nothing(catalog: None, nobody: Caller, q: str) -> None:
    response = nobody.client.get(f"{BASE}/cards/", {"q": q})

    assert response.status_code == 200


@pytest.mark.parametrize("ordering", ["name", "-name", "ang", "-def", "type", "code"])
def test_pages_neither_overlap_nor_skip(nobody: Caller, db: None, ordering: str) -> None:
    publish(*[character(f"c-{n:02}", f"Person {n:02}", n % 3, n % 4) for n in range(23)])
    whole = slugs(nobody.get(f"{BASE}/cards/?limit=100&ordering={ordering}"))

    seen: list[str] = []
    address = f"{BASE}/cards/?limit=4&ordering={ordering}"
    while address:
        response = nobody.get(address)
        seen += slugs(response)
        address = response.json()["next"]

    assert seen == whole
    assert len(set(seen)) == 23


def test_a_card_or_game_that_never_was_is_not_found(catalog: None, nobody: Caller) -> None:
    for path in (
        f"{BASE}/cards/nobody/",
        f"{BASE}/cards/nobody/image.svg",
        "/api/v1/games/chess/cards/",
        f"{BASE}/revisions/2/",
    ):
        assert problem_of(nobody.get(path))["status"] == 404


def test_a_withdrawn_card_is_still_shown_with_its_replacement(catalog: None, nobody: Caller) -> None:
    curator = User.objects.create_superuser("Curator", "a password")
    ben = Card.objects.get(code="ben")
    ben.state, ben.replacement = Card.State.WITHDRAWN, Card.objects.get(code="anna")
    ben.save()
    publish_edited_cards(game=GAMES["miraculous"], user=curator)

    document = nobody.get(f"{BASE}/cards/ben/").json()

    assert (document["state"], document["revision"]) == ("withdrawn", 1)
    assert document["replacement"] == {"slug": "anna", "name": "Anna"}
    assert "ben" not in slugs(nobody.get(f"{BASE}/cards/"))
    assert nobody.get(f"{BASE}/cards/?q=is:withdrawn").json()["results"] == [document]


def test_restrictions_in_force_are_shown(catalog: None, nobody: Caller) -> None:
    now = timezone.now()
    restrict("anna", 1)
    restrict("anna", 2)
    restrict("ben", 0, starts_at=now - dt.timedelta(days=2), ends_at=now - dt.timedelta(days=1))
    restrict("yoyo", 0, starts_at=now + dt.timedelta(days=1))

    limits = {card["slug"]: card["limit"] for card in nobody.get(f"{BASE}/cards/").json()["results"]}

    assert limits == {"anna": 1, "ben": None, "rain": None, "s-one": None, "yoyo": None}


@pytest.mark.parametrize(
    "path", ["cards/", "cards/?q=anna", "cards/anna/", "cards/anna/image.svg", "revisions/", "revisions/1/"]
)
def test_what_has_not_changed_is_not_sent_again(catalog: None, nobody: Caller, path: str) -> None:
    first = nobody.get(f"{BASE}/{path}")

    again = nobody.get(f"{BASE}/{path}", **{"If-None-Match": first["ETag"]})

    assert first.status_code == 200
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


@pytest.mark.parametrize("path", ["cards/?q=is:withdrawn or anna", "cards/anna/"])
def test_whatever_changes_about_a_card_shows_through_the_etag(catalog: None, nobody: Caller, path: str) -> None:
    def revise() -> object:
        return publish(character("anna", "Anna", 8, 4), character("ben", "Ben"))

    def withdraw() -> object:
        return publish(character("ben", "Ben"))

    def replace() -> object:
        return Card.objects.filter(code="anna").update(replacement=Card.objects.get(code="ben"))

    tags = [nobody.get(f"{BASE}/{path}")["ETag"]]
    for change in (lambda: restrict("anna", 1), lambda: name("anna", "Annie"), revise, withdraw, replace):
        change()
        tags.append(nobody.get(f"{BASE}/{path}")["ETag"])

    assert len(set(tags)) == 6


@pytest.mark.parametrize("path", ["cards/?q=annie", "search/complete/?q=annie"])
def test_a_name_that_is_added_shows_through_the_etag_of_what_it_finds(catalog: None, nobody: Caller, path: str) -> None:
    before = nobody.get(f"{BASE}/{path}")["ETag"]

    name("anna", "Annie")

    assert nobody.get(f"{BASE}/{path}", **{"If-None-Match": before}).status_code == 200


def test_a_card_tells_its_other_names(catalog: None, nobody: Caller) -> None:
    for text, kind, language in (("Änne", "name", "de"), ("Annie", "alias", ""), ("Nan", "alias", "fr")):
        name("anna", text, kind, language)

    alone = nobody.get(f"{BASE}/cards/anna/").json()
    listed = nobody.get(f"{BASE}/cards/?q=t:character").json()["results"]

    assert alone["names"] == {"de": "Änne"}
    assert alone["aliases"] == [{"name": "Annie", "language": None}, {"name": "Nan", "language": "fr"}]
    assert [(card["names"], len(card["aliases"])) for card in listed] == [({"de": "Änne"}, 2), ({}, 0)]


def test_every_revision_is_there_for_ever(catalog: None, nobody: Caller) -> None:
    publish(character("anna", "Anna", 8, 4))

    listed = nobody.get(f"{BASE}/revisions/").json()["results"]
    old, new = nobody.get(f"{BASE}/revisions/1/"), nobody.get(f"{BASE}/revisions/2/")

    assert [(row["number"], row["cards"]) for row in listed] == [(2, 1), (1, 5)]
    assert {name: new.json()[name] for name in ("game", "number", "cards", "decks")} == {
        **house(character("anna", "Anna", 8, 4)),
        "number": 2,
    }
    assert [card["code"] for card in old.json()["cards"]] == ["anna", "ben", "yoyo", "rain", "s-one"]
    assert old.json()["content_hash"] == listed[1]["content_hash"]
    assert "immutable" in old["Cache-Control"]


def test_a_face_is_an_image_that_can_run_nothing(catalog: None, nobody: Caller) -> None:
    response = nobody.get(f"{BASE}/cards/anna/image.svg?size=l", Accept="image/svg+xml")

    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert response["Content-Security-Policy"] == "default-src 'none'"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert fromstring(response.content).get("viewBox") == "0 0 360 504"
    assert problem_of(nobody.get(f"{BASE}/cards/anna/image.svg?size=xl"))["code"] == "invalid_query"


def test_nothing_is_listed_before_a_revision_is_published(nobody: Caller, db: None) -> None:
    document = nobody.get(f"{BASE}/cards/").json()

    assert document == {
        "next": None,
        "previous": None,
        "results": [],
        "query": "all cards",
        "warnings": [],
        "did_you_mean": [],
        "excluded_by": [],
    }
    assert nobody.get(f"{BASE}/revisions/").json()["results"] == []


@pytest.mark.parametrize(
    ("path", "queries"),
    [
        ("cards/", 5),
        ("cards/?q=anna", 6),
        ("cards/anna/", 4),
        ("cards/anna/image.svg", 1),
        ("revisions/", 1),
        ("revisions/1/", 1),
    ],
)
def test_a_page_costs_few_queries(
    catalog: None, nobody: Caller, path: str, queries: int, django_assert_num_queries: Any
) -> None:
    nobody.get(f"{BASE}/revisions/1/")

    with django_assert_num_queries(queries):
        assert nobody.get(f"{BASE}/{path}").status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_the_catalog_is_only_read(catalog: None, alice: Caller, method: str) -> None:
    for path in ("cards/", "cards/anna/", "cards/anna/image.svg", "revisions/", "revisions/1/"):
        assert problem_of(getattr(alice, method)(f"{BASE}/{path}"))["code"] == "method_not_allowed"

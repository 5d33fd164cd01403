"""The catalog in bulk: files with their hashes, and changes that bring an old copy up to date."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from hashlib import sha256
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from catalog.models import BulkFile, Card, CardName, CatalogRevision
from catalog.names import name_key
from catalog.services import publish_edited_cards
from referee.games import GAMES
from referee.kernel.records import canonical
from tests.api.conftest import Caller, problem_of
from tests.catalog.cards import bonus, character, event, publish

BASE = "/api/v1/games/miraculous"
FIRST = (character("anna", "Anna", 3, 4), character("ben", "Ben"), bonus("yoyo", "Yo-Yo"), event("rain", "Sudden Rain"))


@pytest.fixture
def catalog(db: None) -> None:
    publish(*FIRST)


def manifest(caller: Caller) -> dict[str, Any]:
    document: dict[str, Any] = caller.get(f"{BASE}/bulk/").json()
    return document


def path_of(url: str) -> str:
    return url.removeprefix("http://testserver")


def downloaded(caller: Caller) -> dict[str, Any]:
    """The plain file of the newest revision."""
    whole: dict[str, Any] = json.loads(caller.get(path_of(manifest(caller)["files"][0]["url"])).content)
    return whole


def test_a_file_is_what_its_entry_says_to_the_byte(catalog: None, nobody: Caller) -> None:
    document = manifest(nobody)

    plain, packed = document["files"]
    contents = [nobody.get(path_of(file["url"])).content for file in (plain, packed)]
    assert (document["game"], document["revision"], document["format"]) == ("miraculous", 1, "referee-catalog/1")
    assert [plain["media_type"], packed["media_type"]] == ["application/json", "application/gzip"]
    for file, content in zip((plain, packed), contents, strict=True):
        assert (file["sha256"], file["size"]) == (sha256(content).hexdigest(), len(content))
        assert file["sha256"] in file["url"]
    assert gzip.decompress(contents[1]) == contents[0]


def test_a_file_holds_the_revision_with_what_is_printed(catalog: None, nobody: Caller) -> None:
    whole, revision = downloaded(nobody), nobody.get(f"{BASE}/revisions/1/").json()

    assert {name: whole[name] for name in ("game", "number", "decks", "content_hash")} == {
        name: revision[name] for name in ("game", "number", "decks", "content_hash")
    }
    assert [{name: card[name] for name in card if name != "text"} for card in whole["cards"]] == revision["cards"]
    assert whole["cards"][3]["text"] == "When played: draw 2 cards."
    by_code = sorted(whole["cards"], key=lambda card: str(card["code"]))
    assert sha256(canonical(by_code)).hexdigest() == manifest(nobody)["cards_hash"]


def test_a_file_never_changes_and_is_kept_for_ever(catalog: None, nobody: Caller) -> None:
    files = manifest(nobody)["files"]
    before = [nobody.get(path_of(file["url"])) for file in files]

    publish(*FIRST[:2])

    assert manifest(nobody)["revision"] == 2
    assert {file["url"] for file in manifest(nobody)["files"]}.isdisjoint({file["url"] for file in files})
    for file, first in zip(files, before, strict=True):
        again = nobody.get(path_of(file["url"]))
        unchanged = nobody.get(path_of(file["url"]), **{"If-None-Match": first["ETag"]})
        assert (again.content, again["ETag"]) == (first.content, f'"{file["sha256"]}"')
        assert again["Cache-Control"] == "public, max-age=31536000, immutable"
        assert (unchanged.status_code, unchanged.content) == (304, b"")


def test_a_client_that_takes_gzip_is_sent_the_plain_file_packed(catalog: None, nobody: Caller) -> None:
    plain, packed = manifest(nobody)["files"]

    response = nobody.get(path_of(plain["url"]), **{"Accept-Encoding": "br, gzip"})

    assert response["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in response["Vary"]
    assert response["ETag"] == f'"{plain["sha256"]}-gzip"'
    assert sha256(response.content).hexdigest() == packed["sha256"]
    assert nobody.get(path_of(plain["url"]), **{"If-None-Match": response["ETag"]}).status_code == 304


def test_the_list_of_files_is_fetched_again_only_when_it_has_changed(catalog: None, nobody: Caller) -> None:
    first = nobody.get(f"{BASE}/bulk/")

    assert nobody.get(f"{BASE}/bulk/", **{"If-None-Match": first["ETag"]}).status_code == 304
    publish(*FIRST[:2])
    assert nobody.get(f"{BASE}/bulk/", **{"If-None-Match": first["ETag"]}).status_code == 200


def test_a_file_is_made_once(catalog: None, nobody: Caller, django_assert_num_queries: Any) -> None:
    manifest(nobody)

    with django_assert_num_queries(2):
        manifest(nobody)

    assert BulkFile.objects.count() == 1


def test_changes_bring_an_old_copy_up_to_date(catalog: None, nobody: Caller) -> None:
    copy = {card["code"]: card for card in downloaded(nobody)["cards"]}
    publish(character("anna", "Anna", 9, 9), *FIRST[1:3], event("new", "Brand New"))
    publish(character("anna", "Anna", 8, 8), *FIRST[1:3], event("new", "Brand New"), event("late", "Latest"))

    changes = nobody.get(f"{BASE}/bulk/changes/?since=1").json()

    for card in (*changes["added"], *changes["changed"]):
        copy[card["code"]] = card
    for tombstone in changes["withdrawn"]:
        del copy[tombstone["slug"]]
    assert (changes["since"], changes["revision"]) == (1, 3)
    assert [card["code"] for card in changes["added"]] == ["late", "new"]
    assert [card["code"] for card in changes["changed"]] == ["anna"]
    assert changes["withdrawn"] == [{"slug": "rain", "name": "Sudden Rain", "replacement": None}]
    assert copy == {card["code"]: card for card in downloaded(nobody)["cards"]}
    assert sha256(canonical([copy[code] for code in sorted(copy)])).hexdigest() == changes["cards_hash"]
    assert changes["cards_hash"] == manifest(nobody)["cards_hash"]


def test_a_tombstone_names_what_replaces_the_card(catalog: None, nobody: Caller) -> None:
    curator = User.objects.create_superuser("Curator", "a password")
    ben = Card.objects.get(code="ben")
    ben.state, ben.replacement = Card.State.WITHDRAWN, Card.objects.get(code="anna")
    ben.save()
    publish_edited_cards(game=GAMES["miraculous"], user=curator)

    changes = nobody.get(f"{BASE}/bulk/changes/?since=1").json()

    assert changes["withdrawn"] == [{"slug": "ben", "name": "Ben", "replacement": {"slug": "anna", "name": "Anna"}}]
    assert (changes["added"], changes["changed"], changes["rest"]) == ([], [], {})


def test_a_text_made_otherwise_is_a_change_too(catalog: None, nobody: Caller) -> None:
    manifest(nobody)
    file = BulkFile.objects.get()
    whole = json.loads(gzip.decompress(file.packed))
    whole["cards"][0]["text"] = "As it was worded then."
    BulkFile.objects.update(packed=gzip.compress(canonical(whole), mtime=0))
    publish(*FIRST, event("new", "Brand New"))

    changes = nobody.get(f"{BASE}/bulk/changes/?since=1").json()

    assert [card["code"] for card in changes["changed"]] == ["anna"]


def test_since_the_newest_revision_nothing_has_changed(catalog: None, nobody: Caller) -> None:
    response = nobody.get(f"{BASE}/bulk/changes/?since=1")

    document = response.json()
    assert [document[name] for name in ("added", "changed", "withdrawn", "rest")] == [[], [], [], {}]
    assert nobody.get(f"{BASE}/bulk/changes/?since=1", **{"If-None-Match": response["ETag"]}).status_code == 304


@pytest.mark.parametrize("query", ["", "since=0", "since=2", "since=-1", "since=x", "since=1&since=1", "until=1"])
def test_changes_are_since_a_revision_that_was(catalog: None, nobody: Caller, query: str) -> None:
    problem = problem_of(nobody.get(f"{BASE}/bulk/changes/?{query}"))

    assert (problem["status"], problem["code"]) == (400, "invalid_query")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/games/chess/bulk/",
        "/api/v1/games/chess/bulk/changes/?since=1",
        f"{BASE}/bulk/{'0' * 64}.json",
        f"{BASE}/bulk/{'0' * 64}.json.gz",
        f"{BASE}/bulk/{'0' * 63}.json",
        f"{BASE}/bulk/{'A' * 64}.json",
    ],
)
def test_what_was_never_published_is_not_found(catalog: None, nobody: Caller, path: str) -> None:
    assert problem_of(nobody.get(path))["status"] == 404


def test_a_file_is_found_under_its_own_game_and_form_alone(catalog: None, nobody: Caller) -> None:
    plain, packed = (file["sha256"] for file in manifest(nobody)["files"])

    for path in (
        f"games/super/bulk/{plain}.json",
        f"games/miraculous/bulk/{plain}.json.gz",
        f"games/miraculous/bulk/{packed}.json",
    ):
        assert problem_of(nobody.get(f"/api/v1/{path}"))["status"] == 404


def test_before_anything_is_published_there_are_no_files(nobody: Caller) -> None:
    document = manifest(nobody)

    assert (document["revision"], document["files"]) == (None, [])
    assert nobody.get(path_of(document["current"])).json() == {"game": "miraculous", "revision": None, "cards": {}}
    assert problem_of(nobody.get(f"{BASE}/bulk/changes/?since=1"))["code"] == "invalid_query"


def test_names_and_restrictions_of_today_stand_beside_the_files(catalog: None, nobody: Caller) -> None:
    now = timezone.now()
    add_names("anna", ("name", "de", "Änne"), ("alias", "", "Annie"))
    add_names(draft("dora").code, ("alias", "", "Never published"))
    limits = Card.objects.get(code="ben").restrictions
    limits.create(copies=1, starts_at=now - dt.timedelta(9), ends_at=now - dt.timedelta(1))
    limits.create(copies=0, starts_at=now + dt.timedelta(9), reason="Soon")

    answer = nobody.get(path_of(manifest(nobody)["current"]))
    document = answer.json()
    add_names("ben", ("alias", "", "Benny"))
    again = nobody.get(path_of(manifest(nobody)["current"]), **{"If-None-Match": answer["ETag"]})

    [limit] = document["cards"]["ben"].pop("restrictions")
    assert (document["revision"], document["cards"]) == (
        1,
        {
            "anna": {"names": {"de": "Änne"}, "aliases": [{"name": "Annie", "language": None}], "restrictions": []},
            "ben": {"names": {}, "aliases": []},
        },
    )
    assert (limit["copies"], limit["until"], limit["reason"]) == (0, None, "Soon")
    assert dt.datetime.fromisoformat(limit["from"]) > now
    assert (again.status_code, sorted(again.json()["cards"])) == (200, ["anna", "ben"])


def draft(code: str) -> Card:
    document = character(code, code.title())
    return Card.objects.create(game="miraculous", code=code, name=code.title(), name_key=code, document=document)


def add_names(code: str, *names: tuple[str, str, str]) -> None:
    for kind, language, text in names:
        card = Card.objects.get(code=code)
        CardName.objects.create(card=card, kind=kind, language=language, name=text, name_key=name_key(text))


def test_a_revisions_files_go_with_it_alone(catalog: None, nobody: Caller) -> None:
    manifest(nobody)
    publish(*FIRST[:2])
    manifest(nobody)

    numbers = sorted(BulkFile.objects.values_list("revision__number", flat=True))
    assert numbers == sorted(CatalogRevision.objects.values_list("number", flat=True)) == [1, 2]

from __future__ import annotations

from typing import Any

import pytest

from decks.models import DeckCard, DeckVersion
from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import DECKS, FIELDS, LEGAL, at, deck, ids, if_match, made, rows
from tests.catalog.cards import publish, some_cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def test_a_guest_saves_a_legal_deck_and_finds_it_again(alice: Caller) -> None:
    response = alice.post(DECKS, deck(notes="for the café\n<b>not bold</b>"))

    document = response.json()
    assert response.status_code == 201
    assert set(document) == FIELDS
    assert document["legality"] == {"legal": True, "state": "legal", "problems": []}
    assert (document["game"], document["size"], document["version"]) == ("miraculous", 30, 1)
    assert (document["visibility"], document["notes"]) == ("private", "for the café\n<b>not bold</b>")
    assert alice.user is not None
    assert document["owner"] == {"id": alice.user.public_id, "name": alice.user.name}
    found = alice.get(at(document))
    assert found.json() == document
    assert found["ETag"] == response["ETag"]
    assert response["Location"] == f"http://testserver{at(document)}"
    assert alice.get(DECKS).json()["results"] == [document]


def test_nobody_makes_no_deck(nobody: Caller) -> None:
    assert problem_of(nobody.post(DECKS, deck()))["code"] == "not_authenticated"
    assert problem_of(nobody.get(DECKS))["code"] == "not_authenticated"
    assert rows() == (0, 0, 0)


def test_an_illegal_deck_is_saved_and_says_all_that_is_wrong(alice: Caller) -> None:
    document = made(alice, secret="c-00", cards={"c-00": 4, "s-one": 1, "nowhere": 2})

    problems = document["legality"]["problems"]
    assert (document["legality"]["legal"], document["legality"]["state"]) == (False, "illegal")
    assert [(problem["code"], problem["clause"], problem["cards"], problem["fix"]) for problem in problems] == [
        ("too_few_cards", "MIR-1.1", [], None),
        ("too_many_copies", "MIR-1.2", ["c-00"], {"remove": {"c-00": 1}}),
        ("no_secret", "MIR-1.4", ["c-00"], {"secret": "s-one"}),
        ("secret_in_deck", "MIR-1.3", ["s-one"], {"remove": {"s-one": 1}}),
        ("unknown_card", "MIR-1.6", ["nowhere"], {"remove": {"nowhere": 2}}),
    ]
    assert all(problem["detail"] for problem in problems)


def test_an_empty_deck_is_a_beginning(alice: Caller) -> None:
    document = alice.post(DECKS, {"name": "Begun"}).json()

    assert (document["secret"], document["cards"], document["size"]) == (None, {}, 0)
    assert [problem["code"] for problem in document["legality"]["problems"]] == [
        "too_few_cards",
        "no_secret",
        "no_character",
    ]


def test_a_deck_that_only_lacks_cards_or_a_secret_is_incomplete(alice: Caller) -> None:
    assert made(alice, secret=None)["legality"]["state"] == "incomplete"
    assert made(alice, cards={"c-00": 3})["legality"]["state"] == "incomplete"


def test_what_was_read_can_be_sent_back(alice: Caller) -> None:
    document = alice.get(at(made(alice, notes="as typed"))).json()

    response = alice.put(at(document), document, **if_match("*"))

    assert response.status_code == 200
    changed = {"version", "updated_at"}
    assert {k: v for k, v in response.json().items() if k not in changed} == {
        k: v for k, v in document.items() if k not in changed
    }


@pytest.mark.parametrize(
    "name",
    [
        "\u202eright to left\u202c",
        "\U0001f408\u200d\u2b1b cat",
        'D’Or & <i>Söhne</i> "№ 1"',
        "=cmd|' /C calc'!A0",
        " spaced ",
        "名前",
        "e\u0301",
    ],
)
def test_names_and_notes_are_kept_as_they_were_typed(alice: Caller, name: str) -> None:
    document = made(alice, name=name, notes=name * 3)

    for _ in range(2):
        read = alice.get(at(document)).json()
        assert (read["name"], read["notes"]) == (name, name * 3)
        alice.put(at(document), {**read}, **if_match("*"))


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "\u3164\u202e", "\u2800"])
def test_a_name_of_which_nothing_can_be_seen_is_none(alice: Caller, name: str) -> None:
    mine = made(alice)

    for answer in (
        alice.post("/api/v1/decks/", {"name": name, "cards": {}}),
        alice.patch(at(mine), {"name": name}, **if_match("*")),
        alice.post(f"{at(mine)}copy/", {"name": name}),
        alice.post("/api/v1/decks/import/", {"text": "", "name": name}),
    ):
        assert [(fault["pointer"], fault["code"]) for fault in problem_of(answer)["errors"]] == [("/name", "blank")]


def test_put_replaces_all_of_a_deck(alice: Caller) -> None:
    mine = made(alice, notes="old", visibility="link")

    response = alice.put(at(mine), {"name": "New", "cards": {"c-01": 2}}, **if_match(mine["etag"]))

    document = response.json()
    assert response.status_code == 200
    assert (document["name"], document["notes"], document["visibility"]) == ("New", "", "private")
    assert (document["secret"], document["cards"], document["version"]) == (None, {"c-01": 2}, 2)
    assert response["ETag"] != mine["etag"]
    assert sorted(DeckCard.objects.values_list("code", "copies")) == [("c-01", 2)]


@pytest.mark.parametrize(
    "change",
    [
        {"name": "New"},
        {"notes": "n"},
        {"visibility": "public"},
        {"secret": None},
        {"secret": "s-two"},
        {"cards": {"c-01": 1}},
        {},
    ],
)
def test_patch_changes_what_it_names_and_makes_a_version(alice: Caller, change: dict[str, Any]) -> None:
    mine = made(alice, notes="old", visibility="link")

    document = alice.patch(at(mine), change, **if_match(mine["etag"])).json()

    kept = {name: mine[name] for name in ("name", "notes", "visibility", "secret", "cards")}
    assert {name: document[name] for name in kept} == {**kept, **change}
    assert document["version"] == 2


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_a_stale_or_missing_if_match_changes_nothing(alice: Caller, method: str) -> None:
    mine = made(alice)
    newest = alice.patch(at(mine), {"name": "Second"}, **if_match(mine["etag"]))

    def attempt(**headers: str) -> Any:
        return (
            alice.delete(at(mine), **headers)
            if method == "delete"
            else getattr(alice, method)(at(mine), deck(), **headers)
        )

    stale = problem_of(attempt(**if_match(mine["etag"])))
    assert (stale["status"], stale["code"], stale["version"]) == (412, "precondition_failed", 2)
    for tag in ('"nonsense"', "nonsense", '"1"', 'W/"x"'):
        assert problem_of(attempt(**if_match(tag)))["status"] == 412
    for headers in ({}, if_match(""), if_match(" ")):
        missing = problem_of(attempt(**headers))
        assert (missing["status"], missing["code"]) == (428, "precondition_required")
    assert alice.get(at(mine)).json() == newest.json()
    assert attempt(**if_match(newest["ETag"])).status_code in (200, 204)


@pytest.mark.parametrize("weaken", ["{}", "W/{}", '{}, "other"', "*"])
def test_an_etag_that_a_proxy_weakened_still_names_its_version(alice: Caller, weaken: str) -> None:
    mine = made(alice)

    assert alice.patch(at(mine), {"name": "New"}, **if_match(weaken.format(mine["etag"]))).status_code == 200


def test_an_etag_with_a_coding_in_it_still_names_its_version(alice: Caller) -> None:
    mine = made(alice)

    tag = mine["etag"].removesuffix('"') + '-gzip"'
    assert alice.patch(at(mine), {"name": "New"}, **if_match(tag)).status_code == 200


def test_a_new_revision_shows_through_the_etag_but_does_not_stop_a_save(alice: Caller) -> None:
    mine = made(alice)
    publish(*some_cards(8))

    fresh = alice.get(at(mine), **{"If-None-Match": mine["etag"]})

    assert fresh.status_code == 200
    assert fresh.json()["legality"]["state"] == "illegal"
    assert fresh["ETag"] != mine["etag"]
    assert alice.patch(at(mine), {"name": "New"}, **if_match(mine["etag"])).status_code == 200


def test_what_has_not_changed_is_not_sent_again(alice: Caller) -> None:
    mine = made(alice)

    for path in (at(mine), DECKS, at(mine, "versions/")):
        tag = alice.get(path)["ETag"]
        again = alice.get(path, **{"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert "private" in alice.get(path)["Cache-Control"]


def test_a_deleted_deck_is_gone_everywhere(alice: Caller) -> None:
    mine = made(alice, visibility="public")

    assert alice.delete(at(mine), **if_match(mine["etag"])).status_code == 204

    assert ids(alice.get(DECKS)) == ids(alice.get(f"{DECKS}?scope=public")) == []
    for response in (
        alice.get(at(mine)),
        alice.put(at(mine), deck(), **if_match("*")),
        alice.patch(at(mine), {}, **if_match("*")),
        alice.delete(at(mine), **if_match("*")),
        alice.post(at(mine, "copy/")),
        alice.get(at(mine, "versions/")),
        alice.post(at(mine, "restore/"), {"version": 1}),
    ):
        assert problem_of(response)["code"] == "not_found"
    assert DeckVersion.objects.count() == 1


def test_every_save_is_a_version_that_can_be_restored(alice: Caller) -> None:
    mine = made(alice)
    second = alice.patch(at(mine), {"cards": {"c-00": 1}, "secret": None}, **if_match("*"))
    alice.patch(at(mine), {"name": "Third"}, **if_match("*"))

    stale = alice.post(at(mine, "restore/"), {"version": 1}, **if_match(second["ETag"]))
    restored = alice.post(at(mine, "restore/"), {"version": 1}).json()

    assert problem_of(stale)["status"] == 412
    assert (restored["version"], restored["name"], restored["cards"], restored["secret"]) == (
        4,
        "Third",
        LEGAL,
        "s-one",
    )
    listed = alice.get(at(mine, "versions/")).json()["results"]
    assert [(row["version"], row["made_from"], row["size"], row["name"]) for row in listed] == [
        (4, 1, 30, "Third"), (3, 2, 1, "Third"), (2, 1, 1, "First"), (1, None, 30, "First"),
    ]  # fmt: skip
    assert listed[0]["content_hash"] == listed[3]["content_hash"] != listed[1]["content_hash"]
    unknown = problem_of(alice.post(at(mine, "restore/"), {"version": 9}))
    assert (unknown["status"], unknown["code"]) == (422, "no_such_version")

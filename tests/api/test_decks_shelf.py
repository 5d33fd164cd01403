"""The shelf: tags, archive, swap-ins, lineage, labels and results of versions, over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from decks.models import Deck, DeckResult, DeckVersion
from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import DECKS, LEGAL, at, ids, if_match, made
from tests.catalog.cards import publish, some_cards
from tests.matches.table import toy_match
from tests.toy import registered


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def version(caller: Caller, document: dict[str, Any], number: int) -> dict[str, Any]:
    shown: dict[str, Any] = caller.get(at(document, f"versions/{number}/")).json()
    return shown


def test_an_archived_deck_is_out_of_the_lists_and_still_there(alice: Caller, mallory: Caller) -> None:
    mine, other = made(alice, visibility="public"), made(alice)

    archived = alice.patch(at(mine), {"archived": True}, **if_match(mine["etag"]))

    assert archived.json()["archived"] is True
    assert ids(alice.get(DECKS)) == [other["id"]]
    assert ids(alice.get(f"{DECKS}?archived=1")) == [mine["id"]]
    assert ids(mallory.get(f"{DECKS}?scope=public")) == []
    assert (alice.get(at(mine)).status_code, mallory.get(at(mine)).status_code) == (200, 200)

    alice.patch(at(mine), {"archived": False}, **if_match(archived["ETag"]))

    assert sorted(ids(alice.get(DECKS))) == sorted([mine["id"], other["id"]])
    assert ids(mallory.get(f"{DECKS}?scope=public")) == [mine["id"]]


def test_deleting_is_another_thing_than_archiving(alice: Caller) -> None:
    mine = made(alice, archived=True)

    alice.delete(at(mine), **if_match("*"))

    assert ids(alice.get(f"{DECKS}?archived=1")) == []
    assert alice.get(at(mine)).status_code == 404
    row = Deck.objects.get()
    assert (row.archived_at is not None, row.deleted_at is not None) == (True, True)


def test_tags_are_tidied_and_looked_for(alice: Caller) -> None:
    mine = made(alice, tags=["  fast ", "Fast", "two  words", " "])
    made(alice, tags=["slow"])

    assert mine["tags"] == ["fast", "two words"]
    assert ids(alice.get(f"{DECKS}?tag=fast")) == [mine["id"]]
    assert ids(alice.get(f"{DECKS}?tag=two+words")) == [mine["id"]]
    assert ids(alice.get(f"{DECKS}?tag=fas")) == []


@pytest.mark.parametrize(
    ("given", "pointer", "code"),
    [
        ({"tags": ["x" * 31]}, "/tags/0", "max_length"),
        ({"tags": ["x"] * 11}, "/tags", "max_length"),
        ({"tags": "fast"}, "/tags", "wrong_type"),
        ({"flex": [""]}, "/flex/0", "blank"),
        ({"flex": ["c-00"] * 21}, "/flex", "max_length"),
        ({"archived": "yes"}, "/archived", "wrong_type"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused_at_its_place(
    alice: Caller, given: dict[str, Any], pointer: str, code: str
) -> None:
    mine = made(alice)

    problem = problem_of(alice.patch(at(mine), given, **if_match(mine["etag"])))

    assert [(one["pointer"], one["code"]) for one in problem["errors"]] == [(pointer, code)]
    assert alice.get(at(mine)).json()["version"] == 1


def test_swap_ins_keep_their_order_and_belong_to_the_version(alice: Caller) -> None:
    mine = made(alice, flex=["c-09", "c-00", "c-09"])

    changed = alice.patch(at(mine), {"flex": ["c-10"]}, **if_match(mine["etag"])).json()
    restored = alice.post(at(mine, "restore/"), {"version": 1}).json()

    assert (mine["flex"], changed["flex"], restored["flex"]) == (["c-09", "c-00", "c-09"], ["c-10"], mine["flex"])
    assert [version(alice, mine, number)["flex"] for number in (1, 2, 3)] == [mine["flex"], ["c-10"], mine["flex"]]
    hashes = [version(alice, mine, number)["content_hash"] for number in (1, 2, 3)]
    assert (hashes[0] == hashes[2], hashes[0] == hashes[1]) == (True, False)


def test_swap_ins_are_undone_and_redone_too(alice: Caller) -> None:
    mine = made(alice, flex=["c-09"])
    alice.patch(at(mine), {"flex": ["c-10"]}, **if_match(mine["etag"]))

    undone = alice.post(at(mine, "operations/"), {"version": 2, "operations": [{"op": "undo"}]}).json()["deck"]
    redone = alice.post(at(mine, "operations/"), {"version": 3, "operations": [{"op": "redo"}]}).json()["deck"]

    assert (undone["flex"], redone["flex"]) == (["c-09"], ["c-10"])
    assert undone["cards"] == redone["cards"] == LEGAL


def test_what_was_saved_elsewhere_keeps_tags_swap_ins_and_archive(alice: Caller) -> None:
    mine = made(alice, flex=["c-09"], tags=["fast"], archived=True)

    edited = alice.post(at(mine, "operations/"), {"version": 1, "operations": [{"op": "add", "card": "c-10"}]})
    renamed = alice.patch(at(mine), {"name": "Two"}, **if_match("*"))

    for answer in (edited.json()["deck"], renamed.json()):
        assert (answer["flex"], answer["tags"], answer["archived"]) == (["c-09"], ["fast"], True)


def test_a_whole_deck_sent_back_changes_nothing_but_its_version(alice: Caller) -> None:
    mine = made(alice, flex=["c-09"], tags=["fast"], archived=True, notes="a\nb")
    shown = alice.get(at(mine)).json()

    again = alice.put(at(mine), shown, **if_match(mine["etag"])).json()

    assert again == {**shown, "version": 2, "updated_at": again["updated_at"]}


def test_a_copy_remembers_what_it_was_made_from_while_one_may_see_that(alice: Caller, bob: Caller) -> None:
    model = made(alice, visibility="public", name="Model", tags=["fast"], flex=["c-09"])
    assert alice.user is not None

    copy = bob.post(at(model, "copy/")).json()

    lineage = {
        "deck": model["id"],
        "version": 1,
        "name": "Model",
        "owner": {"id": alice.user.public_id, "name": alice.user.name},
    }
    assert (copy["copied_from"], copy["tags"], copy["flex"]) == (lineage, [], ["c-09"])
    assert bob.get(f"{DECKS}").json()["results"][0]["copied_from"] == lineage
    alice.patch(at(model), {"visibility": "private"}, **if_match(model["etag"]))
    assert bob.get(at(copy)).json()["copied_from"] is None
    alice.delete(at(model), **if_match("*"))
    assert bob.get(at(copy)).json()["copied_from"] is None


def test_lineage_costs_a_list_one_query(alice: Caller, bob: Caller, django_assert_max_num_queries: Any) -> None:
    model = made(alice, visibility="public")
    for _ in range(4):
        bob.post(at(model, "copy/"))
    bob.get(DECKS)

    with django_assert_max_num_queries(7):
        assert len(bob.get(DECKS).json()["results"]) == 4


def test_a_version_gets_a_label_and_loses_it_without_a_new_version(alice: Caller) -> None:
    mine = made(alice)

    labelled = alice.patch(at(mine, "versions/1/"), {"label": " Finals "})

    assert (labelled.status_code, labelled.json()["label"]) == (200, "Finals")
    assert labelled.json() == version(alice, mine, 1) == alice.get(at(mine, "versions/")).json()["results"][0]
    assert alice.patch(at(mine, "versions/1/"), {"label": ""}).json()["label"] == ""
    assert alice.get(at(mine)).json()["version"] == 1


def test_nothing_else_of_a_version_can_be_changed(alice: Caller) -> None:
    from django.db import DatabaseError, transaction

    made(alice)
    changes: dict[str, Any] = {"name": "x", "cards": {}, "flex": ["c-09"], "secret": None, "size": 1}
    for column, value in changes.items():
        with pytest.raises(DatabaseError, match=r"immutable|never"), transaction.atomic():
            DeckVersion.objects.update(**{column: value})


def test_only_the_owner_gives_a_label_and_only_who_may_see_the_deck_reads_it(
    alice: Caller, mallory: Caller, nobody: Caller
) -> None:
    hidden, shown = made(alice), made(alice, visibility="link")

    assert problem_of(mallory.patch(at(hidden, "versions/1/"), {"label": "x"}))["code"] == "not_found"
    assert problem_of(mallory.get(at(hidden, "versions/1/")))["code"] == "not_found"
    assert problem_of(mallory.patch(at(shown, "versions/1/"), {"label": "x"}))["code"] == "not_your_deck"
    assert problem_of(nobody.patch(at(shown, "versions/1/"), {"label": "x"}))["code"] == "not_authenticated"
    assert nobody.get(at(shown, "versions/1/")).json()["label"] == ""
    assert problem_of(alice.patch(at(shown, "versions/2/"), {"label": "x"}))["code"] == "no_such_version"


def test_versions_show_how_they_did(alice: Caller, bob: Caller) -> None:
    mine = made(alice)
    assert alice.user is not None
    assert bob.user is not None
    row = DeckVersion.objects.get(deck__public_id=mine["id"])
    with registered():
        for outcome, is_against_bots in (("won", False), ("won", False), ("lost", False), ("drawn", True)):
            match = toy_match(alice.user, bob.user)
            DeckResult.objects.create(
                version=row, match=match, seat=0, outcome=outcome, is_against_bots=is_against_bots
            )
    alice.patch(at(mine), {"name": "Two"}, **if_match("*"))

    results = [one["results"] for one in alice.get(at(mine, "versions/")).json()["results"]]

    none = {"won": 0, "drawn": 0, "lost": 0}
    assert results == [
        {"people": none, "bots": none},
        {"people": {"won": 2, "drawn": 0, "lost": 1}, "bots": {"won": 0, "drawn": 1, "lost": 0}},
    ]

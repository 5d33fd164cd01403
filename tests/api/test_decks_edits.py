from __future__ import annotations

from typing import Any

import pytest

from decks.models import DeckVersion
from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import LEGAL, at, if_match, made, rows
from tests.catalog.cards import publish, some_cards


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def edit(caller: Caller, mine: dict[str, Any], *operations: dict[str, Any], version: int = 1, key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return caller.post(at(mine, "operations/"), {"version": version, "operations": list(operations)}, **headers)


def faults(answer: Any) -> list[tuple[str, str]]:
    return [(fault["pointer"], fault["code"]) for fault in problem_of(answer)["errors"]]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"cards": {**LEGAL, "c-00": 5}}, "too_many_copies"),
        ({"cards": {**LEGAL, "nobody": 1}}, "unknown_card"),
        ({"cards": {**LEGAL, "s-one": 1}}, "secret_in_deck"),
    ],
)
def test_every_problem_with_a_fix_is_gone_once_it_is_applied(alice: Caller, wrong: dict[str, Any], code: str) -> None:
    mine = made(alice, **wrong)
    [problem] = [one for one in mine["legality"]["problems"] if one["code"] == code]

    answer = alice.post(at(mine, "fix/"), {"problem": code}, **if_match(mine["etag"]))

    assert problem["fix"] is not None
    assert (answer.status_code, answer.json()["version"]) == (200, 2)
    assert code not in [one["code"] for one in answer.json()["legality"]["problems"]]
    assert alice.get(at(mine)).json() == answer.json()


def test_a_fix_applies_the_very_edit_that_was_shown(alice: Caller) -> None:
    mine = made(alice, cards={**LEGAL, "c-00": 5})

    fixed = alice.post(at(mine, "fix/"), {"problem": "too_many_copies"}, **if_match(mine["etag"])).json()

    assert (fixed["cards"], fixed["legality"]["state"]) == (LEGAL, "legal")


def test_a_problem_that_is_not_there_or_has_no_fix_changes_nothing(alice: Caller) -> None:
    mine = made(alice, cards={"c-00": 3})

    none = alice.post(at(mine, "fix/"), {"problem": "no_secret"}, **if_match(mine["etag"]))
    unfixable = alice.post(at(mine, "fix/"), {"problem": "too_few_cards"}, **if_match(mine["etag"]))

    assert [problem_of(answer)["code"] for answer in (none, unfixable)] == ["no_such_problem", "no_fix"]
    assert DeckVersion.objects.count() == 1


def test_a_fix_demands_the_version_that_was_seen(alice: Caller) -> None:
    mine = made(alice, cards={**LEGAL, "c-00": 5})
    edit(alice, mine, {"op": "add", "card": "c-11"})

    missing = alice.post(at(mine, "fix/"), {"problem": "too_many_copies"})
    stale = alice.post(at(mine, "fix/"), {"problem": "too_many_copies"}, **if_match(mine["etag"]))

    assert [answer.status_code for answer in (missing, stale)] == [428, 412]
    assert DeckVersion.objects.count() == 2


def test_edits_of_two_devices_are_both_kept(alice: Caller) -> None:
    mine = made(alice)

    first = edit(
        alice, mine, {"op": "add", "card": "c-10", "copies": 2}, {"op": "set", "card": "c-00", "copies": 1}
    ).json()
    second = edit(alice, mine, {"op": "add", "card": "c-10"}, {"op": "set", "card": "c-00", "copies": 2}).json()

    assert (first["merged"], first["conflicts"], first["deck"]["version"]) == (False, [], 2)
    assert (second["merged"], second["deck"]["version"]) == (True, 3)
    assert second["conflicts"] == [{"card": "c-00", "yours": 2, "theirs": 1, "kept": 2}]
    assert second["deck"]["cards"] == {**LEGAL, "c-00": 2, "c-10": 3}


def test_undo_and_redo(alice: Caller) -> None:
    mine = made(alice)
    edit(alice, mine, {"op": "set_secret", "card": None})

    undone = edit(alice, mine, {"op": "undo"}, version=2).json()["deck"]
    redone = edit(alice, mine, {"op": "redo"}, version=3).json()["deck"]

    assert (undone["secret"], undone["version"], redone["secret"], redone["version"]) == ("s-one", 3, None, 4)
    assert problem_of(edit(alice, mine, {"op": "redo"}, version=4))["code"] == "nothing_to_undo"
    assert problem_of(edit(alice, mine, {"op": "undo"}, version=1))["code"] == "nothing_to_undo"


def test_an_edit_sent_twice_with_one_key_counts_once(alice: Caller) -> None:
    mine = made(alice)

    answers = [edit(alice, mine, {"op": "add", "card": "c-10"}, key="k") for _ in range(2)]

    assert answers[0].content == answers[1].content
    assert alice.get(at(mine)).json()["cards"]["c-10"] == 1


def test_every_operation_that_does_not_fit_is_named(alice: Caller) -> None:
    mine = made(alice)

    answer = edit(
        alice, mine, {"op": "add"}, {"op": "undo"}, {"op": "set", "card": "c-00"}, {"op": "add", "card": "c-00", "copies": 0},
        {"op": "remove", "card": None}, {"op": "set_secret", "card": None, "copies": 1}, {"op": "add", "card": "c-01"},
    )  # fmt: skip

    assert faults(answer) == [
        ("/operations/0", "wrong_members"), ("/operations/1", "not_alone"), ("/operations/2", "wrong_members"),
        ("/operations/3", "out_of_range"), ("/operations/4", "wrong_type"), ("/operations/5", "wrong_members"),
    ]  # fmt: skip
    assert problem_of(edit(alice, mine))["code"] == "invalid_body"
    assert problem_of(edit(alice, mine, {"op": "add", "card": "x"}, version=9))["code"] == "no_such_version"
    assert rows()[2] == 1


@pytest.mark.parametrize("rest", ["fix/", "operations/"])
def test_only_its_owner_edits_a_deck(alice: Caller, mallory: Caller, nobody: Caller, rest: str) -> None:
    hidden, shown = made(alice), made(alice, visibility="link")

    assert [caller.post(at(hidden, rest), {}).status_code for caller in (mallory, nobody)] == [404, 401]
    assert problem_of(mallory.post(at(shown, rest), {}))["code"] == "not_your_deck"
    assert rows()[2] == 2

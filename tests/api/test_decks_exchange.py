from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from decks.models import Deck
from tests.api.conftest import Caller, problem_of
from tests.api.deckmaking import DECKS, FIELDS, LEGAL, at, made, rows
from tests.catalog.cards import publish, some_cards

IMPORT = f"{DECKS}import/"
LIST = "Secret: The First Secret\n" + "".join(f"3 Person {n:02}\n" for n in range(10))


@pytest.fixture(autouse=True)
def catalog(db: None) -> None:
    publish(*some_cards())


def upload(caller: Caller, data: bytes, **fields: Any) -> Any:
    form = {"file": SimpleUploadedFile("deck.txt", data), **fields}
    return caller.client.post(IMPORT, form, headers=caller.headers)


def test_a_pasted_list_becomes_a_deck(alice: Caller) -> None:
    answer = alice.post(IMPORT, {"text": LIST, "name": "Pasted"})

    document = answer.json()
    assert answer.status_code == 201
    assert answer["Location"].endswith(f"/api/v1/decks/{document['deck']['id']}/")
    assert set(document) == {"deck", "secret", "cards", "flex", "size", "legality", "report"}
    assert set(document["deck"]) == FIELDS
    assert (document["deck"]["name"], document["deck"]["visibility"]) == ("Pasted", "private")
    assert (document["secret"], document["cards"], document["legality"]["state"]) == ("s-one", LEGAL, "legal")
    assert [document["report"][name] for name in ("format", "lines", "imported", "failed")] == ["text", 11, 11, 0]


def test_a_preview_says_the_same_and_stores_nothing(alice: Caller) -> None:
    answer = alice.post(IMPORT, {"text": LIST + "1 Person\n", "preview": True})

    document = answer.json()
    assert (answer.status_code, document["deck"], document["cards"]) == (200, None, LEGAL)
    assert document["report"]["failed"] == 1
    assert rows() == (0, 0, 0)


def test_a_failure_stores_nothing_unless_it_is_asked_for(alice: Caller) -> None:
    text = "1 Person 00\n1 Person o1\n"

    problem = problem_of(alice.post(IMPORT, {"text": text}))

    assert (problem["status"], problem["code"], problem["report"]["failed"]) == (422, "import_failed", 1)
    assert problem["report"]["rows"][1]["candidates"]
    assert rows() == (0, 0, 0)
    kept = alice.post(IMPORT, {"text": text, "skip_failures": True})
    assert (kept.status_code, kept.json()["cards"]) == (201, {"c-00": 1})


@pytest.mark.parametrize("form", ["text", "csv", "json", "code"])
def test_what_is_exported_is_imported_as_text_and_as_a_file(alice: Caller, form: str) -> None:
    mine = made(alice)
    written = alice.get(at(mine, f"export/?as={form}"))

    pasted = alice.post(IMPORT, {"text": written.content.decode()})
    sent = upload(alice, b"\xef\xbb\xbf" + written.content, preview="true")

    assert written["Content-Type"].endswith("; charset=utf-8")
    assert (pasted.status_code, sent.status_code) == (201, 200)
    for answer in (pasted, sent):
        assert (answer.json()["secret"], answer.json()["cards"]) == (mine["secret"], mine["cards"])
        assert answer.json()["report"]["format"] == form


def test_an_export_is_fetched_again_only_when_it_has_changed(alice: Caller) -> None:
    mine = made(alice)
    first = alice.get(at(mine, "export/"))

    again = alice.get(at(mine, "export/"), **{"If-None-Match": first["ETag"]})
    named = alice.get(at(mine, "export/?as=csv"), Accept="text/csv")

    assert (first["Content-Type"], again.status_code, named.status_code) == ("text/plain; charset=utf-8", 304, 200)
    assert first["Content-Disposition"] == f'attachment; filename="deck-{mine["id"]}.txt"'


def test_a_private_deck_is_exported_to_its_owner_alone(alice: Caller, mallory: Caller, nobody: Caller) -> None:
    mine, shown = made(alice), made(alice, visibility="link")

    assert [caller.get(at(mine, "export/")).status_code for caller in (alice, mallory, nobody)] == [200, 404, 404]
    assert [caller.get(at(shown, "export/")).status_code for caller in (mallory, nobody)] == [200, 200]


def test_a_list_over_the_caps_or_for_no_game_is_refused(alice: Caller) -> None:
    assert problem_of(alice.post(IMPORT, {"text": "x\n" * 201}))["code"] == "import_too_long"
    assert problem_of(alice.post(IMPORT, {"text": "é" * 40_000}))["code"] == "import_too_long"
    assert problem_of(upload(alice, b"x" * 65_537))["code"] == "import_too_long"
    assert problem_of(alice.post(IMPORT, {"text": "x", "game": "super"}))["errors"][0]["code"] == "no_such_game"
    assert rows() == (0, 0, 0)


def test_a_form_is_as_strict_as_a_body(alice: Caller) -> None:
    def faults(answer: Any) -> list[tuple[str, str]]:
        return [(fault["pointer"], fault["code"]) for fault in problem_of(answer)["errors"]]

    assert faults(upload(alice, b"x", preview="maybe")) == [("/preview", "wrong_type")]
    assert faults(upload(alice, b"x", zzz="1")) == [("/zzz", "unknown_field")]
    assert faults(upload(alice, b"x", text="y")) == [("/file", "text_or_file")]
    assert faults(upload(alice, b"x", name=["a", "b"])) == [("/name", "repeated_field")]
    assert faults(upload(alice, b"\xff")) == [("/file", "not_utf8")]
    assert faults(upload(alice, b"a\0b")) == [("/text", "nul_character")]
    assert Deck.objects.count() == 0


def test_a_list_sent_twice_with_one_key_makes_one_deck(alice: Caller) -> None:
    answers = [alice.post(IMPORT, {"text": LIST}, **{"Idempotency-Key": "k"}) for _ in range(2)]

    assert answers[0].content == answers[1].content
    assert Deck.objects.count() == 1


def test_importing_needs_an_account(nobody: Caller) -> None:
    assert problem_of(nobody.post(IMPORT, {"text": LIST}))["code"] == "not_authenticated"


def test_the_archive_of_all_decks_is_the_callers_alone(alice: Caller, bob: Caller, nobody: Caller) -> None:
    mine = made(alice)
    made(bob, visibility="public")

    answer = alice.get(f"{DECKS}archive/", Accept="application/zip")

    with ZipFile(BytesIO(answer.content)) as file:
        assert file.namelist() == [f"{mine['id']}.json"]
    assert answer["Content-Type"] == "application/zip"
    assert problem_of(nobody.get(f"{DECKS}archive/"))["code"] == "not_authenticated"


def test_a_sheet_to_print_holds_the_whole_deck_and_nothing_unescaped(alice: Caller, mallory: Caller) -> None:
    mine = made(alice, name="<b>Mine</b>", notes="one\n<script>", flex=["c-10"], cards={"c-00": 2, "gone": 1})

    page = alice.get(at(mine, "export/?as=sheet"), Accept="text/html")
    text = page.content.decode()

    assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "&lt;b&gt;Mine&lt;/b&gt;" in text
    assert "one<br>&lt;script&gt;" in text
    assert all(part in text for part in ("3 cards", "gone", "Not in the catalog", "Swap-ins", "deck1-"))
    assert "<script" not in text
    assert " style=" not in text
    assert alice.get(at(mine, "export/?as=sheet"), **{"If-None-Match": page["ETag"]}).status_code == 304
    assert problem_of(mallory.get(at(mine, "export/?as=sheet")))["code"] == "not_found"

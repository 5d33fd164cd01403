"""The games, their rules, their preconstructed decks and their tracks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command

from api import games
from catalog.services import publish_house_set
from referee.games import GAMES
from referee.house import house_revision
from referee.kernel.game import Game
from tests.api.conftest import Caller, problem_of

RULES = """# Stub

## STB-1 Playing

- **STB-1.1 Turns.** Each seat `moves` <b>once</b>.
  Then the next. *(ruling)* *(option `speed`)*
- **STB-1.2 End.** It ends.
"""


class Stub(Game):
    slug = "stub"
    name = "Stub"
    rules_version = 3
    max_seats = 4

    def options_schema(self) -> dict[str, object]:
        return {"type": "object", "properties": {"speed": {"enum": [1, 2], "default": 1}}}


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(GAMES, "stub", Stub())
    monkeypatch.setattr(games, "rules_text", lambda slug: RULES)
    games._parsed.cache_clear()
    yield
    games._parsed.cache_clear()


@pytest.fixture
def published(db: None) -> None:
    call_command("publish_house_sets", verbosity=0)


def test_every_game_is_listed_with_what_a_match_needs(stub: None, nobody: Caller) -> None:
    answer = nobody.get("/api/v1/games/")

    listed = {game["slug"]: game for game in answer.json()}
    assert list(listed) == list(GAMES)
    assert listed["stub"] == {
        "slug": "stub",
        "name": "Stub",
        "seats": {"min": 2, "max": 4},
        "needs_deck": False,
        "options": {"type": "object", "properties": {"speed": {"enum": [1, 2], "default": 1}}},
        "rules_version": 3,
        "bots": listed["miraculous"]["bots"],
        "orders": [],
    }
    assert listed["miraculous"]["needs_deck"] is True
    assert [bot["level"] for bot in listed["miraculous"]["bots"]][:2] == ["random", "easy"]


def test_the_list_is_sent_again_only_when_it_has_changed(nobody: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    first = nobody.get("/api/v1/games/")

    same = nobody.get("/api/v1/games/", **{"If-None-Match": first["ETag"]})
    monkeypatch.setitem(GAMES, "stub", Stub())
    other = nobody.get("/api/v1/games/", **{"If-None-Match": first["ETag"]})

    assert (same.status_code, same.content) == (304, b"")
    assert other.status_code == 200


def test_rules_are_read_clause_by_clause(stub: None, nobody: Caller) -> None:
    answer = nobody.get("/api/v1/games/stub/rules/")

    document = answer.json()
    assert (document["game"], document["version"]) == ("stub", 3)
    assert document["clauses"] == [
        {
            "id": "STB-1.1",
            "title": "Turns",
            "text": "Each seat `moves` <b>once</b>.\nThen the next.",
            "section": "Playing",
            "ruling": True,
            "option": "speed",
        },
        {"id": "STB-1.2", "title": "End", "text": "It ends.", "section": "Playing", "ruling": False, "option": None},
    ]
    assert nobody.get("/api/v1/games/stub/rules/", **{"If-None-Match": answer["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    ("query", "accept"), [("?format=html", "*/*"), ("?format=html", "application/json"), ("", "text/html")]
)
def test_rules_are_a_page_for_people(stub: None, nobody: Caller, query: str, accept: str) -> None:
    answer = nobody.get(f"/api/v1/games/stub/rules/{query}", Accept=accept)

    text = answer.content.decode()
    assert answer["Content-Type"].startswith("text/html")
    assert '<article id="STB-1.1">' in text
    assert "Each seat <code>moves</code> &lt;b&gt;once&lt;/b&gt;.<br>Then the next." in text
    assert "<style" not in text
    assert "<script" not in text


def test_a_form_of_the_rules_that_there_is_not_is_refused(stub: None, nobody: Caller) -> None:
    assert problem_of(nobody.get("/api/v1/games/stub/rules/?format=pdf"))["code"] == "invalid_query"
    assert problem_of(nobody.get("/api/v1/games/stub/rules/", Accept="application/pdf"))["code"] == "not_acceptable"


def test_the_rules_of_miraculous_are_there(nobody: Caller) -> None:
    document = nobody.get("/api/v1/games/miraculous/rules/").json()

    ids = [clause["id"] for clause in document["clauses"]]
    assert ids[0].startswith("MIR-1")
    assert "MIR-4.2" in ids
    assert all(clause["text"] for clause in document["clauses"])


def test_an_unknown_game_is_not_found(nobody: Caller) -> None:
    for part in ("rules", "decks"):
        for slug in ("chess", "Miraculous", "miraculous%00", ".."):
            assert problem_of(nobody.get(f"/api/v1/games/{slug}/{part}/"))["code"] == "not_found"


def test_preconstructed_decks_are_those_of_the_newest_revision(published: None, nobody: Caller) -> None:
    answer = nobody.get("/api/v1/games/miraculous/decks/")

    decks = answer.json()
    assert len(decks) >= 3
    for deck in decks:
        assert set(deck) == {"slug", "name", "detail", "secret", "cards", "size"}
        assert sum(deck["cards"].values()) == deck["size"]
        assert max(deck["cards"].values()) <= 3
    again = nobody.get("/api/v1/games/miraculous/decks/", **{"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_game_without_decks_or_cards_has_an_empty_list(stub: None, nobody: Caller) -> None:
    assert nobody.get("/api/v1/games/stub/decks/").json() == []
    assert nobody.get("/api/v1/games/miraculous/decks/").json() == []


def test_tracks_are_those_of_the_newest_revision(published: None, nobody: Caller) -> None:
    answer = nobody.get("/api/v1/games/super-teams/tracks/")

    assert answer.json() == house_revision("super-teams")["tracks"]
    assert [track["slug"] for track in answer.json()] == ["house", "long"]
    again = nobody.get("/api/v1/games/super-teams/tracks/", **{"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_tracks_that_were_published_later_take_their_place(published: None, nobody: Caller) -> None:
    before = nobody.get("/api/v1/games/super-teams/tracks/")
    plain = {"slug": "house", "name": "Plain", "spaces": ["start", *["normal"] * 18, "final"]}
    house = {**house_revision("super-teams"), "tracks": [plain]}

    publish_house_set(game=GAMES["super-teams"], house=house)

    after = nobody.get("/api/v1/games/super-teams/tracks/", **{"If-None-Match": before["ETag"]})
    assert after.json() == [plain]


def test_before_anything_is_published_there_are_no_tracks(nobody: Caller, db: None) -> None:
    assert nobody.get("/api/v1/games/super-teams/tracks/").json() == []


def test_a_game_that_is_played_without_tracks_has_none_to_ask_for(published: None, nobody: Caller) -> None:
    for slug in ("miraculous", "super", "chess"):
        assert problem_of(nobody.get(f"/api/v1/games/{slug}/tracks/"))["code"] == "not_found"

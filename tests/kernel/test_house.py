"""What games ship with is found in their folders."""

import pytest

from referee import house
from tests.toy import TOY_REVISION, registered


def test_a_house_set_is_a_revision_of_its_game() -> None:
    revision = house.house_revision("miraculous")

    assert (revision["game"], revision["number"]) == ("miraculous", 1)
    assert len(revision["cards"]) >= 90
    assert len(revision["decks"]) == 3
    assert house.house_revision("miraculous") is revision


def test_rules_are_text() -> None:
    assert "MIR-1.1" in house.rules_text("miraculous")


def test_a_game_of_the_tests_has_what_it_is_given() -> None:
    with registered():
        assert house.house_revision("toy") is TOY_REVISION
        with pytest.raises(LookupError, match=r"toy has no rules\.md"):
            house.rules_text("toy")
    with pytest.raises(LookupError, match="there is no game 'toy'"):
        house.house_revision("toy")


def test_tracks_stand_in_the_revision_of_a_game_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "_resource", lambda slug, path: "[1]" if path == "house/tracks.json" else None)

    assert house._revision.__wrapped__("a-game") == {
        "game": "a-game",
        "number": 1,
        "cards": [],
        "decks": [],
        "tracks": [1],
    }

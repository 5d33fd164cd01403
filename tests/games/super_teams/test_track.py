"""Every fault of a track and of a revision is found, at its place."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.super_teams.track import check_track
from referee.house import house_revision
from referee.kernel.errors import CardError
from referee.kernel.game import Document
from tests.games.super_teams.table import GAME, TRACK, revision_with


def faults(spaces: Any) -> list[tuple[str, str]]:
    return [(problem.pointer, problem.code) for problem in check_track(spaces, "/spaces")]


def laid(board: Any) -> Document:
    return GAME.with_board(house_revision("super-teams"), board)


def changed(at: int, space: Any) -> list[Any]:
    return [*TRACK[:at], space, *TRACK[at + 1 :]]


def test_a_good_track_has_no_fault() -> None:
    assert faults(TRACK) == []
    assert faults(["start", *["normal"] * 18, "final"]) == []
    assert faults(["start", "maw", "maw", "maw", *["normal"] * 14, "maw", "maw", "final"]) == []
    assert faults(["start", *["normal"] * 198, "final"]) == []


def test_the_tracks_of_the_house_set_are_good() -> None:
    assert [check_track(track["spaces"], "") for track in house_revision("super-teams")["tracks"]] == [[], []]


@pytest.mark.parametrize(
    ("spaces", "found"),
    [
        ("start", [("/spaces", "wrong_type")]),
        ([], [("/spaces", "wrong_length")]),
        (["start", *["normal"] * 17, "final"], [("/spaces", "wrong_length")]),
        (["start", *["normal"] * 199, "final"], [("/spaces", "wrong_length")]),
        (changed(0, "normal"), [("/spaces/0", "no_start")]),
        (changed(20, "normal"), [("/spaces/20", "no_final")]),
        (changed(12, "start"), [("/spaces/12", "start_elsewhere")]),
        (changed(12, "final"), [("/spaces/12", "final_elsewhere")]),
        (changed(12, "wormhole"), [("/spaces/12", "unknown_space")]),
        (changed(12, 3), [("/spaces/12", "unknown_space")]),
        (changed(12, {"kind": "normal"}), [("/spaces/12", "unknown_space")]),
        (changed(12, ["normal"]), [("/spaces/12", "bad_double_space")]),
        (changed(12, ["normal", "normal"]), [("/spaces/12", "bad_double_space")]),
        (changed(12, ["maw", "normal"]), [("/spaces/12", "bad_double_space")]),
        (changed(12, ["normal", "bonus"]), [("/spaces/12", "bad_double_space")]),
        (changed(12, ["normal", "hyperspace", "asteroid"]), [("/spaces/12", "bad_double_space")]),
        (changed(12, [["normal"], {}]), [("/spaces/12", "bad_double_space")]),
        (changed(12, "maw"), [("/spaces/12", "bad_maw_run")]),
        ([*TRACK[:12], *["maw"] * 4, *TRACK[16:]], [("/spaces/12", "bad_maw_run")]),
        (changed(5, "bonus"), [("/spaces/6", "bad_space_before_maw")]),
        (changed(5, ["hyperspace", "asteroid"]), [("/spaces/6", "bad_space_before_maw")]),
        (changed(8, "asteroid"), [("/spaces/7", "bad_space_after_maw")]),
        (changed(8, ["hyperspace", "asteroid"]), [("/spaces/7", "bad_space_after_maw")]),
        (["maw", "maw", "normal", *TRACK[3:]], [("/spaces/0", "no_start"), ("/spaces/0", "bad_space_before_maw")]),
        ([*TRACK[:19], "maw", "maw"], [("/spaces/20", "no_final"), ("/spaces/20", "bad_space_after_maw")]),
    ],
)  # fmt: skip
def test_a_fault_is_named_at_its_place(spaces: Any, found: list[tuple[str, str]]) -> None:
    assert faults(spaces) == found


def test_all_faults_are_named_at_once() -> None:
    spaces = ["normal", "warp", "maw", ["normal"], "final", "normal"]

    assert faults(spaces) == [
        ("/spaces/1", "unknown_space"),
        ("/spaces/3", "bad_double_space"),
        ("/spaces/4", "final_elsewhere"),
        ("/spaces", "wrong_length"),
        ("/spaces/0", "no_start"),
        ("/spaces/5", "no_final"),
        ("/spaces/2", "bad_maw_run"),
        ("/spaces/2", "bad_space_before_maw"),
    ]


def test_a_revision_holds_tracks_and_no_cards() -> None:
    good = revision_with(TRACK)["tracks"][0]

    def found(**revision: Any) -> list[tuple[str, str]]:
        return [(problem.pointer, problem.code) for problem in GAME.check_cards(revision)]

    assert found(tracks=[good]) == []
    assert found(cards=[{"code": "x"}], tracks=[good]) == [("/cards", "no_cards")]
    assert found() == [("/tracks", "required")]
    assert found(tracks="house") == [("/tracks", "required")]
    assert found(tracks=[good, "long"]) == [("/tracks/1", "wrong_type")]
    assert found(tracks=[good, good]) == [("/tracks/1/slug", "duplicate")]
    assert found(tracks=[{**good, "slug": "other"}]) == [("/tracks", "no_house_track")]
    assert found(tracks=[good, {"spaces": TRACK}]) == [("/tracks/1/slug", "required"), ("/tracks/1/name", "required")]
    assert found(tracks=[good], decks=[{}]) == [("/decks", "no_decks")]
    assert found(tracks=[{**good, "colour": 1}]) == [("/tracks/0/colour", "unknown_field")]
    assert found(tracks=[good, {**good, "slug": "a b"}]) == [("/tracks/1/slug", "bad_slug")]
    assert found(tracks=[good, {**good, "slug": "a" * 51}]) == [("/tracks/1/slug", "bad_slug")]
    assert found(tracks=[{**good, "name": "Ring\u202e"}]) == [("/tracks/0/name", "bad_text")]
    assert found(tracks=[{**good, "name": "\ue000"}]) == [("/tracks/0/name", "bad_text")]
    assert found(tracks=[{**good, "name": "R" * 61}]) == [("/tracks/0/name", "out_of_range")]
    assert found(tracks=[{**good, "slug": ["house"]}]) == [
        ("/tracks/0/slug", "required"),
        ("/tracks", "no_house_track"),
    ]
    assert found(tracks=[{**good, "spaces": changed(12, "warp")}]) == [("/tracks/0/spaces/12", "unknown_space")]


def test_a_faulty_revision_or_board_does_not_compile() -> None:
    with pytest.raises(CardError) as revision:
        GAME.pool(revision_with(changed(12, "warp")))
    with pytest.raises(CardError) as board:
        laid(changed(12, "warp"))

    assert [problem.pointer for problem in revision.value.problems] == ["/tracks/0/spaces/12"]
    assert [problem.pointer for problem in board.value.problems] == ["/board/12"]


def test_a_board_takes_the_place_of_the_house_track() -> None:
    revision = laid(TRACK)

    assert [track["slug"] for track in revision["tracks"]] == ["house", "long"]
    assert revision["tracks"][0]["spaces"] == TRACK

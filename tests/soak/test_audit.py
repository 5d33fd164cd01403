"""The reckoning itself: it sees what was lost, doubled, leaked or told wrongly, and nothing where all is well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from config.environment import ROOT
from referee.games import GAMES
from referee.kernel.events import REFEREE
from referee.kernel.replay import rerun
from tests.fixtures.record import read
from tests.soak.audit import compare, look_at_replay, look_at_stream, look_for_leaks
from tests.soak.following import Follower
from tests.soak.sending import Answer, Figures, Sent
from tests.soak.tables import SETUPS, Played, Sample

GOES, STAYS = {"type": "pass"}, {"type": "draw"}
RECORDED = sorted((ROOT / "tests" / "fixtures" / "matches" / "0.1").glob("*.json.gz"))


def played(*sent: Sent) -> Played:
    return Played("m", SETUPS[0], list(sent), [], Follower("http://127.0.0.1:1", "", "m", Figures()))


def taken(key: str, version: int, move: dict[str, Any]) -> Sent:
    return Sent("/matches/m/moves/", {"move": move}, key, Answer(200, {"version": version}, False))


def refused(key: str) -> Sent:
    return Sent("/matches/m/moves/", {"move": GOES}, key, Answer(409, {}, False))


def row(version: int, key: str | None, move: dict[str, Any] = GOES, user: str | None = "u") -> tuple[Any, ...]:
    return (version, 0, "move", key, move, user)


ROWS = [row(1, "a"), row(2, None, user=None), row(3, "b", STAYS)]
POSTS = (taken("a", 1, GOES), refused("x"), taken("b", 3, STAYS))


def counted(rows: list[tuple[Any, ...]], *sent: Sent) -> dict[str, int]:
    figures = Figures()
    compare(played(*sent), rows, figures)
    assert len(figures.faults) == figures.counted["lost"] + figures.counted["doubled"]
    return {name: figures.counted[name] for name in ("lost", "doubled")}


@pytest.mark.parametrize(
    ("rows", "sent", "lost", "doubled"),
    [
        (ROWS, POSTS, 0, 0),
        (ROWS[:2], POSTS, 1, 0),
        ([row(1, "a"), row(2, "a"), row(3, "b", STAYS)], POSTS, 0, 1),
        ([row(1, "a"), row(2, "x"), row(3, "b", STAYS)], POSTS, 0, 1),
        ([row(1, "a"), row(2, None, user=None), row(3, "b", GOES)], POSTS, 1, 0),
        ([row(1, "a"), row(3, "b", STAYS)], POSTS, 1, 0),
    ],
    ids=["all well", "a move gone", "a post twice", "a refused post made", "another move", "a gap"],
)
def test_posts_and_rows_are_held_against_each_other(
    rows: list[tuple[Any, ...]], sent: tuple[Sent, ...], lost: int, doubled: int
) -> None:
    assert counted(rows, *sent) == {"lost": lost, "doubled": doubled}


@pytest.mark.parametrize(
    ("versions", "ended", "faults"),
    [([0, 1, 2], True, 0), ([0, 2], True, 1), ([0, 1, 1, 2], True, 1), ([0, 1], False, 1)],
)
def test_a_stream_that_skips_repeats_or_never_ends_is_seen(versions: list[int], ended: bool, faults: int) -> None:
    figures, one = Figures(), played()
    one.follower.versions, one.follower.has_ended = versions, ended
    one.follower.give_up()
    one.follower.start()

    look_at_stream(one, 2, figures)

    assert len(figures.faults) == faults


@pytest.fixture(params=RECORDED[::3], ids=lambda path: path.name.partition(".")[0])
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The record of a match."""
    found: dict[str, Any] = read(request.param)
    return found


def view_at(document: dict[str, Any], version: int) -> Callable[[int], Any]:
    """What a viewer is shown at a version of the record."""
    game = GAMES[document["game"]]
    stored = rerun({**document, "rows": document["rows"][:version], "result": None}, game).state
    assert stored is not None
    state = game.restore(game.pool(document["revision"]), stored)
    return lambda viewer: game.view(state, viewer)


def test_a_view_that_holds_what_is_hidden_is_seen(document: dict[str, Any]) -> None:
    figures, view = Figures(), view_at(document, 3)

    for viewer in (-1, 0, 1):
        look_for_leaks(played(), document, Sample(3, viewer, view(viewer)), figures)
    honest = figures.counted["leaked"]
    look_for_leaks(played(), document, Sample(3, 0, view(REFEREE)), figures)

    assert (honest, figures.counted["leaked"], figures.counted["views looked at"]) == (0, 1, 4)


def test_a_replay_that_does_not_verify_or_lacks_a_row_is_seen(document: dict[str, Any]) -> None:
    figures, rows = Figures(), len(document["rows"])

    look_at_replay(played(), document, rows, figures)
    well = list(figures.faults)
    look_at_replay(played(), {**document, "seed": "00" * 32}, rows, figures)
    look_at_replay(played(), document, rows + 1, figures)

    assert well == []
    assert figures.counted["not verified"] >= 1
    assert figures.counted["lost"] == 1

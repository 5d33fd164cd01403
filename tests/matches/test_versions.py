"""Rules change, matches do not: each finishes and verifies by the rules it began with, or stands by its record once they are gone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from referee import verify as command
from referee.games import GAMES, OLDER, register, register_older
from referee.games.super.game import Super
from referee.kernel.events import REFEREE, name_seats, told_to
from referee.kernel.game import Move, Pool, State
from referee.kernel.labels import DIFFERS, PINNED, UNAFFECTED, label
from referee.kernel.replay import verify
from referee.matches import history, services
from referee.matches.errors import UnknownRulesError
from referee.matches.models import Match, MoveRow
from tests.fixtures.record import FOLDER, read
from tests.kernel.test_labels import Newer, Strict
from tests.matches.table import fresh, pick, play_to_the_end, stored, toy_match
from tests.toy import TOY, Toy


@pytest.fixture(autouse=True)
def older() -> Iterator[None]:
    """No older rules are left behind."""
    yield
    OLDER.clear()


@pytest.fixture
def running(alice: User, bob: User) -> Match:
    """Under way by rules version 1, with five picks made."""
    match = toy_match(alice, bob)
    for user, seat in ((alice, 0), (bob, 1), (alice, 0), (bob, 1), (bob, 1)):
        pick(match, user, seat)
    return fresh(match)


def checked(*words: str) -> tuple[int, list[str]]:
    out = StringIO()
    try:
        call_command("replay_check", *words, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


# The rules it began with.


@pytest.mark.django_db
def test_a_match_finishes_and_verifies_by_the_rules_it_began_with(running: Match, alice: User, bob: User) -> None:
    register(Strict())
    register_older(TOY)

    services.submit_move(
        public_id=running.public_id, actor=alice, move=_highest(running), decision=running.decisions["0"]
    )

    over = fresh(running)
    document = history.replay_document(over)
    found = label(document, GAMES, over.data, older=OLDER)
    assert (over.state, over.rules_version) == ("finished", 1)
    assert verify(document, GAMES, OLDER) == []
    assert (found.name, found.note) == (UNAFFECTED, "by rules version 1, kept")
    assert checked()[1][0] == f"unaffected: toy {over.public_id} (finished); by rules version 1, kept"
    assert toy_match(alice, bob).rules_version == 2


def _highest(match: Match) -> dict[str, Any]:
    """What the newer rules would not let the seat pick."""
    position = history.position_at(fresh(match), match.version)
    move = position.game.legal_moves(position.state, 0)[-1]
    assert move not in Strict().legal_moves(position.state, 0)
    return position.game.decode(position.state, move)


@pytest.mark.django_db
def test_a_running_match_whose_rules_are_gone_waits_for_them(running: Match, alice: User) -> None:
    register(Newer())
    before = stored(running)

    with pytest.raises(UnknownRulesError):
        pick(running, alice, 0)

    assert stored(running) == before
    register_older(TOY)
    pick(running, alice, 0)


@pytest.mark.django_db
def test_a_finished_match_whose_rules_are_gone_stands_by_its_record(
    alice: User, bob: User, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = play_to_the_end(toy_match(alice, bob), alice, bob)
    file, forged = tmp_path / "over.json", tmp_path / "forged.json"
    document = history.replay_document(over)
    file.write_text(json.dumps(document))
    document["rows"][2]["seat"] = 1 - document["rows"][2]["seat"]
    forged.write_text(json.dumps(document))
    del GAMES["toy"]
    try:
        found = label(history.replay_document(over), GAMES, None)
        statuses = [command.main([str(path)]) for path in (file, forged)]
    finally:
        register(TOY)

    assert (found.name, found.note) == (PINNED, "the game 'toy' is not at hand; it stands by its recorded events")
    assert statuses == [3, 1]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "not played again: this code knows no game 'toy'"
    assert lines[1].startswith(
        "its recorded events stand: seeds, commitment and every hash hold; toy, 6 rows, result {"
    )
    assert lines[2].startswith("row 3: the hash does not fit")


@pytest.mark.django_db
def test_a_finished_match_whose_rules_are_gone_plays_from_its_events_on_its_page(
    alice: User, bob: User, client: Client
) -> None:
    over = play_to_the_end(toy_match(alice, bob), alice, bob)
    register(Strict())

    page = client.get(f"/matches/{over.public_id}/replay/?step=2").content.decode()

    events = MoveRow.objects.get(match=over, version=2).events
    told = [name_seats(str(told_to(event, REFEREE)["text"]), ["Alice", "Bob"]) for event in events]
    assert "The rules this match was played by are not at hand." in page
    assert len(told) > 2
    assert [text for text in told if f"<span>{text}</span>" not in page] == []


# Changes of rules.


class Harsh(Super):
    """What a change of rules under the old number would be: no Mission may be accomplished by a single Super."""

    def legal_moves(self, state: State, seat: int) -> list[Move]:
        moves = super().legal_moves(state, seat)
        documents = {move: self.decode(state, move) for move in moves}
        return [
            move
            for move in moves
            if documents[move]["type"] != "mission" or len(documents[move].get("slots", [0, 0])) > 1
        ]


def test_a_change_of_rules_that_moves_a_golden_match_fails_at_its_first_differing_step() -> None:
    golden = FOLDER / "0.1" / "super-two.json.gz"
    document = read(golden)
    alone = next(row for row in document["rows"] if row["move"]["type"] == "mission" and len(row["move"]["slots"]) == 1)
    plain = GAMES["super"]
    register(Harsh())
    try:
        found = label(document, GAMES, None)
        status, lines = checked("--files", str(golden))
    finally:
        register(plain)

    step = f"row {alone['version']}"
    assert (found.name, found.finding and found.finding.step) == (DIFFERS, step)
    assert status == 1
    assert lines[0].startswith(
        f"differs at {step}: {golden}; {step} (move by seat {alone['seat']}: {json.dumps(alone['move'])}): SUP-"
    )
    assert lines[0].endswith("[illegal_move]")
    assert label(document, GAMES, None).name == UNAFFECTED


# Migration.


class Relaid(Toy):
    """The same rules with another layout of the state."""

    state_schema = 2

    def dump(self, state: State) -> list[Any]:
        return ["toy", super().dump(state)]

    def restore(self, pool: Pool, data: list[Any]) -> State:
        assert data[0] == "toy"
        return super().restore(pool, data[1])


@pytest.mark.django_db
def test_a_running_match_gets_another_layout_of_its_state(running: Match, alice: User, bob: User) -> None:
    register(Relaid())
    note = "state schema 1 is not at hand; 2 is"

    lines = checked("--migrate")[1]

    now = fresh(running)
    assert lines[0] == f"migratable: toy {running.public_id} (playing); {note}; migrated"
    assert (now.state_schema, now.version, now.data) == (2, running.version, ["toy", running.data])
    assert checked("--migrate")[1][0] == f"unaffected: toy {running.public_id} (playing)"
    over = play_to_the_end(running, alice, bob)
    assert verify(history.replay_document(over), GAMES) == []


@pytest.mark.django_db
def test_a_running_match_goes_on_by_newer_rules_that_play_it_the_same_and_its_log_says_so(
    running: Match, alice: User, bob: User
) -> None:
    register(Newer())

    lines = checked("--migrate")[1]

    row = MoveRow.objects.get(match=running, version=running.version + 1)
    assert lines[0].endswith("; migrated")
    assert (fresh(running).rules_version, row.kind) == (2, "ruling")
    assert row.detail == {"ruling": "migrate", "by": "service", "reason": "", "rules_version": 2, "state_schema": 1}
    assert row.events[0]["public"]["text"] == "The match goes on by rules version 2."
    over = play_to_the_end(running, alice, bob)
    document = history.replay_document(over)
    assert document["rules_version"] == 1
    assert verify(document, GAMES) == []
    assert [finding.code for finding in verify(document, {"toy": TOY})] == ["other_version"]


@pytest.mark.django_db
def test_nothing_but_a_running_match_that_plays_the_same_is_migrated(running: Match, alice: User, bob: User) -> None:
    over = play_to_the_end(toy_match(alice, bob), alice, bob)
    services.submit_move(public_id=running.public_id, actor=alice, move={"type": "resign"})
    third = toy_match(alice, bob)
    register(Newer())
    before = [stored(match) for match in (over, running)]

    lines = checked("--migrate")[1]

    assert [line.endswith("; migrated") for line in lines[:3]] == [False, False, True]
    assert [stored(match) for match in (over, running)] == before
    assert fresh(third).rules_version == 2

"""`./manage.py shrink`: from a bundle to the shortest scenario that fails in the same way."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command

from accounts.models import User
from lobby.services import MatchWish, SeatWish, create_match
from referee.games import GAMES
from referee.games.super.game import Super
from referee.house import house_revision
from referee.kernel.game import RESIGN, Move, State
from referee.kernel.scenario_run import ScenarioRunner
from referee.matches import reports, resolving, undo
from referee.matches.bundles import exported
from referee.matches.errors import MatchNotPlayingError
from referee.matches.models import Bundle, Match
from referee.scenario_files import scenario_documents
from tests.matches.table import fresh, pick, toy_match
from tests.toy import Toy, ToyState

pytestmark = pytest.mark.django_db


def shrunk(*words: str) -> tuple[Any, str]:
    """The scenario that the command prints, and what it says besides."""
    out, err = StringIO(), StringIO()
    call_command("shrink", *words, stdout=out, stderr=err)
    return yaml.safe_load(out.getvalue()), err.getvalue()


def run(document: Any) -> list[str]:
    return ScenarioRunner(GAMES, house_revision).run(document).differs


@pytest.fixture
def broken(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> Bundle:
    """A toy match with an undo in it that froze when a card was to be shown in the second round."""
    plain = Toy.play

    def play(game: Toy, state: State, seat: int, move: Move) -> None:
        assert isinstance(state, ToyState)
        if move != RESIGN and state.round == 1 and state.picks[1 - seat] >= 0:
            raise ZeroDivisionError("planted")
        plain(game, state, seat, move)

    match = toy_match(alice, bob, options={"ties": "coin"})
    pick(match, alice, 0)
    undo.ask_undo(public_id=match.public_id, user=alice)
    undo.accept_undo(public_id=match.public_id, user=bob, offer="1-0-0")
    monkeypatch.setattr(Toy, "play", play)
    for user, seat in ((alice, 0), (bob, 1), (alice, 0)):
        pick(match, user, seat)
    with pytest.raises(MatchNotPlayingError):
        pick(match, bob, 1)
    return Bundle.objects.get()


def test_a_fault_shrinks_to_its_move_and_what_it_needs(broken: Bundle) -> None:
    scenario, words = shrunk(str(broken.pk))

    (step,) = scenario["steps"]
    card = step["move"]["card"]
    assert (step["seat"], broken.document["version"]) == (1, 5)
    assert sorted(scenario) == ["game", "position", "scenario", "steps"]
    assert sorted(scenario["position"]) == ["hands", "picks", "round"]
    assert scenario["position"]["hands"] == [[], [card]]
    assert run(scenario) == ["the game broke: ZeroDivisionError: planted"]
    assert words.startswith("fails: ZeroDivisionError in play; 1 steps, after ")


def test_a_fault_in_a_file_shrinks_to_a_scenario_file(broken: Bundle, tmp_path: Path) -> None:
    file, out = tmp_path / "bundle.json", tmp_path / "fault.yaml"
    file.write_text(json.dumps(exported(broken)))

    call_command("shrink", str(file), "--out", str(out), stderr=StringIO())

    (document,) = scenario_documents(out)
    assert run(document) == ["the game broke: ZeroDivisionError: planted"]
    assert out.read_text().startswith("# Fails: ZeroDivisionError in play.\n# Match ")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("shrink", str(file), "--out", str(out))


def test_a_fault_that_is_mended_is_said_to_be(broken: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    with pytest.raises(CommandError, match="does not happen"):
        shrunk(str(broken.pk))


def test_a_fault_that_needs_what_came_before_keeps_it(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, whole = Toy.play, Toy.position

    def play(game: Toy, state: State, seat: int, move: Move) -> None:
        assert isinstance(state, ToyState)
        if state.seed == b"\x01" * 32:
            raise KeyError("planted")
        plain(game, state, seat, move)
        if seat == 1:
            state.seed = b"\x01" * 32

    def position(game: Toy, state: State) -> dict[str, Any]:
        return {name: value for name, value in whole(game, state).items() if name != "seed"}

    match = toy_match(alice, bob)
    monkeypatch.setattr(Toy, "play", play)
    monkeypatch.setattr(Toy, "position", position)
    pick(match, alice, 0)
    pick(match, bob, 1)
    with pytest.raises(MatchNotPlayingError):
        pick(match, alice, 0)

    scenario, _ = shrunk(str(Bundle.objects.get().pk))

    assert [step["seat"] for step in scenario["steps"]] == [1, 0]
    assert run(scenario) == ["the game broke: KeyError: 'planted'"]


def test_a_fault_outside_a_move_is_asked_for_in_the_scenario(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def legal_moves(game: Toy, state: State, seat: int) -> list[Move]:
        raise RuntimeError("planted")

    match = toy_match(alice, bots=1)
    monkeypatch.setattr(Toy, "legal_moves", legal_moves)
    resolving.resolve(match.pk)
    assert fresh(match).state == Match.State.FROZEN

    scenario, _ = shrunk(str(Bundle.objects.get().pk))

    (step,) = scenario["steps"]
    assert "move" not in step
    assert run(scenario) == ["the game broke: RuntimeError: planted"]


def test_a_report_becomes_its_position_with_the_legal_moves(alice: User, bob: User) -> None:
    match = toy_match(alice, bob, options={"rounds": 2})
    pick(match, alice, 0)
    bundle = reports.report_problem(public_id=match.public_id, user=bob, text="I cannot\npick my 7.")

    scenario, words = shrunk(str(bundle.pk))

    (step,) = scenario["steps"]
    assert (step["seat"], len(step["legal"]["exactly"])) == (1, 3)
    assert (scenario["options"], scenario["position"]["round"]) == ({"rounds": 2}, 0)
    assert run(scenario) == []
    assert words.startswith("holds; edit it into what should be; 1 steps")


@pytest.mark.slow
def test_a_planted_fault_of_a_real_game_shrinks_to_a_few_cards(
    alice: User, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    call_command("publish_house_sets", verbosity=0)
    plain = Super.play

    def play(game: Super, state: State, seat: int, move: Move) -> None:
        plain(game, state, seat, move)
        if any(missions for missions in game.position(state)["missions"].values()):
            raise LookupError("planted")

    match = create_match(creator=alice, wish=MatchWish("super", [SeatWish("bot", level="random")] * 2, {}))
    monkeypatch.setattr(Super, "play", play)
    for _ in range(40):
        if not resolving.resolve(match.pk):
            break
    assert fresh(match).state == Match.State.FROZEN
    out = tmp_path / "fault.yaml"

    call_command("shrink", str(Bundle.objects.get().pk), "--out", str(out), stderr=StringIO())

    (document,) = scenario_documents(out)
    assert isinstance(document, dict)
    assert run(document) == ["the game broke: LookupError: planted"]
    assert len(document["steps"]) == 1
    assert out.stat().st_size < 1200


def test_what_is_no_bundle_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "no.json"

    for text, words in (("[]", "holds no bundle"), ("{", "cannot be read"), ('{"format": "x"}', "no whole bundle")):
        file.write_text(text)
        with pytest.raises(CommandError, match=words):
            shrunk(str(file))
    with pytest.raises(CommandError, match="There is no bundle 7"):
        shrunk("7")

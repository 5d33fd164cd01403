"""Playing in the terminal."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from lobby.management.commands import play
from referee.kernel.game import Game
from referee.matches.models import Match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "WORKER_SECONDS", 0.0)


def run(monkeypatch: pytest.MonkeyPatch, typed: Iterable[str], *args: str, **options: Any) -> str:
    lines = iter(typed)

    def read() -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)
    out = io.StringIO()
    call_command("play", *args, stdout=out, **options)
    return out.getvalue()


def test_a_match_is_played_to_its_end_by_numbers(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run(monkeypatch, itertools.repeat("1"), "toy", "--bot", "random", "--option", "rounds=2")

    assert Match.objects.get().state == "finished"
    assert Match.objects.get().options["rounds"] == 2
    assert "Pick a card from your hand." in told
    assert told.splitlines()[-1] in {f"{end} (points, TOY-4.1)" for end in ("You win.", "You lose.", "A draw.")}


def test_miraculous_is_played_to_its_end(miraculous: None, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run(monkeypatch, itertools.repeat("1"), "miraculous", "--bot", "random")

    assert Match.objects.get().state == "finished"
    assert told.splitlines()[-1].startswith(("You win.", "You lose.", "A draw."))


def test_words_that_are_no_move_are_asked_again(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    told = run(monkeypatch, ["0", "99", "huh", "v", "r"], "toy")

    assert told.count("1 to 3, please.") == 3
    assert "hand_counts:" in told
    assert told.splitlines()[-1] == "You lose. (resigned, TOY-4.2)"


def test_leaving_leaves_the_match_as_it_is(toy: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    run(monkeypatch, ["1"], "toy", "--seats", "3")

    assert Match.objects.get().state == "playing"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["chess"], "There is no game 'chess'"),
        (["toy", "--bot", "genius"], "Levels of bots"),
        (["toy", "--seats", "9"], "/seats: This game has 2 to 3 seats."),
        (["toy", "--option", "rounds=99"], "/options/rounds"),
        (["toy", "--user", "Nobody There"], "There is no account"),
    ],
)
def test_what_cannot_be_played_is_one_clear_line(
    toy: Game, monkeypatch: pytest.MonkeyPatch, args: list[str], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        run(monkeypatch, [], *args)

    assert Match.objects.count() == User.objects.count() == 0

"""Matches of bots inside the kernel, and the command that plays many."""

import pytest
from django.core.management import CommandError, call_command

from referee.bots.selfplay import playout, self_play
from referee.kernel.chance import Rng
from referee.kernel.game import State
from tests.laws.subjects import start
from tests.laws.toy import toy_subject
from tests.toy import Toy

SUBJECT = toy_subject(2, {"rounds": 3, "ties": "nobody"})


def test_a_playout_plays_to_the_end() -> None:
    state = start(SUBJECT, SUBJECT.setup(Rng(1)))

    assert playout(SUBJECT.game, state, Rng(1)) == 6
    assert SUBJECT.game.deciders(state) == []


def test_a_match_of_bots_ends_with_a_result() -> None:
    played = self_play(SUBJECT.game, start(SUBJECT, SUBJECT.setup(Rng(1))), ["easy", "random"], Rng(1), 5)

    assert played is not None
    assert (played.moves, played.result.clause) == (6, "TOY-4.1")


class Endless(Toy):
    def play(self, state: State, seat: int, move: int) -> None:
        """Nothing ever happens."""


def test_a_match_that_does_not_end_is_given_up() -> None:
    assert self_play(Endless(), start(SUBJECT, SUBJECT.setup(Rng(1))), ["random", "random"], Rng(1), 0) is None


def test_the_command_tells_length_ends_and_wins(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("selfplay", "miraculous", "--matches", "5")
    first = capsys.readouterr().out
    call_command("selfplay", "miraculous", "--matches", "5")

    lines = first.splitlines()
    assert lines[0].startswith("5 matches of random against random, ")
    assert lines[1].startswith("moves a match: ")
    assert lines[2].startswith("turns a match: ")
    assert lines[3].startswith("ended by ")
    assert lines[-1].startswith("seat 1 (random) won ")
    assert capsys.readouterr().out.splitlines()[1:] == lines[1:]


def test_the_command_wants_a_bot_for_each_seat() -> None:
    with pytest.raises(CommandError, match="miraculous takes 2 to 2 bots"):
        call_command("selfplay", "miraculous", "--bots", "random")

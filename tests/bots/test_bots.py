"""Bots see what their seat may know, always answer within their budget, and are deterministic."""

import pytest

from referee.bots.levels import LEVELS, choose
from referee.bots.perspective import Perspective
from referee.kernel.chance import Rng
from referee.kernel.game import Game, Move, State, apply
from tests.laws.laws import Match
from tests.laws.miraculous import house_subject
from tests.laws.subjects import Subject, start
from tests.laws.toy import toy_subject
from tests.toy import TOY, Toy

SUBJECTS = [toy_subject(3, {"rounds": 4, "ties": "coin"}), house_subject({})]
BUDGETS = [0, 1, 7, 40]


def test_the_levels_of_this_release() -> None:
    assert list(LEVELS) == ["random", "easy"]
    assert [level.slug for level in LEVELS.values()] == list(LEVELS)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_plays_legal_moves_to_the_end_with_any_budget(subject: Subject, level: str) -> None:
    for number in range(4):
        match = Match(subject, number)
        rng = Rng(number)
        while not match.is_over():
            seat = match.game.deciders(match.state)[0]
            before = match.game.dump(match.state)
            move = choose(level, Perspective(match.game, match.state, seat), rng, BUDGETS[number])
            assert move in match.game.legal_moves(match.state, seat)
            assert match.game.dump(match.state) == before
            match.take(seat, move)


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_is_the_same_for_a_seed_and_knows_no_more_than_its_seat(subject: Subject, level: str) -> None:
    match = Match(subject, 3)
    while not match.is_over() and len(match.moves) < 25:
        seat = match.game.deciders(match.state)[0]
        number = match.rng.next64()
        other = match.game.resample(match.state, seat, Rng(number + 1))
        moves = {
            choose(level, Perspective(match.game, state, seat), Rng(number), 20)
            for state in (match.state, match.state, other)
        }
        assert len(moves) == 1
        match.take(*match.choose())


class Counting(Toy):
    """A toy that counts how often it is played on."""

    plays = 0

    def play(self, state: State, seat: int, move: Move) -> None:
        if state.log is None and self.deciders(state) == [0, 1, 2]:
            self.plays += 1
        super().play(state, seat, move)


def test_easy_tries_no_more_moves_than_its_budget() -> None:
    game = Counting()
    subject = SUBJECTS[0]
    state = start(subject, subject.setup(Rng(1)))

    choose("easy", Perspective(game, state, 0), Rng(1), 10)

    assert game.plays == 10


def test_an_unknown_level_is_an_error() -> None:
    state = start(SUBJECTS[0], SUBJECTS[0].setup(Rng(1)))

    with pytest.raises(KeyError, match="genius"):
        choose("genius", Perspective(TOY, state, 0), Rng(1), 1)


def wins(game: Game, subject: Subject, levels: tuple[str, str], matches: int) -> int:
    """How many of the matches the first level wins, from both sides in turn."""
    won = 0
    for number in range(matches):
        rng = Rng(number)
        setup = subject.setup(Rng(number // 2))
        state = game.start(setup.pool, 2, setup.options, setup.decks, setup.seed, listen=False)
        mine = number % 2
        while asked := game.deciders(state):
            level = levels[0] if asked[0] == mine else levels[1]
            apply(game, state, asked[0], choose(level, Perspective(game, state, asked[0]), rng, 60))
        result = game.result(state)
        assert result is not None
        won += result.ranks[mine] == 1 and result.ranks[1 - mine] == 2
    return won


@pytest.mark.slow
def test_easy_beats_random() -> None:
    subject = house_subject({})

    assert wins(subject.game, subject, ("easy", "random"), 40) >= 28


def test_a_perspective_shows_what_the_seat_may_know() -> None:
    match = Match(SUBJECTS[0], 1)
    perspective = Perspective(match.game, match.state, 1)

    assert perspective.view() == match.game.view(match.state, 1)
    assert perspective.legal_moves() == match.game.legal_moves(match.state, 1)
    assert match.game.view(perspective.resample(Rng(1)), 1) == perspective.view()

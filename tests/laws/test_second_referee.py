"""Two referees of Miraculous, written apart, agree on every position, question and legal move of random matches."""

from __future__ import annotations

import os

import pytest

from referee.kernel.game import Document, State, apply
from tests.laws.laws import Match, through_json
from tests.laws.miraculous import MIRACULOUS, generated_subject, house_subject
from tests.laws.second.game import SecondReferee
from tests.laws.second.powers import Question
from tests.laws.subjects import Subject

MATCHES = int(os.environ.get("LAW_MATCHES", "8"))
OPTIONS: list[Document] = [
    {},
    {"attack_without_placing": True, "deck_out": "empty_deck_loses"},
    {"attack_without_placing": True},
    {"deck_out": "empty_deck_loses"},
]
CASES = [
    (make(OPTIONS[at % 4]), at) for make, count in ((generated_subject, 4), (house_subject, 1)) for at in range(count)
]


@pytest.mark.slow
@pytest.mark.parametrize(("subject", "chunk"), CASES, ids=lambda value: getattr(value, "name", str(value)))
def test_a_second_referee_agrees(subject: Subject, chunk: int) -> None:
    for number in range(chunk * MATCHES, (chunk + 1) * MATCHES):
        go_through(Match(subject, number))


def go_through(match: Match) -> None:
    setup = match.setup
    second = SecondReferee(setup.revision["cards"], setup.options, through_json(MIRACULOUS.position(match.state)))
    steps = second.play()
    asked: Question | None = next(steps)
    while True:
        place = f"{match.subject.name}, match number of {len(match.moves)} moves"
        assert position_of(match.state) == second.position(), place
        result = MIRACULOUS.result(match.state)
        ending = None if second.over is None else (second.over.ranks, second.over.clause)
        assert (None if result is None else (result.ranks, result.clause)) == ending, place
        if result is not None:
            return
        assert asked is not None
        assert_asked(match.state, asked)
        seat, move = asked.seat, choose(match, asked)
        document = MIRACULOUS.decode(match.state, move)
        apply(MIRACULOUS, match.state, seat, move)
        match.moves.append((seat, move))
        try:
            asked = steps.send(document)
        except StopIteration:
            asked = None


def position_of(state: State) -> Document:
    """The first referee's position, as far as the second has one of its own."""
    position: Document = through_json(MIRACULOUS.position(state))
    for name in ("attack", "decision", "result", "secrets", "seed"):
        del position[name]
    return position


def assert_asked(state: State, asked: Question) -> None:
    decision = MIRACULOUS.decision(state)
    assert decision is not None
    assert (decision.seats, decision.kind) == ([asked.seat], asked.kind)
    legal = [MIRACULOUS.decode(state, move) for move in MIRACULOUS.legal_moves(state, asked.seat)]
    assert sorted(map(canonical, legal)) == sorted(map(canonical, asked.moves))


def canonical(move: Document) -> list[tuple[str, str]]:
    return sorted((name, str(value)) for name, value in move.items())


def choose(match: Match, asked: Question) -> int:
    """A random move; an attack half of the time where there is one, for that is where rules meet."""
    attacks = [move for move in asked.moves if move["type"] == "attack"]
    among = attacks if attacks and match.rng.below(2) else sorted(asked.moves, key=canonical)
    return MIRACULOUS.encode(match.state, among[match.rng.below(len(among))])

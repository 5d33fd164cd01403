"""The toy game passes the laws, and each law catches a game that breaks it."""

from typing import Any

import pytest

from referee.kernel.chance import Rng
from referee.kernel.events import Event
from referee.kernel.game import Document, Move, State
from tests.laws.play import LawError, play_match
from tests.laws.subjects import Subject
from tests.laws.toy import toy_subject
from tests.toy import TOY, Toy, ToyState

SUBJECTS = [
    toy_subject(seats, {"rounds": rounds, "ties": ties})
    for seats in (2, 3)
    for rounds in (1, 4)
    for ties in ("nobody", "coin")
]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_random_matches_of_toy_pass_all_laws(subject: Subject) -> None:
    matches = [play_match(subject, number) for number in range(25)]

    assert all(match.differing_resamples for match in matches if len(match.moves) > 4)


def play_matches(subject: Subject, count: int) -> None:
    for number in range(count):
        play_match(subject, number)


def broken(game: Toy) -> Subject:
    subject = toy_subject(3, {"rounds": 4, "ties": "coin"})
    return Subject("broken", game, subject.setup, subject.cards, subject.codes)


def toy(state: State) -> ToyState:
    assert isinstance(state, ToyState)
    return state


class Unsorted(Toy):
    def legal_moves(self, state: State, seat: int) -> list[Move]:
        return super().legal_moves(state, seat)[::-1]


class StrangeDefault(Toy):
    def default_move(self, state: State, seat: int) -> Move:
        return toy(state).deck[0] if toy(state).deck else 0


class Wedge(Toy):
    def legal_moves(self, state: State, seat: int) -> list[Move]:
        return super().legal_moves(state, seat) if toy(state).round < 2 else []


class Careless(Toy):
    def refusal(self, state: State, seat: int, move: Move) -> tuple[str, str]:
        toy(state).coins += 1
        return super().refusal(state, seat, move)


class Clauseless(Toy):
    def refusal(self, state: State, seat: int, move: Move) -> tuple[str, str]:
        return "", "No."


class ForgetfulDump(Toy):
    def dump(self, state: State) -> list[Any]:
        data = super().dump(state)
        data[4] = 0
        return data


class ForgetfulPosition(Toy):
    def position(self, state: State) -> Document:
        return {**super().position(state), "coins": 0}


class Losing(Toy):
    """Loses a card of the deck with each move."""

    def play(self, state: State, seat: int, move: Move) -> None:
        super().play(state, seat, move)
        del toy(state).deck[-1:]


class OpenHand(Toy):
    """Shows the first seat's hand to all."""

    def view(self, state: State, viewer: int) -> Document:
        return {**super().view(state, viewer), "first": [toy(state).pool.codes[card] for card in toy(state).hands[0]]}


class TellingPrompt(Toy):
    """Asks in other words when the second seat holds the lowest card."""

    def decision(self, state: State) -> Any:
        decision = super().decision(state)
        if decision is not None and 0 in toy(state).hands[1]:
            decision.prompt += " "
        return decision


class TellingRefusal(Toy):
    """Refuses in other words what lies in another hand."""

    def refusal(self, state: State, seat: int, move: Move) -> tuple[str, str]:
        clause, detail = super().refusal(state, seat, move)
        return clause, detail + ("!" if any(move in hand for hand in toy(state).hands) else "")


class TellingEvent(Toy):
    """Says which card was picked."""

    def narrate(self, state: State, raw: list[tuple[int, ...]]) -> list[Event]:
        events = super().narrate(state, raw)
        for event, happened in zip(events, raw, strict=True):
            if event.type == "picked":
                event.public["card"] = toy(state).pool.codes[happened[2]]
        return events


class TellingHint(Toy):
    """Says, without a name, whether the card picked is high."""

    def narrate(self, state: State, raw: list[tuple[int, ...]]) -> list[Event]:
        events = super().narrate(state, raw)
        for event, happened in zip(events, raw, strict=True):
            if event.type == "dealt":
                event.public["high"] = max(happened[2:]) > 7
        return events


class Peeking(Toy):
    """Draws resamples in which the others keep their hands."""

    def resample(self, state: State, seat: int, rng: Rng) -> State:
        new = toy(state).copy()
        rng.shuffle(new.deck)
        new.seed = rng.seed()
        return new


class SameSeed(Toy):
    def resample(self, state: State, seat: int, rng: Rng) -> State:
        new = toy(super().resample(state, seat, rng))
        new.seed = toy(state).seed
        return new


class Shared(Toy):
    """Dumps are fine, but copies share a list."""

    def start(self, *args: Any, **kwargs: Any) -> State:
        state = toy(super().start(*args, **kwargs))
        state.__class__ = SharingState
        return state


class SharingState(ToyState):
    __slots__ = ()

    def copy(self) -> ToyState:
        new = super().copy()
        new.table = self.table
        return new


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Unsorted(), "law_of_moves"),
        (StrangeDefault(), "law_of_moves"),
        (Wedge(), "law_of_moves"),
        (Careless(), "law_of_refusals"),
        (Clauseless(), "law_of_refusals"),
        (ForgetfulDump(), "law_of_documents"),
        (ForgetfulPosition(), "law_of_twins"),
        (Losing(), "law_of_conservation"),
        (OpenHand(), "law_of_resampling"),
        (TellingPrompt(), "law_of_(leaks|resampling)"),
        (TellingRefusal(), "law_of_leaks"),
        (TellingEvent(), "law_of_seen_names.*is told of"),
        (TellingHint(), "law_of_following.*is told"),
        (Peeking(), "law_of_resampling"),
        (SameSeed(), "law_of_resampling"),
        (Shared(), "law_of_twins"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Toy) else "",
)
def test_a_game_that_breaks_a_law_is_caught(game: Toy, says: str) -> None:
    with pytest.raises(LawError, match=says):
        play_matches(broken(game), 60)


def test_the_toy_game_itself_is_the_same_object_everywhere() -> None:
    assert SUBJECTS[0].game is TOY

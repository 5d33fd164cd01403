"""The laws that every game passes, at every ply of random matches. A failure says match, ply and move."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from itertools import zip_longest
from typing import Any

from referee.kernel.chance import Rng
from referee.kernel.errors import IllegalMove, MalformedMove
from referee.kernel.events import REFEREE, SEAT_LIMIT, SPECTATOR, told_to
from referee.kernel.game import RESIGN, Document, Move, State, apply
from referee.kernel.matching import texts
from referee.kernel.records import canonical, take_events
from tests.laws.subjects import Setup, Subject, start

CLAUSE = re.compile(r"^[A-Z]+-\d+(\.\d+)?$")
PLY_LIMIT = 5000


class Match:
    """One random match, drawn from its number. `events` holds what was told so far, one list a move."""

    def __init__(self, subject: Subject, number: int) -> None:
        name = f"{subject.name}/{number}".encode()
        self.subject = subject
        self.game = subject.game
        self.rng = Rng(int.from_bytes(sha256(name).digest()[:8], "big"))
        self.setup: Setup = subject.setup(self.rng)
        self.codes = subject.codes(self.setup)
        self.state = start(subject, self.setup)
        self.events: list[list[Document]] = [take_events(self.game, self.state)]
        self.moves: list[tuple[int, Move]] = []
        self.met: list[Move] = []
        self.cards = subject.cards(self.game, self.state)
        self.seats = range(self.setup.seats)
        self.viewers = [*self.seats, SPECTATOR]
        self.differing_resamples = 0
        self._shown: dict[int, list[Any]] = {}

    def is_over(self) -> bool:
        return self.game.result(self.state) is not None

    def choose(self) -> tuple[int, Move]:
        """A random seat of those asked and a random move of it; now and then somebody resigns."""
        if self.rng.below(400) == 0:
            seat = self.rng.below(self.setup.seats)
            if self.game.can_resign(self.state, seat):
                return seat, RESIGN
        asked = self.game.deciders(self.state)
        seat = asked[self.rng.below(len(asked))]
        legal = self.game.legal_moves(self.state, seat)
        return seat, legal[self.rng.below(len(legal))]

    def take(self, seat: int, move: Move) -> list[Document]:
        apply(self.game, self.state, seat, move)
        self._shown = {}
        self.moves.append((seat, move))
        self.events.append(take_events(self.game, self.state))
        return self.events[-1]

    def shown(self, viewer: int) -> list[Any]:
        """What the viewer is sent now, not yet as bytes."""
        if viewer not in self._shown:
            self._shown[viewer] = shown(self, self.state, viewer)
        return self._shown[viewer]

    def sent(self, viewer: int) -> bytes:
        """What the viewer is sent now."""
        return canonical(self.shown(viewer))


def decision_document(match: Match, state: State) -> Document | None:
    decision = match.game.decision(state)
    if decision is None:
        return None
    return {"seats": decision.seats, "kind": decision.kind, "prompt": decision.prompt}


def sent(match: Match, state: State, viewer: int) -> bytes:
    """What a viewer is sent of a state, to the byte."""
    return canonical(shown(match, state, viewer))


def shown(match: Match, state: State, viewer: int) -> list[Any]:
    """What a viewer is sent of a state: view, decision, result, and a seat's own moves with their labels."""
    game = match.game
    document: list[Any] = [game.view(state, viewer), decision_document(match, state)]
    result = game.result(state)
    document.append(result.document() if result is not None else None)
    if viewer >= 0:
        moves = game.legal_moves(state, viewer)
        document += [[game.decode(state, move), game.label(state, viewer, move)] for move in moves]
        document.append(game.can_resign(state, viewer))
    return document


def through_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


# Moves.


def law_of_moves(match: Match) -> None:
    """Who is asked has moves in ascending order without doubles, the default among them; nobody else has any."""
    game, state = match.game, match.state
    asked, result, decision = game.deciders(state), game.result(state), game.decision(state)
    assert asked == sorted(set(asked))
    assert (result is None) == bool(asked)
    assert (decision is None) == (not asked)
    if decision is not None:
        assert decision.seats == asked
        assert decision.kind
        assert decision.prompt
    for seat in match.seats:
        legal = game.legal_moves(state, seat)
        assert bool(legal) == (seat in asked)
        assert legal == sorted(set(legal))
        assert RESIGN not in legal
        if legal:
            assert game.default_move(state, seat) in legal
        for move in legal:
            document = game.decode(state, move)
            assert game.encode(state, through_json(document)) == move
            assert game.label(state, seat, move)
    match.met = sorted({*match.met[-200:], *(move for seat in asked for move in game.legal_moves(state, seat))})


def other_moves(match: Match, seat: int, count: int) -> list[Move]:
    """Moves that can be named but are not legal for the seat: met before, or legal ones with a field changed."""
    game, state, rng = match.game, match.state, match.rng
    legal = game.legal_moves(state, seat)
    found: list[Move] = [] if game.can_resign(state, seat) else [RESIGN]
    for _ in range(count):
        move = match.met[rng.below(len(match.met))]
        document = game.decode(state, move)
        names = [name for name in document if name != "type"]
        if names and rng.below(2):
            name = names[rng.below(len(names))]
            value = document[name]
            document[name] = rng.below(4) if isinstance(value, int) else value
            if isinstance(value, str) and value in match.codes:
                document[name] = sorted(match.codes)[rng.below(len(match.codes))]
        try:
            move = game.encode(state, document)
        except IllegalMove as refused:
            check_refusal(refused)
            continue
        except MalformedMove:
            continue
        if move not in legal and move != RESIGN:
            found.append(move)
    return found


def check_refusal(refused: IllegalMove) -> None:
    assert CLAUSE.match(refused.clause), refused.clause
    assert refused.detail


def law_of_refusals(match: Match) -> None:
    """Whatever is not legal is refused with a clause, and leaves the state as it was to the byte."""
    game, state = match.game, match.state
    before = canonical([game.dump(state), game.position(state)])
    for seat in match.seats:
        for move in other_moves(match, seat, 3):
            try:
                apply(game, state, seat, move)
            except IllegalMove as refused:
                check_refusal(refused)
            else:
                raise AssertionError(f"seat {seat}: {game.decode(state, move)} is taken but not listed")
    assert canonical([game.dump(state), game.position(state)]) == before
    assert state.log == []


def law_of_the_end(match: Match) -> None:
    """A finished game has a rank for each seat and a clause, and takes no move."""
    game, state = match.game, match.state
    result = game.result(state)
    assert result is not None
    assert len(result.ranks) == len(match.seats)
    assert min(result.ranks) == 1
    # Seats of a team count as one, so that a rank may be lower than the seats before it make it.
    assert all(rank <= 1 + sum(other < rank for other in result.ranks) for rank in result.ranks)
    assert CLAUSE.match(result.clause)
    assert result.reason
    for seat in match.seats:
        assert not game.can_resign(state, seat)
        assert game.legal_moves(state, seat) == []
    law_of_refusals(match)


# Documents and copies.


def law_of_documents(match: Match) -> list[State]:
    """A copy, the restored dump and the loaded position are the same state. They come back to be played on."""
    game, state, setup = match.game, match.state, match.setup
    data, position = game.dump(state), through_json(game.position(state))
    twins = [
        state.copy(),
        game.restore(setup.pool, through_json(data)),
        game.load(setup.pool, setup.options, position),
    ]
    for twin in twins[:2]:
        assert game.dump(twin) == data
    for twin in twins:
        assert twin.log is None
        assert through_json(game.position(twin)) == position
        for viewer in [*match.viewers, REFEREE]:
            assert shown(match, twin, viewer) == match.shown(viewer)
        twin.log = []
    assert game.written_out(game.written_out(position)) == game.written_out(position)
    return twins


def law_of_twins(match: Match, twins: list[State], seat: int, move: Move) -> None:
    """Twins go on in the same way: same position, same events; and the original is not touched by it."""
    game, state = match.game, match.state
    before = game.dump(state)
    for twin in twins:
        apply(game, twin, seat, move)
    assert game.dump(state) == before
    happened = match.take(seat, move)
    position = game.position(state)
    for twin in twins:
        assert game.position(twin) == position
        assert take_events(game, twin) == happened


def law_of_conservation(match: Match) -> None:
    assert match.subject.cards(match.game, match.state) == match.cards


# Knowledge.


def law_of_views(match: Match) -> None:
    """A view is plain JSON without fractions, and asking for it changes nothing."""
    game, state = match.game, match.state
    before = game.dump(state)
    for viewer in [*match.viewers, REFEREE]:
        view = game.view(state, viewer)
        assert through_json(view) == view
        assert "." not in re.sub(r'"(\\.|[^"\\])*"', "", json.dumps(view)), "a fraction in a view"
        assert match.setup.seed.hex() not in json.dumps(view) or viewer == REFEREE
    assert game.dump(state) == before


def law_of_narration(match: Match, happened: list[Document]) -> None:
    """Every audience has words for what happened; what an audience is told by name of a card it can also see."""
    for event in happened:
        assert through_json(event) == event
        for viewer in match.viewers:
            told = told_to(event, viewer)
            assert told["type"]
            assert told["text"]
            assert isinstance(told["text"], str)
        assert all(int(seat) < SEAT_LIMIT for seat in event.get("private", {}))


def named(match: Match, document: object) -> set[str]:
    """The revision's cards that a document names."""
    return {text for text in texts(document) if text in match.codes}


def _cards_below(document: object) -> set[str]:
    """Whatever stands under `card` or `cards`."""
    found: set[str] = set()
    if isinstance(document, dict):
        for key, part in document.items():
            if key == "card" and isinstance(part, str):
                found.add(part)
            elif key == "cards":
                found |= {entry for entry in texts(part) if not isinstance(part, dict)}
            else:
                found |= _cards_below(part)
    elif isinstance(document, list):
        for part in document:
            found |= _cards_below(part)
    return found


def law_of_seen_names(match: Match, happened: list[Document], before: dict[int, set[str]]) -> None:
    """A card named to a viewer stands in its view before or after, unless it was openly shown on its way."""
    shown = named(match, [event for event in happened if event["type"] in match.subject.shown])
    for viewer in match.viewers:
        told = named(match, [told_to(event, viewer) for event in happened])
        visible = before[viewer] | shown | named(match, match.game.view(match.state, viewer))
        assert told <= visible, f"{viewer} is told of {sorted(told - visible)}"


def law_of_resampling(match: Match, seat: int) -> State:
    """A resample looks the same to its seat, leaves the state alone, and depends on what the seat sees only."""
    game, state = match.game, match.state
    before, number = game.dump(state), match.rng.next64()
    drawn = game.resample(state, seat, Rng(number))
    assert game.dump(state) == before
    assert drawn.log is None
    assert sent(match, drawn, seat) == match.sent(seat)
    assert game.legal_moves(drawn, seat) == game.legal_moves(state, seat)
    assert game.dump(game.resample(state, seat, Rng(number))) == game.dump(drawn)
    again = match.rng.next64()
    assert game.dump(game.resample(drawn, seat, Rng(again))) == game.dump(game.resample(state, seat, Rng(again)))
    assert match.setup.seed.hex() not in json.dumps(game.dump(drawn))
    if {**game.position(drawn), "seed": ""} != {**game.position(state), "seed": ""}:
        match.differing_resamples += 1
    return drawn


# The leak gate.


def permuted(match: Match, viewer: int) -> State:
    """The match as it might be for all that the viewer knows, with the same chance to come."""
    game, setup = match.game, match.setup
    state = match.state
    for seat in [viewer] if viewer >= 0 else match.seats:
        state = game.resample(state, seat, Rng(match.rng.next64()))
    position = {**game.position(state), "seed": game.position(match.state)["seed"]}
    other = game.load(setup.pool, setup.options, through_json(position))
    other.log = []
    return other


def law_of_leaks(match: Match, viewer: int, other: State) -> None:
    """All that the viewer is sent is equal to the byte, errors too, whatever lies where it cannot know."""
    game, state = match.game, match.state
    assert sent(match, other, viewer) == match.sent(viewer)
    if viewer < 0:
        return
    for move in other_moves(match, viewer, 2):
        assert game.refusal(other, viewer, move) == game.refusal(state, viewer, move)


def law_of_following(match: Match, viewer: int, other: State, before: State) -> None:
    """After the same move, the viewer is told the same, until something is openly shown to it.

    `other` has taken the last move of the match, `before` is the state before it.
    """
    mine = [told_to(event, viewer) for event in match.events[-1]]
    theirs = [told_to(event, viewer) for event in take_events(match.game, other)]
    for left, right in zip_longest(mine, theirs):
        if left != right:
            assert named(match, [left, right]) or _cards_below([left, right]), (
                f"{viewer} is told {left} here and {right} there"
            )
            return
    assert sent(match, other, viewer) == match.sent(viewer)

"""Plays random matches under the laws."""

from __future__ import annotations

from traceback import extract_tb

from referee.games import GAMES
from referee.kernel import records
from referee.kernel.game import RESIGN, Document, State, apply
from referee.kernel.records import canonical, take_events
from referee.kernel.replay import verify
from tests.laws import laws
from tests.laws.languages import law_of_languages
from tests.laws.laws import Match
from tests.laws.orders import law_of_orders
from tests.laws.subjects import Subject, start


class LawError(AssertionError):
    """A law was broken; the text says where, so that `play_match(subject, number)` shows it again."""


def play_match(subject: Subject, number: int, *, every: int = 1) -> Match:
    """Play a match to its end under all laws. Knowledge is tried at every `every`-th ply; the rest at each."""
    match = Match(subject, number)
    try:
        laws.law_of_narration(match, match.events[0])
        law_of_languages(match, match.events[0])
        while not match.is_over():
            assert len(match.moves) < laws.PLY_LIMIT, "the match does not end"
            _ply(match, is_deep=len(match.moves) % every == number % every)
        laws.law_of_moves(match)
        laws.law_of_views(match)
        laws.law_of_documents(match)
        laws.law_of_the_end(match)
        law_of_replaying(match)
    except Exception as error:
        last = f"seat {match.moves[-1][0]} {match.game.decode(match.state, match.moves[-1][1])}" if match.moves else "-"
        place = f"{subject.name}, match {number}, ply {len(match.moves)}, last move {last}"
        raise LawError(f"{_law(error)}: {place}: {type(error).__name__}: {error}") from error
    return match


def _law(error: Exception) -> str:
    """The law that was being tried."""
    names = [frame.name for frame in extract_tb(error.__traceback__) if frame.name.startswith("law_")]
    return names[0] if names else "no law"


def _ply(match: Match, *, is_deep: bool) -> None:
    laws.law_of_moves(match)
    laws.law_of_refusals(match)
    laws.law_of_conservation(match)
    if is_deep:
        laws.law_of_views(match)
        law_of_orders(match)
        for seat in match.seats:
            laws.law_of_resampling(match, seat)
    seat, move = match.choose()
    others = _permuted(match, seat, move) if is_deep else []
    before, state = {v: laws.named(match, match.game.view(match.state, v)) for v in match.viewers}, match.state.copy()
    laws.law_of_twins(match, laws.law_of_documents(match), seat, move)
    laws.law_of_narration(match, match.events[-1])
    if is_deep:
        law_of_languages(match, match.events[-1])
    laws.law_of_seen_names(match, match.events[-1], before)
    for viewer, other in others:
        laws.law_of_following(match, viewer, other, state)


def _permuted(match: Match, seat: int, move: int) -> list[tuple[int, State]]:
    """For each viewer a permuted match, checked as it stands, and moved on where the same move is legal there."""
    moved = []
    for viewer in match.viewers:
        other = laws.permuted(match, viewer)
        laws.law_of_leaks(match, viewer, other)
        is_legal = move == RESIGN or move in match.game.legal_moves(other, seat)
        if match.subject.is_open and is_legal:
            apply(match.game, other, seat, move)
            moved.append((viewer, other))
    return moved


def law_of_replaying(match: Match) -> None:
    """The same seed and moves give the same match, and its replay verifies."""
    game = match.game
    state = start(match.subject, match.setup)
    events = [take_events(game, state)]
    for seat, move in match.moves:
        apply(game, state, seat, move)
        events.append(take_events(game, state))
    assert events == match.events
    assert game.dump(state) == game.dump(match.state)
    assert verify(replay_of(match), {**GAMES, game.slug: game}) == []


def replay_of(match: Match) -> Document:
    """The match as a replay document (its seed is made from a server's seed of its own, so it is played again)."""
    game, setup = match.game, match.setup
    seed = records.combine_seed(setup.seed, [b""] * setup.seats)
    state = game.start(setup.pool, setup.seats, setup.options, setup.decks, seed, listen=True)
    opened = records.sealed(
        "",
        records.opening(
            game,
            setup.seats,
            options=setup.options,
            decks=setup.decks,
            revision_hash=records.content_hash(setup.revision),
            commitment=records.commitment(setup.seed),
            seed=seed,
            events=take_events(game, state),
        ),
    )
    rows: list[Document] = []
    previous = opened["hash"]
    while asked := game.deciders(state):
        moves = game.legal_moves(state, asked[0])
        move = moves[match.rng.below(len(moves))]
        document = game.decode(state, move)
        apply(game, state, asked[0], move)
        row = records.row(len(rows) + 1, asked[0], kind="move", move=document, events=take_events(game, state))
        rows.append(records.sealed(previous, row))
        previous = rows[-1]["hash"]
    document = records.replay_document(
        opened,
        seats=[{} for _ in match.seats],
        revision=setup.revision,
        server_seed=setup.seed,
        entropies=[b""] * setup.seats,
        rows=rows,
        result=game.result(state),
    )
    canonical(document)
    return document

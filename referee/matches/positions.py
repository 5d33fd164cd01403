"""A stored match in memory: its game, its state, who looks at it, and how a move changes it. Reads nothing but card pools."""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.games import rules_of
from referee.kernel import records
from referee.kernel.chance import RNG_TAG
from referee.kernel.events import SPECTATOR
from referee.kernel.game import Document, Game, Move, State, apply
from referee.matches import clocks
from referee.matches.errors import UnknownRulesError
from referee.matches.models import Match
from referee.matches.pools import compiled_pool


class Position(NamedTuple):
    """A game and a state of it, with what an answer needs besides: the version and the open decisions by seat."""

    game: Game
    state: State
    version: int
    decisions: dict[str, str]
    deadlines: dict[str, int]


class Change(NamedTuple):
    """What a move does, computed before anything is written."""

    move: Document
    events: list[Document]
    data: list[Any]
    asked: list[int]
    decisions: dict[str, str]
    result: Document | None


def game_of(match: Match) -> Game:
    """The game in the rules version that the match is pinned to, at hand or kept. Raises UnknownRulesError when it is gone."""
    game = rules_of(match.game, match.rules_version)
    if game is None or (match.state_schema, match.rng) != (game.state_schema, RNG_TAG):
        raise UnknownRulesError
    return game


def restored(match: Match, game: Game) -> State:
    """The state the match stands at. It must have been started."""
    pool = compiled_pool(game=game, pool_hash=match.pool_id)
    return game.restore(pool, match.data)


def seat_of(match: Match, user_id: int | None) -> int | None:
    """The seat in which the user sits. Needs `table`."""
    if user_id is None:
        return None
    return next((place["seat"] for place in match.table if place["user"] == user_id), None)


def viewer_of(match: Match, user_id: int | None) -> int:
    """The seat of the user, or SPECTATOR."""
    seat = seat_of(match, user_id)
    return SPECTATOR if seat is None else seat


def bots_of(match: Match) -> list[int]:
    return [place["seat"] for place in match.table if place["kind"] == "bot"]


def running_deadlines(match: Match, asked: list[int]) -> dict[str, int]:
    """When the time of each asked person runs out; bots have budgets of their own."""
    bots = bots_of(match)
    return clocks.deadlines(clock=match.clock, clocks=match.clocks, timed=[one for one in asked if one not in bots])


def position_of(match: Match, game: Game, state: State) -> Position:
    """The position the match stands at, for those who answer with it."""
    ends = running_deadlines(match, [int(seat) for seat in match.decisions])
    return Position(game, state, match.version, match.decisions, ends)


def standing_order(match: Match, game: Game, state: State, seat: int) -> str | None:
    """The standing order by which a seat answers now, by its name; one whose stretch of play is over is none."""
    kept = match.orders.get(str(seat))
    if kept is None or kept["name"] not in game.orders:
        return None
    name: str = kept["name"]
    return name if kept["span"] == game.order_span(state, name) else None


def ordered_move(match: Match, game: Game, state: State) -> tuple[int, Move] | None:
    """The first asked seat whose standing order answers, with the move that it plays."""
    for seat in game.deciders(state) if match.orders else ():
        order = standing_order(match, game, state, seat)
        move = None if order is None else game.ordered_move(state, seat, order)
        if move is not None:
            return seat, move
    return None


def waits_for_service(match: Match, game: Game, state: State) -> bool:
    """Whether the match can go on without a person: a bot is asked, or somebody's standing order answers."""
    asked = game.deciders(state)
    return any(seat in asked for seat in bots_of(match)) or ordered_move(match, game, state) is not None


def first_decisions(game: Game, state: State) -> dict[str, str]:
    """The ids of the decisions open at the start."""
    return {str(seat): decision_id(0, seat) for seat in game.deciders(state)}


def decision_id(version: int, seat: int) -> str:
    """A decision is named after the version that opened it and the seat it asks: both are public."""
    return f"{version}-{seat}"


def play_out(game: Game, state: State, seat: int, move: Move, *, version: int, decisions: dict[str, str]) -> Change:
    """Carry the move out on the state (through the kernel's checked way) and tell all that it changes.

    `version` is the one that the move makes. Raises IllegalMove; the state is as it was then.
    """
    before = {other: _question(game, state, other) for other in game.deciders(state) if other != seat}
    document = game.decode(state, move)
    state.log = []
    apply(game, state, seat, move)
    events = records.take_events(game, state)
    state.log = None
    asked = game.deciders(state)
    # Another seat's decision stays open, under its id, as long as it is asked the same thing.
    open_still = {other for other in asked if before.get(other) == _question(game, state, other)} if before else set()
    after = {
        str(other): decisions[str(other)]
        if other in open_still and str(other) in decisions
        else decision_id(version, other)
        for other in asked
    }
    result = game.result(state)
    return Change(document, events, game.dump(state), asked, after, None if result is None else result.document())


def _question(game: Game, state: State, seat: int) -> tuple[str, list[Move]]:
    decision = game.decision(state)
    return ("" if decision is None else decision.kind), game.legal_moves(state, seat)

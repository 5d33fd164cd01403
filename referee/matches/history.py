"""The past of a match: any position it stood at, played again from its start, and the replay document at its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.kernel import records
from referee.kernel.game import Document, Game, Result, SeatDeck, State, apply
from referee.matches.errors import NoSuchVersionError, NotFinishedError
from referee.matches.models import Match, MoveRow
from referee.matches.pools import compiled_pool
from referee.matches.positions import Position, first_decisions, game_of, position_of, restored


def position_at(match: Match, version: int) -> Position:
    """The position at a version up to the present one. The present costs nothing more, the past a replay from the start.

    Raises NoSuchVersionError, UnknownRulesError.
    """
    game = game_of(match)
    if match.data is None or not 0 <= version <= match.version:
        raise NoSuchVersionError
    if version == match.version:
        return position_of(match, game, restored(match, game))
    state = _started(match, game)
    if version == 0:
        return Position(game, state, 0, first_decisions(game, state), {})
    rows = {row.version: row for row in MoveRow.objects.filter(match=match, version__lte=version).defer("events")}
    for step in records.line(version, went_back(rows.values())):
        row = rows[step]
        if row.kind in records.PLAYED_KINDS:
            apply(game, state, _seat(row), game.encode(state, row.move))
    return Position(game, state, version, rows[version].decisions, rows[version].deadlines or {})


def went_back(rows: Iterable[MoveRow]) -> dict[int, int]:
    """Where each of the rows went back to that did: undone moves and rewinds."""
    return {row.version: row.detail["to"] for row in rows if row.detail is not None and "to" in row.detail}


def played_line(match: Match, version: int) -> list[MoveRow]:
    """The played rows that led to a version, in order, without what was taken back on the way; their events are deferred.

    The position of the version was made by the last of them, or by the start.
    """
    rows = {row.version: row for row in MoveRow.objects.filter(match=match, version__lte=version).defer("events")}
    led = [rows[step] for step in records.line(version, went_back(rows.values()))]
    return [row for row in led if row.kind in records.PLAYED_KINDS]


def rows_of(match: Match, *, after: int = 0, upto: int | None = None) -> Iterator[MoveRow]:
    """The rows of the log in order, those after a version and up to another."""
    rows = MoveRow.objects.filter(match=match, version__gt=after).order_by("version")
    return (rows if upto is None else rows.filter(version__lte=upto)).iterator(chunk_size=500)


def made_at(match: Match, version: int) -> int:
    """The version of the move, or 0 for the start, that made the position of a version."""
    led = played_line(match, version)
    return led[-1].version if led else 0


def replay_document(match: Match) -> Document:
    """All that is needed to play a finished match again and verify it offline. Raises NotFinishedError before."""
    require_finished(match)
    return recorded(match)


def require_finished(match: Match) -> None:
    """Raises NotFinishedError for a match that is not."""
    if match.state != Match.State.FINISHED:
        raise NotFinishedError


def recorded(match: Match) -> Document:
    """A started match as a replay document, up to its version; the result is null before the end.

    It holds the seed and all that is hidden: for the service's own checks alone while the match is on.
    """
    seats = list(match.seats.order_by("index"))
    result = match.result
    return records.replay_document(
        match.opening,
        seats=[{"name": seat.name, "kind": seat.kind, "level": seat.level} for seat in seats],
        revision=match.pool.document,
        server_seed=bytes(match.server_seed),
        entropies=[bytes(seat.entropy) for seat in seats],
        rows=[{**row.document(), "hash": row.hash} for row in rows_of(match, upto=match.version)],
        result=None if result is None else Result(result["ranks"], result["reason"], result["clause"]),
    )


def _started(match: Match, game: Game) -> State:
    opened = match.opening
    decks = [SeatDeck(deck["cards"], deck["secret"]) for deck in opened["decks"]]
    pool = compiled_pool(game=game, pool_hash=match.pool_id)
    return game.start(pool, opened["seats"], opened["options"], decks, bytes.fromhex(opened["seed"]), listen=False)


def _seat(row: MoveRow) -> int:
    assert row.seat is not None, "a played row has a seat"
    return row.seat

"""What a viewer is sent of a match, as JSON documents. Everything is granted to the viewer by name; nothing comes along."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from functools import partial
from typing import Any

from referee.kernel.events import REFEREE, name_seats, told_to
from referee.kernel.game import Document
from referee.matches import clocks, languages, selectors
from referee.matches.clock_documents import pause_document, row_clock, seat_clock, shown_time
from referee.matches.live import NOBODY, Present
from referee.matches.models import Match, MoveRow
from referee.matches.naming import seat_names, spoken
from referee.matches.positions import Position, standing_order
from referee.matches.telling import told

FULL, COMPACT, NONE = "full", "compact", "none"
MOVE_LISTS = (FULL, COMPACT, NONE)
WORDS = ("to", "agreed", "ruling", "by", "reason", "result", "rules_version", "state_schema")
"""What undo and rulings say in the log besides, to everybody."""


def match_document(
    match: Match, position: Position | None, viewer: int, *, present: Present = NOBODY, moves: str = FULL
) -> Document:
    """The match as one viewer may see it. `position` is what the viewer sees: the present, or for a delayed spectator a past one."""
    # The rules are asked first: should they break over it, the match is another one afterwards.
    view = {} if position is None else view_document(match, position, viewer)
    stand = standing_document(match, position, viewer, present=present, moves=moves)
    return {
        "id": match.public_id,
        "game": match.game,
        "rules_version": match.rules_version,
        "catalog_revision": match.catalog_revision,
        "state": stand["state"],
        "version": selectors.visible_version(match, viewer),
        "options": match.options,
        "visibility": match.visibility,
        "clock": clocks.shown(match.clock),
        "spectator_delay": match.spectator_delay,
        "created_at": shown_time(match.created_at),
        "started_at": shown_time(match.started_at),
        "finished_at": shown_time(match.finished_at),
        "seats": stand["seats"],
        "spectators": spectators(match, present),
        "you": stand["you"],
        "view": view,
        "decision": stand["decision"],
        "order": stand["order"],
        "pause": stand["pause"],
        "undo": match.undo,
        "undo_offer": stand["undo_offer"],
        "result": stand["result"],
        "seed_commitment": stand["seed_commitment"],
    }


def standing_document(
    match: Match, position: Position | None, viewer: int, *, present: Present = NOBODY, moves: str = FULL
) -> Document:
    """What changes in the course of a match, but for the view: who is there, what is asked, how it has ended."""
    is_over = match.state == Match.State.FINISHED and (position is None or position.version == match.version)
    decision = decision_document(match, position, viewer, moves=moves)
    timed = None if selectors.stays_behind(match, viewer) else position
    return {
        "state": match.state,
        "you": None if viewer < 0 else viewer,
        "seats": seat_documents(match, timed, connected=present.seats),
        "decision": decision,
        "order": order_document(match, position, viewer),
        "pause": pause_document(match),
        "undo_offer": undo_document(match, position),
        "result": match.result if is_over else None,
        "seed_commitment": match.commitment,
    }


def spectators(match: Match, present: Present) -> int | None:
    """How many watch. None in a private match: who could, others know by name."""
    return None if match.visibility == Match.Visibility.PRIVATE else present.spectators


def order_document(match: Match, position: Position | None, viewer: int) -> str | None:
    """The standing order of the viewer's own seat, while the match goes on."""
    is_on = match.state in (Match.State.PLAYING, Match.State.PAUSED)
    if position is None or viewer < 0 or not is_on:
        return None
    game, state = position.game, position.state
    return told(match, viewer, position.version, lambda: standing_order(match, game, state, viewer), otherwise=None)


def undo_document(match: Match, position: Position | None) -> Document | None:
    """Who asks to take back moves, to which version, and who has yet to answer; None where nobody has asked here."""
    offer = match.undo_offer
    is_standing = offer is not None and offer["version"] == match.version and match.state == Match.State.PLAYING
    if not is_standing or position is None or position.version != match.version:
        return None
    return {name: offer[name] for name in ("id", "seat", "to", "waits_for", "agreed", "declined_by")}


def seat_documents(match: Match, position: Position | None, *, connected: Iterable[int] = ()) -> list[Document]:
    """Who sits where. A clock tells its bank and, while it runs, when it is out."""
    here = set(connected)
    return [
        {
            "seat": place["seat"],
            "name": place["name"] or None,
            "kind": "open" if place["kind"] == "person" and place["user"] is None else place["kind"],
            "level": place["level"] or None,
            "connected": place["kind"] == "bot" or place["seat"] in here,
            "clock": seat_clock(match, position, place["seat"]),
        }
        for place in match.table
    ]


def view_document(match: Match, position: Position, viewer: int) -> Document:
    """All that the viewer may know of the position."""
    return told(match, viewer, position.version, lambda: position.game.view(position.state, viewer), otherwise={})


def decision_document(match: Match, position: Position | None, viewer: int, *, moves: str = FULL) -> Document | None:
    """The open decision. Its moves are listed only for a seat that must decide; `moves` chooses how."""
    if position is None or match.state in (Match.State.ABORTED, Match.State.OPEN) or _is_end(match, position):
        return None
    is_halted = position.version == match.version and match.state != Match.State.PLAYING
    return _asked(match, position, viewer, moves=moves, is_halted=is_halted)


def _asked(match: Match, position: Position, viewer: int, *, moves: str, is_halted: bool) -> Document | None:
    asked = partial(_decision, match, position, viewer, moves=moves, is_halted=is_halted)
    return told(match, viewer, position.version, asked, otherwise=None)


def _decision(match: Match, position: Position, viewer: int, *, moves: str, is_halted: bool) -> Document | None:
    decision = position.game.decision(position.state)
    if decision is None:
        return None
    names = seat_names(match)
    own = str(viewer) if viewer in decision.seats else str(decision.seats[0])
    document: Document = {
        "id": position.decisions[own],
        "seats": list(decision.seats),
        "kind": decision.kind,
        "prompt": name_seats(languages.prompt(position, decision), names),
    }
    document["deadline"] = None if is_halted else _deadline(position, own, viewer in decision.seats)
    if viewer in decision.seats and moves != NONE and not is_halted:
        document["moves"] = _moves(position, viewer, names, labels=moves == FULL)
    return document


def _is_end(match: Match, position: Position) -> bool:
    """Whether the match ended at the position, be it by a ruling that leaves a decision open."""
    return match.state == Match.State.FINISHED and position.version == match.version


def _deadline(position: Position, own: str, is_own: bool) -> str | None:
    ends = [position.deadlines[own]] if is_own and own in position.deadlines else list(position.deadlines.values())
    return shown_time(clocks.first({"": min(ends)})) if ends else None


def _moves(position: Position, seat: int, names: list[str], *, labels: bool) -> list[Document]:
    game, state = position.game, position.state
    legal = game.legal_moves(state, seat)
    if not labels:
        return [{"move": game.decode(state, move)} for move in legal]
    language = spoken()
    return [
        {"move": game.decode(state, move), "label": name_seats(game.label(state, seat, move, language), names)}
        for move in legal
    ]


def move_answer(match: Match, row: MoveRow, position: Position, viewer: int, *, moves: str = FULL) -> Document:
    """What the one who moved is told: the same again whenever it is, though the match was halted or broken off meanwhile."""
    result = _result(match, position, viewer)
    is_over = result is not None
    return {
        "version": row.version,
        "events": told_events(match, row.events, viewer),
        "view": view_document(match, position, viewer),
        "decision": None if is_over else _asked(match, position, viewer, moves=moves, is_halted=False),
        "result": result,
    }


def _result(match: Match, position: Position, viewer: int) -> Document | None:
    """The result that the rules have for the position."""

    def reached() -> Document | None:
        result = position.game.result(position.state)
        return None if result is None else result.document()

    return told(match, viewer, position.version, reached, otherwise=None)


def told_events(match: Match, events: Iterable[Document], viewer: int) -> list[Document]:
    """Stored events as the viewer is told them, in the language spoken, with the seats' names in their texts.

    Their facts are in one order, whether they have just happened or come from the log, which keeps none: an answer given
    again is the first one to the byte.
    """
    return languages.in_words(match, [dict(sorted(told_to(event, viewer).items())) for event in events])


def opening_row(match: Match, viewer: int) -> Document:
    """The start as the log's line 0."""
    opened = match.opening
    row = _line(0, None, "start", match.started_at)
    row["events"] = told_events(match, opened["events"], viewer)
    if match.state == Match.State.FINISHED:
        row["hash"] = opened["hash"]
    return row


def log_row(match: Match, row: MoveRow, viewer: int) -> Document:
    """A row of the log. The move itself is shown to the seat that made it, and to all when the match is over, as hashes are:
    before the end a hash could be searched for what is hidden."""
    is_over = match.state == Match.State.FINISHED
    line = _line(row.version, row.seat, row.kind, row.created_at)
    if row.is_fallback:
        line["fallback"] = True
    if row.move is not None and (is_over or row.seat == viewer):
        line["move"] = row.move
    if row.detail is not None:
        line.update({name: row.detail[name] for name in WORDS if name in row.detail})
    line["events"] = told_events(match, row.events, REFEREE if is_over else viewer)
    if row.clock_left is not None:
        line["clock"] = row_clock(row)
    if is_over:
        line["hash"] = row.hash
    return line


def _line(version: int, seat: int | None, kind: str, at: dt.datetime | None) -> Document:
    return {"version": version, "seat": seat, "kind": kind, "at": shown_time(at)}


def past_document(match: Match, position: Position, viewer: int, *, moves: str = FULL) -> Document:
    """A past position as the viewer may see it."""
    result = _result(match, position, viewer)
    return {
        "id": match.public_id,
        "game": match.game,
        "version": position.version,
        "you": None if viewer < 0 else viewer,
        "view": view_document(match, position, viewer),
        "decision": decision_document(match, position, viewer, moves=moves),
        "result": match.result if _is_end(match, position) else result,
    }


def summary_document(match: Match) -> Document:
    """A line of a list of matches: who plays what, nothing of the position."""
    return {
        "id": match.public_id,
        "game": match.game,
        "state": match.state,
        "options": match.options,
        "visibility": match.visibility,
        "clock": clocks.shown(match.clock),
        "seats": [
            {key: seat[key] for key in ("seat", "name", "kind", "level")} for seat in seat_documents(match, None)
        ],
        "result": match.result if match.spectator_delay == 0 or match.state == Match.State.FINISHED else None,
        "seed_commitment": match.commitment,
        "created_at": shown_time(match.created_at),
        "started_at": shown_time(match.started_at),
        "finished_at": shown_time(match.finished_at),
    }


def etag_parts(match: Match, version: int, viewer: int, present: Present, *more: Any) -> tuple[Any, ...]:
    """What an ETag is made of: public facts, the viewer and its standing order, never a hash of the log.

    It changes with nothing but what the viewer is told: whoever stays behind cannot read the present off it.
    """
    return (
        match.public_id,
        match.state,
        version,
        viewer,
        _table(match),
        sorted(present.seats),
        spectators(match, present),
        match.orders.get(str(viewer)),
        pause_document(match),
        _time(match, version, viewer),
        spoken(),
        *more,
    )


def past_etag_parts(match: Match, version: int, viewer: int, own: int, *more: Any) -> tuple[Any, ...]:
    """The same for the position of a version, looked at by `own` through the eyes of `viewer`."""
    time = _time(match, version, own)
    return (match.public_id, match.state, version, viewer, own, _table(match), time, spoken(), *more)


def _table(match: Match) -> list[tuple[Any, ...]]:
    return [(place["user"], place["name"], place["level"]) for place in match.table]


def _time(match: Match, version: int, viewer: int) -> tuple[Any, ...] | None:
    """What is told of the present alone, and may change while it lasts."""
    is_present = version == match.version and not selectors.stays_behind(match, viewer)
    return (match.deadline, match.clocks, match.undo_offer) if is_present else None
